/// An integer modulo 2^255 - 19 (RFC 8032 section 5.1).
///
/// Held as any 256-bit number that is congruent to it: 2^256 is 38 modulo the prime, so what overflows comes back
/// multiplied by 38. No step branches on a value, except `==`, `isZero` and `init(canonical:)`, which are for public ones.
struct Field25519: Sendable, Equatable {
    static let zero = Field25519(.zero)
    static let one = Field25519(Words256(1, 0, 0, 0))
    private static let prime = Words256(0xffff_ffff_ffff_ffed, ~0, ~0, 0x7fff_ffff_ffff_ffff)

    private let words: Words256

    init(_ words: Words256) {
        self.words = words
    }

    /// Takes a number; `nil` when it is not below the prime.
    init?(canonical number: Words256) {
        guard number.isLess(than: Self.prime) else { return nil }
        words = number
    }

    /// The number, below the prime.
    var number: Words256 {
        // 2^256 is less than three times the prime.
        words.reducedOnce(Self.prime, carry: 0).reducedOnce(Self.prime, carry: 0)
    }

    /// Exchanges both numbers for a mask of all ones, neither for no ones.
    static func exchange(_ left: inout Self, _ right: inout Self, where mask: Mask) {
        let kept = left.words
        left = Self(kept.replaced(by: right.words, where: mask))
        right = Self(right.words.replaced(by: kept, where: mask))
    }

    var isZero: Bool { number.isZero }
    var isOdd: Bool { number.w0 & 1 == 1 }

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    static func + (left: Self, right: Self) -> Self {
        let (sum, carry) = left.words.adding(right.words)
        return Self(folded(sum, carry: carry))
    }

    static func - (left: Self, right: Self) -> Self {
        let (difference, borrow) = left.words.subtracting(right.words)
        let (once, again) = difference.subtracting(Words256(38 &* borrow, 0, 0, 0))
        // After a second borrow the number is close to 2^256, so there is no third.
        return Self(once.subtracting(Words256(38 &* again, 0, 0, 0)).difference)
    }

    // Formulas name it dozens of times: inlined everywhere it would be an eighth of the page's module.
    @inline(never)
    static func * (left: Self, right: Self) -> Self {
        let (p0, a) = row(left.words, right.words.w0, plus: .zero)
        let (p1, b) = row(left.words, right.words.w1, plus: a)
        let (p2, c) = row(left.words, right.words.w2, plus: b)
        let (p3, high) = row(left.words, right.words.w3, plus: c)
        let (low, rest) = row(high, 38, plus: Words256(p0, p1, p2, p3))
        return Self(folded(Words256(low, rest.w0, rest.w1, rest.w2), carry: rest.w3))
    }

    func negated() -> Self { Self.zero - self }

    func doubled() -> Self { self + self }

    /// The square, `count` times over: the power of 2^count.
    func squared(_ count: Int = 1) -> Self {
        var result = self
        for _ in 0..<count { result = result * result }
        return result
    }

    /// The multiplicative inverse, the power of 2^255 - 21; zero for zero.
    func inverse() -> Self {
        // 2^255 - 21 is 2^5 (2^250 - 1) + 11.
        let power11 = squared(3) * squared() * self
        return powerOfOnes().squared(5) * power11
    }

    /// The power of 2^252 - 3 = (prime - 5) / 8, from which square roots are made.
    func rootPower() -> Self { powerOfOnes().squared(2) * self }

    /// The power of 2^250 - 1.
    private func powerOfOnes() -> Self {
        let ones2 = squared() * self
        let ones4 = ones2.squared(2) * ones2
        let ones5 = ones4.squared() * self
        let ones10 = ones5.squared(5) * ones5
        let ones20 = ones10.squared(10) * ones10
        let ones40 = ones20.squared(20) * ones20
        let ones50 = ones40.squared(10) * ones10
        let ones100 = ones50.squared(50) * ones50
        let ones200 = ones100.squared(100) * ones100
        return ones200.squared(50) * ones50
    }

    /// `value + carry * 2^256` for a small carry.
    private static func folded(_ value: Words256, carry: UInt64) -> Words256 {
        let (once, again) = value.adding(Words256(38 &* carry, 0, 0, 0))
        // After a second carry the number is small, so there is no third.
        return once.adding(Words256(38 &* again, 0, 0, 0)).sum
    }

    /// `a * b + c`, its lowest word apart.
    private static func row(_ a: Words256, _ b: UInt64, plus c: Words256) -> (low: UInt64, high: Words256) {
        var sum = c
        let last = sum.addRow(a, b)
        return (sum.w0, Words256(sum.w1, sum.w2, sum.w3, last))
    }
}
