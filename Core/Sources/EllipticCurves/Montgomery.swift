import Encodings

/// A prime with the constants of Montgomery's method for R = 2 to the power of the width of `Number`.
protocol PrimeModulus: Sendable {
    associatedtype Number: FixedWidthNumber
    /// How many bits the prime has.
    static var bitCount: Int { get }
    /// The prime.
    static var words: Number { get }
    /// -1/prime modulo 2^64.
    static var negatedInverse: UInt64 { get }
    /// R modulo the prime: one in Montgomery form.
    static var r: Number { get }
    /// R squared modulo the prime.
    static var rSquared: Number { get }
}

/// An integer modulo `Modulus`, held as x·R modulo the prime.
///
/// Montgomery's method (Mathematics of Computation 44, 1985). No step branches on a value.
struct Montgomery<Modulus: PrimeModulus>: PrimeField {
    typealias Number = Modulus.Number

    /// x·R, below the prime.
    private let form: Number

    static var byteCount: Int { (Modulus.bitCount + 7) / 8 }
    @inline(__always) static var zero: Self { Self(form: .zero) }
    @inline(__always) static var one: Self { Self(form: Modulus.r) }

    /// Takes x·R, below the prime: for constants.
    @inline(__always)
    init(form: Number) {
        self.form = form
    }

    init?(bigEndian bytes: Bytes, at offset: Int = 0) {
        self.init(Number(bigEndian: bytes, at: offset, byteCount: Self.byteCount))
    }

    /// Takes a number; `nil` when it is not below the modulus.
    init?(_ number: Number) {
        guard number.isLess(than: Modulus.words) else { return nil }
        self = Self(form: number) * Self(form: Modulus.rSquared)
    }

    /// Takes a number below twice the prime modulo the prime: any that has no more bits than the prime.
    init(reducing number: Number) {
        self = Self(form: number.reducedOnce(Modulus.words, carry: 0)) * Self(form: Modulus.rSquared)
    }

    /// The number, below the modulus.
    var number: Number { (self * Self(form: Number(1))).form }
    var bigEndian: Bytes { number.bigEndian(byteCount: Self.byteCount) }
    var isZero: Bool { form.isZero }
    @inline(__always) var zeroMask: Mask { form.zeroMask }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self { Self(form: form.replaced(by: other.form, where: mask)) }

    @inline(__always)
    static func + (left: Self, right: Self) -> Self {
        // The sum less the prime, in the order in which nothing is carried.
        left - Self(form: Modulus.words.subtracting(right.form).difference)
    }

    @inline(__always)
    static func - (left: Self, right: Self) -> Self {
        let (difference, borrow) = left.form.subtracting(right.form)
        return Self(form: difference.adding(Modulus.words.masked(Mask(bit: borrow))).sum)
    }

    // Formulas name it dozens of times: inlined everywhere it would be most of a page's module.
    @inline(never)
    static func * (left: Self, right: Self) -> Self {
        Self(
            form: Number.montgomeryProduct(
                left.form, right.form, modulus: Modulus.words, negatedInverse: Modulus.negatedInverse))
    }

    @inline(never)
    func squared() -> Self {
        Self(form: Number.montgomerySquare(form, modulus: Modulus.words, negatedInverse: Modulus.negatedInverse))
    }

    /// By Fermat: the power of the prime minus two.
    func inverse() -> Self {
        power(Modulus.words.subtracting(Number(2)).difference, bitCount: Modulus.bitCount)
    }
}
