extension Words {
    /// The square, twice as wide: products of different words are made once and doubled.
    @inline(__always)
    var square: (below: Self, above: Self) {
        var square = (below: Self.zero, above: Self.zero)
        unrolled(count) { row in
            guard row + 1 < count else { return }
            var carry: UInt64 = 0
            unrolled(count) { column in
                guard column > row else { return }
                let value = multiplyAdd(self[row], self[column], Self.word(row + column, of: square), carry)
                Self.put(low(value), row + column, of: &square)
                carry = high(value)
            }
            Self.put(carry, row + count, of: &square)
        }
        return addingSquares(to: square)
    }

    /// Twice the products, and the squares of the words.
    @inline(__always)
    private func addingSquares(to products: (below: Self, above: Self)) -> (below: Self, above: Self) {
        var result = products
        var carry: UInt64 = 0
        var topBit: UInt64 = 0
        unrolled(count) { index in
            let own = UInt128(self[index]) &* UInt128(self[index])
            let first = Self.word(2 * index, of: products)
            let second = Self.word(2 * index + 1, of: products)
            let even = UInt128(first << 1 | topBit) &+ UInt128(low(own)) &+ UInt128(carry)
            let odd = UInt128(second << 1 | first >> 63) &+ UInt128(high(own)) &+ UInt128(high(even))
            Self.put(low(even), 2 * index, of: &result)
            Self.put(low(odd), 2 * index + 1, of: &result)
            carry = high(odd)
            topBit = second >> 63
        }
        return result
    }

    @inline(__always)
    private static func word(_ index: Int, of number: (below: Self, above: Self)) -> UInt64 {
        index < count ? number.below[index] : number.above[index - count]
    }

    @inline(__always)
    private static func put(_ word: UInt64, _ index: Int, of number: inout (below: Self, above: Self)) {
        if index < count { number.below[index] = word } else { number.above[index - count] = word }
    }

    @inline(__always)
    static func montgomerySquare(_ a: Self, modulus: Self, negatedInverse: UInt64) -> Self {
        let square = a.square
        var sum = square.below
        var top: UInt64 = 0
        unrolled(count) { row in
            let factor = sum[0] &* negatedInverse
            var carry = high(multiplyAdd(factor, modulus[0], sum[0], 0))
            unrolled(count) { column in
                guard column > 0 else { return }
                let value = multiplyAdd(factor, modulus[column], sum[column], carry)
                sum[column &- 1] = low(value)
                carry = high(value)
            }
            let value = UInt128(square.above[row]) &+ UInt128(carry) &+ UInt128(top)
            sum[count &- 1] = low(value)
            top = high(value)
        }
        return sum.reducedOnce(modulus, carry: top)
    }
}
