import Encodings

/// An unsigned integer of four 64-bit words, the lowest first.
///
/// Carries travel in `UInt128`: that compiles to add-with-carry, where overflow flags would compile to branches.
struct Words256: Sendable, Equatable {
    var w0: UInt64
    var w1: UInt64
    var w2: UInt64
    var w3: UInt64

    static let zero = Words256(0, 0, 0, 0)

    @inline(__always)
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// Reads 32 big-endian bytes that begin at `offset`.
    ///
    /// The caller has checked the length.
    init(bigEndian bytes: Bytes, at offset: Int = 0) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for index in 0..<8 {
            words.3 = words.3 << 8 | UInt64(bytes[offset + index])
            words.2 = words.2 << 8 | UInt64(bytes[offset + 8 + index])
            words.1 = words.1 << 8 | UInt64(bytes[offset + 16 + index])
            words.0 = words.0 << 8 | UInt64(bytes[offset + 24 + index])
        }
        self.init(words.0, words.1, words.2, words.3)
    }

    /// Reads 32 little-endian bytes that begin at `offset`.
    ///
    /// The caller has checked the length.
    init(littleEndian bytes: Bytes, at offset: Int) {
        self.init(bigEndian: Array(bytes[offset..<offset + 32].reversed()))
    }

    /// The 32 big-endian bytes.
    var bigEndian: Bytes {
        bigEndianBytes(w3) + bigEndianBytes(w2) + bigEndianBytes(w1) + bigEndianBytes(w0)
    }

    var isZero: Bool { w0 | w1 | w2 | w3 == 0 }

    /// The bits from `position` on, at most seven of them; bits beyond 255 are zero.
    func bits(at position: Int, count: Int) -> Int {
        let word = position >> 6
        let shift = UInt64(position & 63)
        var value = self.word(word) >> shift
        if shift > 57 { value |= self.word(word + 1) << (64 - shift) }
        return Int(value & (1 << UInt64(count) - 1))
    }

    private func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: w0
        case 1: w1
        case 2: w2
        case 3: w3
        default: 0
        }
    }

    /// The sum modulo 2^256, and the carry: 0 or 1.
    @inline(__always)
    func adding(_ other: Words256) -> (sum: Words256, carry: UInt64) {
        let s0 = UInt128(w0) &+ UInt128(other.w0)
        let s1 = UInt128(w1) &+ UInt128(other.w1) &+ (s0 &>> 64)
        let s2 = UInt128(w2) &+ UInt128(other.w2) &+ (s1 &>> 64)
        let s3 = UInt128(w3) &+ UInt128(other.w3) &+ (s2 &>> 64)
        return (Words256(low(s0), low(s1), low(s2), low(s3)), low(s3 &>> 64))
    }

    /// The difference modulo 2^256, and the borrow: 0 or 1.
    @inline(__always)
    func subtracting(_ other: Words256) -> (difference: Words256, borrow: UInt64) {
        let d0 = UInt128(w0) &- UInt128(other.w0)
        let d1 = UInt128(w1) &- UInt128(other.w1) &- (d0 &>> 127)
        let d2 = UInt128(w2) &- UInt128(other.w2) &- (d1 &>> 127)
        let d3 = UInt128(w3) &- UInt128(other.w3) &- (d2 &>> 127)
        return (Words256(low(d0), low(d1), low(d2), low(d3)), low(d3 &>> 127))
    }

    /// Whether this is less than `other`.
    func isLess(than other: Words256) -> Bool { subtracting(other).borrow == 1 }

    /// Every word, or zero, by a mask of all ones or none.
    @inline(__always)
    func masked(_ mask: UInt64) -> Words256 { Words256(w0 & mask, w1 & mask, w2 & mask, w3 & mask) }
}

/// The lower half.
@inline(__always)
func low(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value) }

/// `x * y + a + c`, which always fits.
@inline(__always)
func multiplyAdd(_ x: UInt64, _ y: UInt64, _ a: UInt64, _ c: UInt128) -> UInt128 {
    UInt128(x) &* UInt128(y) &+ UInt128(a) &+ c
}
