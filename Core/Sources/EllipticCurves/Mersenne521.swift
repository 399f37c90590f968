import Encodings

/// An integer modulo 2^521 - 1, below the prime.
///
/// 2^521 is 1 modulo the prime, so what lies above bit 520 is added to what lies below (FIPS 186-5; SP 800-186 appendix
/// G.1.4). No step branches on a value.
struct Mersenne521: PrimeField {
    private let words: Words<9>

    static var byteCount: Int { 66 }
    @inline(__always) static var zero: Self { Self(words: .zero) }
    @inline(__always) static var one: Self { Self(words: Words(1)) }

    @inline(__always)
    static var prime: Words<9> { Words([~0, ~0, ~0, ~0, ~0, ~0, ~0, ~0, 0x1ff]) }

    /// Takes a number below the prime: for constants.
    @inline(__always)
    init(words: Words<9>) {
        self.words = words
    }

    init?(bigEndian bytes: Bytes, at offset: Int = 0) {
        self.init(Words<9>(bigEndian: bytes, at: offset, byteCount: Self.byteCount))
    }

    /// Takes a number; `nil` when it is not below the prime.
    init?(_ number: Words<9>) {
        guard number.isLess(than: Self.prime) else { return nil }
        words = number
    }

    /// The number, below the prime.
    var number: Words<9> { words }
    var bigEndian: Bytes { words.bigEndian(byteCount: Self.byteCount) }
    var isZero: Bool { words.isZero }
    @inline(__always) var zeroMask: Mask { words.zeroMask }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self {
        Self(words: words.replaced(by: other.words, where: mask))
    }

    @inline(never)
    static func + (left: Self, right: Self) -> Self {
        Self(words: left.words.adding(right.words).sum.reducedOnce(prime, carry: 0))
    }

    @inline(never)
    static func - (left: Self, right: Self) -> Self {
        let (difference, borrow) = left.words.subtracting(right.words)
        return Self(words: difference.adding(prime.masked(Mask(bit: borrow))).sum)
    }

    @inline(never)
    static func * (left: Self, right: Self) -> Self {
        var below = Words<9>.zero
        var above = Words<9>.zero
        unrolled(9) { row in
            let last = above.addRow(left.words, right.words[row])
            below[row] = above[0]
            unrolled(8) { above[$0] = above[$0 + 1] }
            above[8] = last
        }
        return folded(below, above)
    }

    @inline(never)
    func squared() -> Self {
        let square = words.square
        return Self.folded(square.below, square.above)
    }

    /// `below + above * 2^576` modulo the prime, for a product of two elements.
    @inline(__always)
    private static func folded(_ below: Words<9>, _ above: Words<9>) -> Self {
        // The product has 1042 bits: from bit 521 on they are 521 again.
        var upper = Words<9>.zero
        upper[0] = below[8] >> 9 | above[0] << 55
        unrolled(8) { upper[$0 + 1] = above[$0] >> 9 | above[$0 + 1] << 55 }
        var lower = below
        lower[8] &= 0x1ff
        return Self(words: lower.adding(upper).sum.reducedOnce(prime, carry: 0))
    }

    /// By Fermat: the power of the prime minus two.
    func inverse() -> Self {
        power(Self.prime.subtracting(Words(2)).difference, bitCount: 521)
    }
}
