import Encodings

/// A field of integers modulo a prime, as the point formulas need it.
///
/// One conforming type for each number of words: 256 bits now; 192, 384 and 521 bits are more of the same.
protocol PrimeField: Sendable, Equatable {
    /// How many bytes an element has when written out.
    static var byteCount: Int { get }
    static var zero: Self { get }
    static var one: Self { get }

    /// Reads big-endian bytes at `offset`, `byteCount` of them; `nil` when the number is not below the modulus.
    init?(bigEndian bytes: Bytes, at offset: Int)
    /// The element written out.
    var bigEndian: Bytes { get }
    var isZero: Bool { get }

    static func + (left: Self, right: Self) -> Self
    static func - (left: Self, right: Self) -> Self
    static func * (left: Self, right: Self) -> Self
    /// The multiplicative inverse; zero for zero.
    func inverse() -> Self
}

extension PrimeField {
    @inline(__always)
    func squared() -> Self { self * self }

    @inline(__always)
    func doubled() -> Self { self + self }

    /// The element with the other sign.
    @inline(__always)
    func negated() -> Self { Self.zero - self }
}
