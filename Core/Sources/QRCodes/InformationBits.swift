/// The bits that say how to read a symbol, with their own error correction (BCH codes).
enum InformationBits {
    /// Level and mask: 15 bits (ISO/IEC 18004 section 7.9 and annex C).
    static func format(_ level: QRCode.ErrorCorrection, mask: Int) -> Int {
        let number =
            switch level {
            case .low: 0b01
            case .medium: 0b00
            case .quartile: 0b11
            case .high: 0b10
            }
        // The pattern keeps the bits from being all light.
        return encoded(number << 3 | mask, generator: 0b101_0011_0111, degree: 10) ^ 0b101_0100_0001_0010
    }

    /// The version: 18 bits (section 7.10 and annex D).
    static func version(_ version: Version) -> Int {
        encoded(version.number, generator: 0b1_1111_0010_0101, degree: 12)
    }

    /// `value` followed by the remainder of its division by the generator.
    private static func encoded(_ value: Int, generator: Int, degree: Int) -> Int {
        var remainder = value << degree
        for bit in stride(from: 17, through: degree, by: -1) where remainder >> bit & 1 == 1 {
            remainder ^= generator << (bit - degree)
        }
        return value << degree | remainder
    }
}
