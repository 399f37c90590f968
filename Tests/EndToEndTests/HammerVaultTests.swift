import Testing

@testable import Bench

/// Which states of a vault the hammer takes for right, after acts of which some answers were lost.
@Suite("The hammer's memory of a vault")
struct HammerVaultTests {
    /// A vault that was set up, and then some acts.
    private static func memory(_ acts: [HammerAct]) -> HammerVaultMemory {
        var made = HammerAct(.keepVault, .acknowledged, by: "ada", subject: "ada")
        made.slots = ["s0", "s1", "s2", "s3"]
        var memory = HammerVaultMemory()
        for act in [made] + acts { memory.take(act) }
        return memory
    }

    private static func act(
        _ kind: HammerAct.Kind, _ outcome: HammerAct.Outcome = .acknowledged, _ subject: String? = nil,
        result: String? = nil
    ) -> HammerAct {
        var act = HammerAct(kind, outcome, by: "ada", subject: subject)
        act.result = result
        return act
    }

    /// Acts, and the least and the most tries that may stand against each of the four slots after them.
    private static let cases: [(acts: [HammerAct], least: [Int], most: [Int])] = [
        ([], [0, 0, 0, 0], [0, 0, 0, 0]),
        ([act(.tryPIN)], [1, 1, 1, 1], [1, 1, 1, 1]),
        ([act(.tryPIN), act(.tryPIN, .unknown)], [1, 1, 1, 1], [2, 2, 2, 2]),
        // The second request was refused.
        ([act(.tryPIN, .unknown), act(.tryPIN, .refused)], [0, 0, 0, 0], [1, 1, 1, 1]),
        ([act(.tryPIN), act(.tryPIN), act(.provePIN, .acknowledged, "0")], [0, 1, 1, 1], [0, 1, 1, 1]),
        ([act(.tryPIN), act(.tryPIN), act(.provePIN, .acknowledged, "all")], [0, 0, 0, 0], [0, 0, 0, 0]),
        ([act(.tryPIN), act(.tryPIN), act(.provePIN, .unknown, "3")], [1, 1, 1, 0], [2, 2, 2, 2]),
        ([act(.tryPIN), act(.provePIN, .unknown, "all")], [0, 0, 0, 0], [1, 1, 1, 1]),
        ([act(.tryPIN), act(.setPIN, .acknowledged, "2", result: "new")], [1, 1, 0, 1], [1, 1, 0, 1]),
        ([act(.tryPIN), act(.setPIN, .unknown, "2")], [1, 1, 0, 1], [1, 1, 1, 1]),
    ]

    @Test("tries: each that was acknowledged, and at most each that may have been made")
    func tries() {
        for (acts, least, most) in Self.cases {
            let tries = Self.memory(acts).pins.map(\.tries)
            #expect(tries.map(\.lowerBound) == least && tries.map(\.upperBound) == most, "\(acts)")
        }
    }

    @Test("PIN slots: what was set last, or what a lost act may have set, and never what was replaced")
    func contents() {
        let changed = Self.memory([Self.act(.setPIN, .acknowledged, "1", result: "new")])
        #expect(changed.pins[1].contents.fault(of: "new") == nil)
        #expect(changed.pins[1].contents.fault(of: "s1") == "holds again what was replaced")
        #expect(changed.pins[1].contents.fault(of: "other") == "holds something that nobody has set")
        #expect(changed.pins[0].contents.fault(of: "s0") == nil && changed.pins[0].contents.fault(of: "new") != nil)

        let lost = Self.memory([
            Self.act(.setPIN, .acknowledged, "1", result: "new"), Self.act(.setPIN, .unknown, "1"),
        ])
        #expect(lost.pins[1].contents.fault(of: "new") == nil && lost.pins[1].contents.fault(of: "other") == nil)
        #expect(lost.pins[1].contents.fault(of: "s1") != nil)
    }

    @Test("recovery keys: there after they were stored, gone after they were removed, either after a lost answer")
    func keys() throws {
        let stored = Self.act(.setSlot, .acknowledged, "key", result: "one")
        let replaced = Self.act(.setSlot, .acknowledged, "key", result: "two")
        let slot = try #require(Self.memory([stored, replaced]).slots["key"])
        #expect(slot.contents.fault(of: "two") == nil && slot.contents.fault(of: "one") != nil && !slot.mayBeGone)
        #expect(Self.memory([stored, Self.act(.removeSlot, .unknown, "key")]).slots["key"]?.mayBeGone == true)
        #expect(Self.memory([stored, Self.act(.removeSlot, .acknowledged, "key")]).slots.isEmpty)
        #expect(Self.memory([Self.act(.setSlot, .unknown, "key")]).slots.isEmpty)
    }
}
