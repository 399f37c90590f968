/// The digits of a scalar in width-5 non-adjacent form, the lowest first.
///
/// Each is zero or odd between -15 and 15, and at least four zeros follow every other one.
func nonAdjacentForm<Number: FixedWidthNumber>(_ scalar: Number) -> [Int8] {
    let width = 5
    var digits = [Int8](repeating: 0, count: 64 * Number.wordCount + 1)
    var carry = 0
    var position = 0
    while position < digits.count {
        guard scalar.bits(at: position, count: 1) != carry else {
            position += 1
            continue
        }
        var digit = scalar.bits(at: position, count: width) + carry
        carry = digit >> (width - 1)
        digit -= carry << width
        digits[position] = Int8(digit)
        position += width
    }
    return digits
}

extension GroupElement {
    /// `a`·`left` + `b`·`right` in one pass of doublings (Straus; also called Shamir's trick).
    ///
    /// Not constant time.
    static func sum<Number: FixedWidthNumber>(_ a: Number, _ left: Self, _ b: Number, _ right: Self) -> Self {
        let leftDigits = nonAdjacentForm(a)
        let rightDigits = nonAdjacentForm(b)
        let leftMultiples = left.oddMultiples()
        let rightMultiples = right.oddMultiples()
        var result = Self.neutral
        for position in stride(from: leftDigits.count - 1, through: 0, by: -1) {
            result = result.doubled()
            result.add(leftDigits[position], of: leftMultiples)
            result.add(rightDigits[position], of: rightMultiples)
        }
        return result
    }

    /// The multiples by 1, 3, 5 … 15.
    private func oddMultiples() -> [Self] {
        let double = doubled()
        var multiples = [self]
        for _ in 1..<8 { multiples.append(multiples[multiples.count - 1] + double) }
        return multiples
    }

    private mutating func add(_ digit: Int8, of multiples: [Self]) {
        if digit > 0 {
            self = self + multiples[Int(digit >> 1)]
        } else if digit < 0 {
            self = self + multiples[Int(-digit >> 1)].negated()
        }
    }
}
