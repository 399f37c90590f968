/// An unsigned integer of `count` 64-bit words, the lowest first: one to nine of them.
///
/// Loops over the words are written out by `unrolled`, so that a number stays in registers and nothing jumps. Carries of
/// products travel in `UInt128`, those of sums as flags: each compiles to add-with-carry.
struct Words<let count: Int>: FixedWidthNumber {
    private var words: InlineArray<count, UInt64>

    static var wordCount: Int { count }

    @inline(__always)
    static var zero: Self { Self(words: InlineArray(repeating: 0)) }

    @inline(__always)
    private init(words: InlineArray<count, UInt64>) {
        self.words = words
    }

    /// Takes the words, the lowest first.
    @inline(__always)
    init(_ words: InlineArray<count, UInt64>) {
        self.init(words: words)
    }

    subscript(index: Int) -> UInt64 {
        @inline(__always) get { words[index] }
        @inline(__always) set { words[index] = newValue }
    }

    @inline(__always)
    func adding(_ other: Self) -> (sum: Self, carry: UInt64) {
        var sum = Self.zero
        var carry: UInt64 = 0
        unrolled(count) { index in
            let (own, first) = self[index].addingReportingOverflow(other[index])
            let (value, second) = own.addingReportingOverflow(carry)
            sum[index] = value
            carry = bit(first) | bit(second)
        }
        return (sum, carry)
    }

    @inline(__always)
    func subtracting(_ other: Self) -> (difference: Self, borrow: UInt64) {
        var difference = Self.zero
        var borrow: UInt64 = 0
        unrolled(count) { index in
            let (own, first) = self[index].subtractingReportingOverflow(other[index])
            let (value, second) = own.subtractingReportingOverflow(borrow)
            difference[index] = value
            borrow = bit(first) | bit(second)
        }
        return (difference, borrow)
    }

    @inline(__always)
    func masked(_ mask: Mask) -> Self {
        var result = Self.zero
        unrolled(count) { result[$0] = self[$0] & mask.bits }
        return result
    }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self {
        var result = Self.zero
        unrolled(count) { result[$0] = mask.choose(self[$0], other[$0]) }
        return result
    }

    /// Whether all words are the same; for public values, or where the answer is public.
    static func == (left: Self, right: Self) -> Bool {
        var difference: UInt64 = 0
        unrolled(count) { difference |= left[$0] ^ right[$0] }
        return isPublic(Mask(whereZero: difference))
    }

    /// Word by word: after each word of `b` a multiple of the modulus makes the lowest word vanish (CIOS).
    ///
    /// Moduli are constants, so after specialisation the compiler drops the products by 0, 1 and 2^64 - 1 by itself.
    @inline(__always)
    static func montgomeryProduct(_ a: Self, _ b: Self, modulus: Self, negatedInverse: UInt64) -> Self {
        var sum = Self.zero
        var top: UInt64 = 0
        unrolled(count) { row in
            let last = sum.addRow(a, b[row])
            let factor = sum[0] &* negatedInverse
            var carry = high(multiplyAdd(factor, modulus[0], sum[0], 0))
            unrolled(count) { column in
                guard column > 0 else { return }
                let value = multiplyAdd(factor, modulus[column], sum[column], carry)
                sum[column &- 1] = low(value)
                carry = high(value)
            }
            let value = UInt128(top) &+ UInt128(last) &+ UInt128(carry)
            sum[count &- 1] = low(value)
            top = high(value)
        }
        return sum.reducedOnce(modulus, carry: top)
    }

    /// Adds a·b to this number; the word above it is returned.
    @inline(__always)
    mutating func addRow(_ a: Self, _ b: UInt64) -> UInt64 {
        var carry: UInt64 = 0
        unrolled(count) { column in
            let value = multiplyAdd(a[column], b, self[column], carry)
            self[column] = low(value)
            carry = high(value)
        }
        return carry
    }
}

/// Runs `body` for 0, 1 … `count` - 1, written out: `count` is a constant between 1 and 9 after specialisation.
@inline(__always)
func unrolled(_ count: Int, _ body: (Int) -> Void) {
    body(0)
    if count > 1 { body(1) }
    if count > 2 { body(2) }
    if count > 3 { body(3) }
    if count > 4 { body(4) }
    if count > 5 { body(5) }
    if count > 6 { body(6) }
    if count > 7 { body(7) }
    if count > 8 { body(8) }
}

/// 1 for an overflow, 0 for none.
///
/// With `overflow ? 1 : 0` the compiler makes jumps. Of the same bits it makes a chain of carries.
@inline(__always)
private func bit(_ overflow: Bool) -> UInt64 { UInt64(unsafe unsafeBitCast(overflow, to: UInt8.self)) }

/// The lower half.
@inline(__always)
func low(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value) }

/// The upper half.
@inline(__always)
func high(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value &>> 64) }

/// `x * y + a + c`, which always fits.
@inline(__always)
func multiplyAdd(_ x: UInt64, _ y: UInt64, _ a: UInt64, _ c: UInt64) -> UInt128 {
    UInt128(x) &* UInt128(y) &+ UInt128(a) &+ UInt128(c)
}
