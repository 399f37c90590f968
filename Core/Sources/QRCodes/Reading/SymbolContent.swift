/// Reads the segments in a symbol's data codewords (ISO/IEC 18004 section 7.4).
struct SymbolContent {
    private var bits: SymbolBits
    private var parts: [ScannedCode.Part] = []
    private var characterSet = ScannedCode.CharacterSet.unsaid
    /// In the FNC1 modes a single `%` in alphanumeric text means the separator GS.
    private var isFNC1 = false

    static func parts(_ data: [UInt8], _ version: Version) throws(QRReadingError) -> [ScannedCode.Part] {
        var content = SymbolContent(bits: SymbolBits(data))
        try content.readAll(version)
        return content.parts
    }

    private init(bits: SymbolBits) {
        self.bits = bits
    }

    private mutating func readAll(_ version: Version) throws(QRReadingError) {
        let size = version.number <= 9 ? 0 : version.number <= 26 ? 1 : 2
        while bits.left >= 4 {
            switch try bits.read(4) {
            case 0b0000: return
            case 0b0001: try readNumbers(try bits.read(10 + 2 * size))
            case 0b0010: try readAlphanumeric(try bits.read(9 + 2 * size))
            case 0b0100: try readBytes(try bits.read(size == 0 ? 8 : 16))
            case 0b1000: try readKanji(try bits.read(8 + 2 * size))
            case 0b0111: try readInterpretation()
            case 0b0011:
                let position = try bits.read(4)
                let last = try bits.read(4)
                throw .partOfSeveral(position: position + 1, count: last + 1)
            case 0b0101: isFNC1 = true
            case 0b1001:
                isFNC1 = true
                // The application's number: not part of the text.
                _ = try bits.read(8)
            default: throw .malformed
            }
        }
    }

    private mutating func readNumbers(_ count: Int) throws(QRReadingError) {
        var left = count
        var text: [UInt8] = []
        while left > 0 {
            let digits = min(3, left)
            let number = try bits.read(3 * digits + 1)
            guard number < (digits == 3 ? 1_000 : digits == 2 ? 100 : 10) else { throw .malformed }
            if digits == 3 { text.append(0x30 + UInt8(number / 100)) }
            if digits >= 2 { text.append(0x30 + UInt8(number / 10 % 10)) }
            text.append(0x30 + UInt8(number % 10))
            left -= digits
        }
        append(text, characterSet)
    }

    private mutating func readAlphanumeric(_ count: Int) throws(QRReadingError) {
        var left = count
        var text: [UInt8] = []
        while left > 0 {
            if left == 1 {
                text.append(try character(try bits.read(6)))
            } else {
                let pair = try bits.read(11)
                text.append(try character(pair / 45))
                text.append(try character(pair % 45))
            }
            left -= 2
        }
        append(isFNC1 ? Self.separated(text) : text, characterSet)
    }

    private func character(_ value: Int) throws(QRReadingError) -> UInt8 {
        guard value < Self.characters.count else { throw .malformed }
        return Self.characters[value]
    }

    private static let characters: [UInt8] = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// `%%` is a per cent sign, and `%` alone the separator.
    private static func separated(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            let isPercent = text[index] == 0x25
            let isDoubled = isPercent && index + 1 < text.count && text[index + 1] == 0x25
            result.append(isPercent && !isDoubled ? 0x1D : text[index])
            index += isDoubled ? 2 : 1
        }
        return result
    }

    private mutating func readBytes(_ count: Int) throws(QRReadingError) {
        guard bits.left >= 8 * count else { throw .malformed }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try bits.read(8))) }
        append(bytes, characterSet)
    }

    private mutating func readKanji(_ count: Int) throws(QRReadingError) {
        var bytes: [UInt8] = []
        for _ in 0..<count {
            let packed = try bits.read(13)
            let value = (packed / 0xC0) << 8 | packed % 0xC0
            let character = value + (value < 0x1F00 ? 0x8140 : 0xC140)
            bytes.append(UInt8(truncatingIfNeeded: character >> 8))
            bytes.append(UInt8(truncatingIfNeeded: character))
        }
        append(bytes, .shiftJIS)
    }

    /// A number in one, two or three bytes (section 7.4.2.2).
    private mutating func readInterpretation() throws(QRReadingError) {
        let first = try bits.read(8)
        let number: Int
        if first & 0x80 == 0 {
            number = first
        } else if first & 0xC0 == 0x80 {
            number = (first & 0x3F) << 8 | (try bits.read(8))
        } else if first & 0xE0 == 0xC0 {
            number = (first & 0x1F) << 16 | (try bits.read(16))
        } else {
            throw .malformed
        }
        characterSet = .interpretation(number)
    }

    private mutating func append(_ bytes: [UInt8], _ set: ScannedCode.CharacterSet) {
        if let last = parts.indices.last, parts[last].characterSet == set {
            parts[last].bytes.append(contentsOf: bytes)
        } else if !bytes.isEmpty {
            parts.append(ScannedCode.Part(bytes: bytes, characterSet: set))
        }
    }
}

/// Bits of codewords, the most significant first.
private struct SymbolBits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var left: Int { 8 * bytes.count - position }

    /// The next `count` bits, at most 16, as a number.
    mutating func read(_ count: Int) throws(QRReadingError) -> Int {
        guard count <= left else { throw .malformed }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
