/// One segment: all bytes of a text in one mode (ISO/IEC 18004 section 7.4).
struct Payload {
    enum Mode {
        case alphanumeric
        case byte
    }

    let mode: Mode
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        mode = !bytes.isEmpty && bytes.allSatisfy { Self.alphanumericValue($0) != nil } ? .alphanumeric : .byte
    }

    /// How many bits mode, count and text take.
    ///
    /// A text too long for the count has more bits than any symbol holds anyway.
    func bitCount(_ version: Version) -> Int {
        switch mode {
        case .byte: 4 + countBits(version) + 8 * bytes.count
        case .alphanumeric: 4 + countBits(version) + 11 * (bytes.count / 2) + 6 * (bytes.count % 2)
        }
    }

    /// The data codewords: the segment, its terminator, and padding up to `count`.
    func codewords(_ version: Version, count: Int) -> [UInt8] {
        var bits = BitWriter()
        switch mode {
        case .byte:
            bits.append(0b0100, count: 4)
            bits.append(bytes.count, count: countBits(version))
            for byte in bytes { bits.append(Int(byte), count: 8) }
        case .alphanumeric:
            bits.append(0b0010, count: 4)
            bits.append(bytes.count, count: countBits(version))
            for index in stride(from: 0, to: bytes.count, by: 2) {
                let first = Self.alphanumericValue(bytes[index]) ?? 0
                if index + 1 < bytes.count {
                    bits.append(45 * first + (Self.alphanumericValue(bytes[index + 1]) ?? 0), count: 11)
                } else {
                    bits.append(first, count: 6)
                }
            }
        }
        bits.append(0, count: min(4, 8 * count - bits.count))
        var codewords = bits.bytes
        var pad: UInt8 = 0xEC
        while codewords.count < count {
            codewords.append(pad)
            pad ^= 0xEC ^ 0x11
        }
        return codewords
    }

    private func countBits(_ version: Version) -> Int {
        switch (mode, version.number) {
        case (.byte, ...9): 8
        case (.byte, _): 16
        case (.alphanumeric, ...9): 9
        case (.alphanumeric, ...26): 11
        case (.alphanumeric, _): 13
        }
    }

    private static func alphanumericValue(_ character: UInt8) -> Int? {
        switch character {
        case 0x30...0x39: Int(character) - 0x30
        case 0x41...0x5A: Int(character) - 0x41 + 10
        case 0x20: 36
        case 0x24: 37
        case 0x25: 38
        case 0x2A: 39
        case 0x2B: 40
        case 0x2D: 41
        case 0x2E: 42
        case 0x2F: 43
        case 0x3A: 44
        default: nil
        }
    }
}

/// Collects bits, the most significant first; the last byte is filled with zeros.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ value: Int, count bits: Int) {
        for bit in stride(from: bits - 1, through: 0, by: -1) {
            if count % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}
