import Testing

@testable import Server

/// The rules alone, without files.
@Suite("What the PIN guard counts")
struct GuardCountsTests {
    private static let fresh = GuardCounts(counts: [0, 0, 0, 0], last: 0)

    @Test("three tries at once, the next ones after longer and longer delays, and the tenth is the last")
    func delays() {
        var counts = Self.fresh
        var (now, waits): (Int64, [Int64]) = (1_000, [])
        for number in 1...10 {
            waits.append(counts.wait(at: now))
            now += counts.wait(at: now)
            #expect(!counts.isDestroyed)
            #expect(counts.count(at: now) == (number == 10 ? [0, 1, 2, 3] : []))
        }
        #expect(waits == [0, 0, 0, 30, 60, 300, 900, 3_600, 10_800, 43_200])
        #expect(counts.isDestroyed && counts.counts == [nil, nil, nil, nil])
    }

    @Test("the wait passes with the clock, and is never longer than its delay if that was set back")
    func clock() {
        var counts = Self.fresh
        for _ in 0..<3 { _ = counts.count(at: 1_000) }
        #expect([1_000, 1_010, 1_029, 1_030, 9_000].map { counts.wait(at: $0) } == [30, 20, 1, 0, 0])
        #expect(counts.wait(at: 10) == 30)
    }

    @Test("a proof takes the try back everywhere, and frees only the slots that it opens")
    func proof() {
        var counts = Self.fresh
        for _ in 0..<5 { _ = counts.count(at: 0) }
        counts.prove([2])
        #expect(counts.counts == [4, 4, 0, 4])
        counts.prove([])
        #expect(counts.counts == [4, 4, 0, 4])
        _ = counts.count(at: 0)
        counts.prove([0, 1, 2, 3])
        #expect(counts.counts == [0, 0, 0, 0])
    }

    @Test("who knows one PIN gains no tries at the others")
    func decoy() {
        var counts = Self.fresh
        var wrong = 0
        // Wrong ones with the decoy's right one in between, as long as the main slot is there.
        while counts.counts[0] != nil, wrong < 100 {
            _ = counts.count(at: 0)
            wrong += 1
            guard counts.counts[0] != nil else { break }
            _ = counts.count(at: 0)
            counts.prove([3])
        }
        #expect(wrong <= 10, "\(wrong) wrong PINs were tried")
        #expect(counts.counts[3] != nil && counts.counts[0] == nil)
    }

    @Test("slots that are destroyed slow nobody down, and a new PIN begins at none")
    func renewed() {
        var counts = GuardCounts(counts: [nil, 1, nil, 0], last: 0)
        #expect(counts.highest == 1 && counts.wait(at: 0) == 0)
        counts.renew(0)
        #expect(counts.counts == [0, 1, nil, 0])
    }
}
