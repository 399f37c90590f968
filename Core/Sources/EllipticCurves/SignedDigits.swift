/// A secret scalar as digits between -8 and 7 in base 16.
///
/// Adding 8 to every digit makes them the hexadecimal digits of another number: one addition gives all of them, and none
/// depends on those before it. The topmost digit is not shifted and not negative: 0, 1 or 2.
struct SignedDigits<Number: FixedWidthNumber> {
    private let shifted: Number
    private let carry: UInt64
    /// How many digits there are.
    let count: Int

    /// Takes a number of at most `bitCount` bits.
    init(_ scalar: Number, bitCount: Int) {
        count = Self.count(bitCount: bitCount)
        var eights = Number.zero
        for position in 0..<count - 1 { eights[position >> 4] |= 8 << UInt64(4 * (position & 15)) }
        (shifted, carry) = scalar.adding(eights)
    }

    /// How many digits a number of `bitCount` bits has.
    static func count(bitCount: Int) -> Int { bitCount / 4 + 1 }

    /// The digit at a public place: how much it is, and a mask of all ones if it is negative.
    func digit(_ position: Int) -> (magnitude: UInt64, negative: Mask) {
        let word = position >> 4
        let raw = word < Number.wordCount ? shifted[word] >> UInt64(4 * (position & 15)) & 15 : carry
        let value = raw &- (position < count - 1 ? 8 : 0)
        let negative = Mask(bit: value >> 63)
        return ((value ^ negative.bits) &- negative.bits, negative)
    }
}
