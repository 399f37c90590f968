import Encodings

/// A field of integers modulo a prime, as the point formulas need it.
///
/// The operations take the same steps and touch the same memory for all values. Only what answers with a `Bool` or an
/// optional tells something of its operands, and is for values that may be known.
protocol PrimeField: Sendable, Equatable {
    associatedtype Number: FixedWidthNumber

    /// How many bytes an element has when written out.
    static var byteCount: Int { get }
    static var zero: Self { get }
    static var one: Self { get }

    /// Takes a number; `nil` when it is not below the modulus.
    init?(_ number: Number)
    /// The number, below the modulus.
    var number: Number { get }
    /// Reads big-endian bytes at `offset`, `byteCount` of them; `nil` when the number is not below the modulus.
    init?(bigEndian bytes: Bytes, at offset: Int)
    /// The element written out.
    var bigEndian: Bytes { get }
    var isZero: Bool { get }
    /// All ones for zero, no ones for all others.
    var zeroMask: Mask { get }
    /// `other` for a mask of all ones, this for zero.
    func replaced(by other: Self, where mask: Mask) -> Self

    static func + (left: Self, right: Self) -> Self
    static func - (left: Self, right: Self) -> Self
    static func * (left: Self, right: Self) -> Self
    /// The product with itself.
    func squared() -> Self
    /// The multiplicative inverse; zero for zero.
    func inverse() -> Self
}

extension PrimeField {
    @inline(__always)
    func doubled() -> Self { self + self }

    /// The element with the other sign.
    @inline(__always)
    func negated() -> Self { Self.zero - self }

    /// The power with a public exponent, four bits at a time; nothing is multiplied for four zeros.
    @inline(never)
    func power(_ exponent: some FixedWidthNumber, bitCount: Int) -> Self {
        var powers = InlineArray<16, Self>(repeating: .one)
        for index in 1..<16 { powers[index] = powers[index - 1] * self }
        var result = Self.one
        for position in stride(from: (bitCount - 1) & ~3, through: 0, by: -4) {
            for _ in 0..<4 { result = result.squared() }
            let digit = exponent.bits(at: position, count: 4)
            if digit != 0 { result = result * powers[digit] }
        }
        return result
    }
}
