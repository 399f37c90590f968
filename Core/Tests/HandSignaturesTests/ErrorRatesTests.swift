import Testing

@testable import HandSignatures

@Suite("Error rates")
struct ErrorRatesTests {
    @Test("the equal error rate is where both rates differ least, and of those where their sum is least")
    func equal() {
        let apart = ErrorRates(genuine: [1, 2, 3], forged: [4, 5])
        #expect(apart.equal.rate == 0)
        #expect(apart.equal.threshold == 3)
        // At 3: one of four genuine is refused, one of four forged accepted.
        let mixed = ErrorRates(genuine: [1, 2, 3, 7], forged: [2.5, 6, 8, 9])
        #expect(mixed.equal.rate == 0.25)
        #expect(mixed.equal.threshold == 3)
        #expect(mixed.falseRejection(at: 3) == 0.25)
        #expect(mixed.falseAcceptance(at: 3) == 0.25)
        // Equal scores of both kinds change sides together.
        let same = ErrorRates(genuine: [1, 1], forged: [1, 1])
        #expect(same.equal.rate == 0.5)
        #expect(same.thresholds == [0, 1])
    }

    @Test("the ten draws are those of the published protocol")
    func draws() {
        let published = [
            [10, 11, 14, 15, 18], [4, 6, 13, 18, 19], [6, 7, 9, 11, 18], [7, 9, 10, 12, 18], [1, 9, 10, 11, 15],
            [2, 3, 6, 8, 9], [1, 3, 5, 9, 15], [1, 9, 10, 11, 18], [3, 6, 11, 13, 15], [1, 5, 6, 10, 15],
        ]
        #expect(ReferenceDraws.random(of: 20) == published)
        #expect(ReferenceDraws.windows(of: 7) == [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [2, 3, 4, 5, 6]])
        #expect(ReferenceDraws.windows(of: 5).isEmpty)
    }
}
