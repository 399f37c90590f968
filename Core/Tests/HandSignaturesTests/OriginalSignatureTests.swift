import Testing

@testable import HandSignatures

/// The method of Biometrix.
@Suite("The original's method")
struct OriginalSignatureTests {
    private static func signature(_ seed: UInt64) throws -> OriginalSignature {
        try OriginalSignature(try SyntheticSignature(seed: seed).capture)
    }

    @Test("a signature is at no distance from itself, and as far from another as that one from it")
    func distances() throws {
        let (first, second) = (try Self.signature(1), try Self.signature(2))
        #expect(OriginalSignature.distance(first, first) == 0)
        let distance = OriginalSignature.distance(first, second)
        // Sums in another order: the last places of single precision differ.
        #expect(distance > 1 && (distance - OriginalSignature.distance(second, first)).magnitude < 1e-5)
    }

    @Test("the score is the mean distance to the five, less that among them")
    func score() {
        let distances = [[0.0, 1, 2, 3, 4], [1, 0, 5, 6, 7], [2, 5, 0, 8, 9], [3, 6, 8, 0, 10], [4, 7, 9, 10, 0]]
        let capture = try? SyntheticSignature(seed: 3).capture
        guard let capture, let one = try? OriginalSignature(capture) else {
            Issue.record("no signature")
            return
        }
        let enrolled = OriginalSignature.enrolled([one, one, one, one, one]) { [distances[$0][$1]] }
        #expect(enrolled == 5.5)
        #expect(one.inputs(enrolled, comparisons: [[5], [6], [7], [8], [4]]) == [0.5])
    }

    @Test("a position or a size that is another changes nothing; a clock that cannot be repaired is refused")
    func invariance() throws {
        let capture = try SyntheticSignature(seed: 4).capture
        var moved = capture
        for index in moved.samples.indices {
            moved.samples[index].x = moved.samples[index].x * 2 + 1_000
            moved.samples[index].y = moved.samples[index].y * 2 - 500
        }
        let distance = OriginalSignature.distance(try OriginalSignature(capture), try OriginalSignature(moved))
        #expect(distance < 1e-4)
        for index in moved.samples.indices { moved.samples[index].time = 0 }
        #expect(throws: CaptureError.brokenClock) { try OriginalSignature(moved) }
    }
}
