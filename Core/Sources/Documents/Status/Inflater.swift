import Encodings

/// Reads DEFLATE (RFC 1951) with a limit on what comes out.
struct Inflater {
    private let input: Bytes
    private let end: Int
    private let maximumLength: Int
    private var offset: Int
    private var accumulator: UInt32 = 0
    private var available: UInt32 = 0
    private var output: Bytes = []

    init(_ input: Bytes, from start: Int, to end: Int, maximumLength: Int) {
        self.input = input
        self.end = end
        self.maximumLength = maximumLength
        offset = start
    }

    /// Unpacks all blocks.
    ///
    /// The last one must end where the input ends.
    mutating func inflate() throws(StatusError) -> Bytes {
        while true {
            let isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try block(literals: .fixedLiterals, distances: .fixedDistances)
            case 2: try dynamic()
            default: throw .corruptCompression
            }
            if isLast { break }
        }
        guard offset == end else { throw .corruptCompression }
        return output
    }

    private mutating func take(_ count: UInt32) throws(StatusError) -> UInt32 {
        while available < count {
            guard offset < end else { throw .corruptCompression }
            accumulator |= UInt32(input[offset]) << available
            offset += 1
            available += 8
        }
        let bits = accumulator & ((1 << count) - 1)
        accumulator >>= count
        available -= count
        return bits
    }

    private mutating func stored() throws(StatusError) {
        accumulator = 0
        available = 0
        guard offset + 4 <= end else { throw .corruptCompression }
        let length = Int(input[offset]) | Int(input[offset + 1]) << 8
        let complement = Int(input[offset + 2]) | Int(input[offset + 3]) << 8
        offset += 4
        guard length == ~complement & 0xFFFF, offset + length <= end else { throw .corruptCompression }
        guard output.count + length <= maximumLength else { throw .tooLarge }
        output.append(contentsOf: input[offset..<offset + length])
        offset += length
    }

    private mutating func dynamic() throws(StatusError) {
        let literalCount = Int(try take(5)) + 257
        let distanceCount = Int(try take(5)) + 1
        let codeCount = Int(try take(4)) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw .corruptCompression }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<codeCount {
            codeLengths[Int(DeflateTables.codeLengthOrder[index])] = UInt8(try take(3))
        }
        let code = try HuffmanCode(lengths: codeLengths, mayBeIncomplete: false)
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try symbol(code)
            guard symbol >= 16 else {
                lengths.append(UInt8(symbol))
                continue
            }
            var repeated: UInt8 = 0
            let count: Int
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .corruptCompression }
                repeated = last
                count = 3 + Int(try take(2))
            case 17: count = 3 + Int(try take(3))
            default: count = 11 + Int(try take(7))
            }
            guard lengths.count + count <= literalCount + distanceCount else { throw .corruptCompression }
            for _ in 0..<count { lengths.append(repeated) }
        }
        guard lengths[256] > 0 else { throw .corruptCompression }
        try block(
            literals: HuffmanCode(lengths: Array(lengths[0..<literalCount]), mayBeIncomplete: true),
            distances: HuffmanCode(lengths: Array(lengths[literalCount...]), mayBeIncomplete: true))
    }

    private mutating func block(literals: HuffmanCode, distances: HuffmanCode) throws(StatusError) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                guard output.count < maximumLength else { throw .tooLarge }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw .corruptCompression }
            let length =
                Int(DeflateTables.lengthBase[symbol - 257])
                + Int(try take(UInt32(DeflateTables.lengthExtra[symbol - 257])))
            let code = try self.symbol(distances)
            guard code < 30 else { throw .corruptCompression }
            let distance =
                Int(DeflateTables.distanceBase[code]) + Int(try take(UInt32(DeflateTables.distanceExtra[code])))
            guard distance <= output.count else { throw .corruptCompression }
            guard output.count + length <= maximumLength else { throw .tooLarge }
            if distance == 1 {
                output.append(contentsOf: repeatElement(output[output.count - 1], count: length))
            } else {
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
    }

    /// Reads one symbol, bit by bit along the canonical code.
    private mutating func symbol(_ code: HuffmanCode) throws(StatusError) -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            value |= Int(try take(1))
            let count = Int(code.counts[length])
            if value - count < first { return Int(code.symbols[index + value - first]) }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .corruptCompression
    }
}

/// A canonical Huffman code (RFC 1951 section 3.2.2).
struct HuffmanCode {
    /// How many codes there are of each length.
    let counts: [UInt16]
    /// The symbols in the order of their codes.
    let symbols: [UInt16]

    /// Builds the code from the lengths of its words.
    ///
    /// - Parameter mayBeIncomplete: whether a code with one word of one bit (or none) is allowed, as it is for literals
    ///   and distances. Any other incomplete or over-subscribed code is refused.
    init(lengths: [UInt8], mayBeIncomplete: Bool) throws(StatusError) {
        var counts = [UInt16](repeating: 0, count: 16)
        for length in lengths { counts[Int(length)] += 1 }
        let used = lengths.count - Int(counts[0])
        var left = 1
        for length in 1...15 {
            left = left << 1 - Int(counts[length])
            guard left >= 0 else { throw .corruptCompression }
        }
        guard left == 0 || mayBeIncomplete && (used == 0 || used == 1 && counts[1] == 1) else {
            throw .corruptCompression
        }
        var offsets = [Int](repeating: 0, count: 16)
        for length in 1..<15 { offsets[length + 1] = offsets[length] + Int(counts[length]) }
        var symbols = [UInt16](repeating: 0, count: used)
        for symbol in 0..<lengths.count where lengths[symbol] > 0 {
            symbols[offsets[Int(lengths[symbol])]] = UInt16(symbol)
            offsets[Int(lengths[symbol])] += 1
        }
        counts[0] = 0
        self.counts = counts
        self.symbols = symbols
    }

    private init(counts: [UInt16], symbols: [UInt16]) {
        self.counts = counts
        self.symbols = symbols
    }

    /// The fixed code of literals and lengths (RFC 1951 section 3.2.6).
    static let fixedLiterals = HuffmanCode(
        counts: [0, 0, 0, 0, 0, 0, 0, 24, 152, 112, 0, 0, 0, 0, 0, 0],
        symbols: Array(256..<280) + Array(0..<144) + Array(280..<288) + Array(144..<256))

    /// The fixed code of distances.
    static let fixedDistances = HuffmanCode(
        counts: [0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], symbols: Array(0..<32))
}
