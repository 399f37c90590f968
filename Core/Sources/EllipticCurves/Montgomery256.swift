import Encodings

/// A prime between 2^255 and 2^256 with the constants of Montgomery's method for R = 2^256.
protocol Modulus256: Sendable {
    /// The prime.
    static var words: Words256 { get }
    /// -1/prime modulo 2^64.
    static var negatedInverse: UInt64 { get }
    /// R modulo the prime: one in Montgomery form.
    static var r: Words256 { get }
    /// R squared modulo the prime.
    static var rSquared: Words256 { get }
}

/// An integer modulo `Modulus`, held as x·R modulo the prime.
///
/// Montgomery's method (Mathematics of Computation 44, 1985).
/// The modulus is made of constants, so after specialisation the compiler drops the products by 0, 1 and 2^32 - 1 of
/// P-256's prime by itself. No step branches on a value; but callers here only handle public ones.
struct Montgomery256<Modulus: Modulus256>: PrimeField {
    /// x·R, below the prime.
    private let form: Words256

    static var byteCount: Int { 32 }
    static var zero: Self { Self(form: .zero) }
    static var one: Self { Self(form: Modulus.r) }

    private init(form: Words256) {
        self.form = form
    }

    init?(bigEndian bytes: Bytes, at offset: Int = 0) {
        self.init(Words256(bigEndian: bytes, at: offset))
    }

    /// Takes a number; `nil` when it is not below the modulus.
    init?(_ number: Words256) {
        guard number.isLess(than: Modulus.words) else { return nil }
        form = Self.product(number, Modulus.rSquared)
    }

    /// Takes any 256-bit number modulo the prime, which is above 2^255: one subtraction is enough.
    init(reducing number: Words256) {
        form = Self.product(Self.reduced(number, carry: 0), Modulus.rSquared)
    }

    /// The number, below the modulus.
    var number: Words256 { Self.product(form, Words256(1, 0, 0, 0)) }
    var bigEndian: Bytes { number.bigEndian }
    var isZero: Bool { form.isZero }

    @inline(__always)
    static func + (left: Self, right: Self) -> Self {
        let (sum, carry) = left.form.adding(right.form)
        return Self(form: reduced(sum, carry: carry))
    }

    @inline(__always)
    static func - (left: Self, right: Self) -> Self {
        let (difference, borrow) = left.form.subtracting(right.form)
        return Self(form: difference.adding(Modulus.words.masked(0 &- borrow)).sum)
    }

    @inline(__always)
    static func * (left: Self, right: Self) -> Self {
        Self(form: product(left.form, right.form))
    }

    /// By Fermat: the power of the prime minus two, four bits at a time.
    func inverse() -> Self {
        var powers = [Self.one]
        for _ in 1..<16 { powers.append(powers[powers.count - 1] * self) }
        let exponent = Modulus.words.subtracting(Words256(2, 0, 0, 0)).difference
        var result = Self.one
        for position in stride(from: 252, through: 0, by: -4) {
            for _ in 0..<4 { result = result.squared() }
            result = result * powers[exponent.bits(at: position, count: 4)]
        }
        return result
    }

    /// `value + carry * 2^256`, which is below twice the prime, brought below the prime.
    @inline(__always)
    private static func reduced(_ value: Words256, carry: UInt64) -> Words256 {
        let (difference, borrow) = value.subtracting(Modulus.words)
        let keep = 0 &- (borrow & ~carry)
        let kept = value.masked(keep)
        let taken = difference.masked(~keep)
        return Words256(kept.w0 | taken.w0, kept.w1 | taken.w1, kept.w2 | taken.w2, kept.w3 | taken.w3)
    }

    /// a·b/R modulo the prime, word by word (CIOS).
    @inline(__always)
    private static func product(_ a: Words256, _ b: Words256) -> Words256 {
        var (sum, carry) = step(.zero, carry: 0, a, b.w0)
        (sum, carry) = step(sum, carry: carry, a, b.w1)
        (sum, carry) = step(sum, carry: carry, a, b.w2)
        (sum, carry) = step(sum, carry: carry, a, b.w3)
        return reduced(sum, carry: carry)
    }

    /// (t + a·b + m·prime) / 2^64 with the m that makes the lowest word vanish.
    @inline(__always)
    private static func step(
        _ t: Words256,
        carry: UInt64,
        _ a: Words256,
        _ b: UInt64
    ) -> (sum: Words256, carry: UInt64) {
        let prime = Modulus.words
        let p0 = multiplyAdd(a.w0, b, t.w0, 0)
        let p1 = multiplyAdd(a.w1, b, t.w1, p0 &>> 64)
        let p2 = multiplyAdd(a.w2, b, t.w2, p1 &>> 64)
        let p3 = multiplyAdd(a.w3, b, t.w3, p2 &>> 64)
        let top = (p3 &>> 64) &+ UInt128(carry)
        let m = low(p0) &* Modulus.negatedInverse
        let q0 = multiplyAdd(m, prime.w0, low(p0), 0)
        let q1 = multiplyAdd(m, prime.w1, low(p1), q0 &>> 64)
        let q2 = multiplyAdd(m, prime.w2, low(p2), q1 &>> 64)
        let q3 = multiplyAdd(m, prime.w3, low(p3), q2 &>> 64)
        let end = top &+ (q3 &>> 64)
        return (Words256(low(q1), low(q2), low(q3), low(end)), low(end &>> 64))
    }
}
