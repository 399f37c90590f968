import Encodings

/// What the arithmetic of moduli and scalars needs of `Words` of one width or another.
///
/// A protocol cannot be told a number, so it is told a type: `Words<3>`, `Words<4>`, `Words<6>` or `Words<9>`.
protocol FixedWidthNumber: Sendable, Equatable {
    static var wordCount: Int { get }
    static var zero: Self { get }

    /// The word at a place that is public: 0 is the lowest.
    subscript(index: Int) -> UInt64 { get set }

    /// The sum modulo 2 to the power of the width, and the carry: 0 or 1.
    func adding(_ other: Self) -> (sum: Self, carry: UInt64)
    /// The difference modulo 2 to the power of the width, and the borrow: 0 or 1.
    func subtracting(_ other: Self) -> (difference: Self, borrow: UInt64)
    /// Every word for a mask of all ones, zero for none.
    func masked(_ mask: Mask) -> Self
    /// `other` for a mask of all ones, this for zero.
    func replaced(by other: Self, where mask: Mask) -> Self
    /// a·b/R modulo the modulus, where R is 2 to the power of the width (Montgomery's method).
    static func montgomeryProduct(_ a: Self, _ b: Self, modulus: Self, negatedInverse: UInt64) -> Self
    /// a²/R modulo the modulus.
    static func montgomerySquare(_ a: Self, modulus: Self, negatedInverse: UInt64) -> Self
}

extension FixedWidthNumber {
    @inline(__always)
    init(_ small: UInt64) {
        self = .zero
        self[0] = small
    }

    /// Reads `byteCount` big-endian bytes that begin at `offset`, at most as many as fit.
    ///
    /// The caller has checked the length.
    init(bigEndian bytes: Bytes, at offset: Int = 0, byteCount: Int = 8 * Self.wordCount) {
        self = .zero
        for index in 0..<byteCount {
            let place = byteCount - 1 - index
            self[place >> 3] |= UInt64(bytes[offset + index]) << UInt64(8 * (place & 7))
        }
    }

    /// The lowest `byteCount` bytes, big-endian.
    func bigEndian(byteCount: Int) -> Bytes {
        var bytes = Bytes(repeating: 0, count: byteCount)
        for index in 0..<byteCount {
            let place = byteCount - 1 - index
            bytes[index] = UInt8(truncatingIfNeeded: self[place >> 3] >> UInt64(8 * (place & 7)))
        }
        return bytes
    }

    /// The big-endian bytes of all words.
    var bigEndian: Bytes { bigEndian(byteCount: 8 * Self.wordCount) }

    /// The bits from the public `position` on, at most seven of them; bits beyond the width are zero.
    func bits(at position: Int, count: Int) -> Int {
        let index = position >> 6
        guard index < Self.wordCount else { return 0 }
        let shift = UInt64(position & 63)
        var value = self[index] >> shift
        if shift > 57, index + 1 < Self.wordCount { value |= self[index + 1] << (64 - shift) }
        return Int(value & (1 << UInt64(count) - 1))
    }

    /// The number divided by 2 to the power of `count`, which is public and below 64, rounded down.
    func shiftedRight(by count: Int) -> Self {
        guard count > 0 else { return self }
        var result = self
        for index in 0..<Self.wordCount {
            let above = index + 1 < Self.wordCount ? self[index + 1] : 0
            result[index] = self[index] >> UInt64(count) | above << UInt64(64 - count)
        }
        return result
    }

    /// Whether this is less than `other`; for public values, or where the answer is public.
    func isLess(than other: Self) -> Bool { isPublic(Mask(bit: subtracting(other).borrow)) }

    /// All ones when the number is zero, no ones otherwise.
    @inline(__always)
    var zeroMask: Mask {
        var union: UInt64 = 0
        unrolled(Self.wordCount) { union |= self[$0] }
        return Mask(whereZero: union)
    }

    /// This number with `carry` above it, which is below twice the modulus, brought below the modulus.
    @inline(__always)
    func reducedOnce(_ modulus: Self, carry: UInt64) -> Self {
        let (difference, borrow) = subtracting(modulus)
        return difference.adding(modulus.masked(Mask(bit: borrow & (carry ^ 1)))).sum
    }

    /// Whether the number is zero; for public values, or where the answer is public.
    var isZero: Bool { isPublic(zeroMask) }
}
