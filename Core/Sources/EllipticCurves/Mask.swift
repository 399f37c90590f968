/// All ones or no ones: how a secret decides without a jump.
///
/// The compiler must not know that a mask is one of two numbers. Where it knew, it made conditional jumps of selections.
/// So every mask is made here and goes through `opaque`.
struct Mask: Sendable {
    /// ~0 or 0.
    let bits: UInt64

    @inline(__always)
    private init(known bits: UInt64) {
        self.bits = opaque(bits)
    }

    /// All ones for 1, no ones for 0; there must not be another number.
    @inline(__always)
    init(bit: UInt64) {
        self.init(known: 0 &- bit)
    }

    /// All ones for zero, no ones for anything else.
    @inline(__always)
    init(whereZero word: UInt64) {
        self.init(known: ((word | (0 &- word)) >> 63) &- 1)
    }

    /// All ones where this has them and `other` has none.
    @inline(__always)
    func without(_ other: Self) -> Self { Self(known: bits & ~other.bits) }

    /// The second word for all ones, the first for none.
    @inline(__always)
    func choose(_ first: UInt64, _ second: UInt64) -> UInt64 { first ^ ((first ^ second) & bits) }
}

/// The same word, of which the compiler no longer knows anything.
///
/// From a function without the optimiser the compiler concludes nothing, so its callers have to reckon with every word.
/// `@inline(never)` alone is not enough: then the compiler still looks at which words go in, and so come out.
@inline(never)
@_optimize(none)
private func opaque(_ word: UInt64) -> UInt64 { word }

/// Answers what a mask says, where the answer may be known to everybody: that a nonce was refused, that a key is out of
/// range.
///
/// It is the only place where code that handles secrets branches on what it computed from them, so
/// `scripts/check-constant-time` excuses this function and no other. Without the optimiser the jump stays in here.
@inline(never)
@_optimize(none)
func isPublic(_ mask: Mask) -> Bool {
    if mask.bits != 0 { return true }
    return false
}
