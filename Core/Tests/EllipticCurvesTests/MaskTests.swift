import Testing

@testable import EllipticCurves

@Suite("Masks")
struct MaskTests {
    static let words: [UInt64] = [0, 1, 2, 1 << 31, 1 << 32, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, ~0 - 1, ~0]

    @Test("A bit becomes all ones or none, and chooses the one word or the other", arguments: words, words)
    func choice(first: UInt64, second: UInt64) {
        #expect(Mask(bit: 0).bits == 0)
        #expect(Mask(bit: 1).bits == ~0)
        #expect(Mask(bit: 0).choose(first, second) == first)
        #expect(Mask(bit: 1).choose(first, second) == second)
    }

    @Test("Only zero is zero, whichever bit another word has")
    func zero() {
        #expect(Mask(whereZero: 0).bits == ~0)
        for word in Self.words.dropFirst() { #expect(Mask(whereZero: word).bits == 0, "\(word)") }
        for position in 0..<UInt64(64) { #expect(Mask(whereZero: 1 << position).bits == 0, "\(position)") }
    }

    @Test("One mask without the other has ones only where the first alone has them", arguments: [0, 1], [0, 1])
    func difference(first: UInt64, second: UInt64) {
        let mask = Mask(bit: first).without(Mask(bit: second))
        #expect(mask.bits == (first == 1 && second == 0 ? ~0 : 0))
        #expect(isPublic(mask) == (first == 1 && second == 0))
    }
}
