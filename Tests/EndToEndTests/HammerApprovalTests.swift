import Testing

@testable import Bench

/// Which states of approvals the hammer takes for right, after acts of which some answers were lost.
@Suite("The hammer's memory of approvals")
struct HammerApprovalTests {
    private static func act(
        _ kind: HammerAct.Kind, _ outcome: HammerAct.Outcome = .acknowledged, _ subject: String = "ada",
        result: String? = nil
    ) -> HammerAct {
        var act = HammerAct(kind, outcome, by: "ada", subject: subject)
        act.result = result
        return act
    }

    /// What is found after some acts, with Ada frozen or not.
    private static func losses(_ acts: [HammerAct], isFrozen: Bool) -> [String] {
        var tables = HammerTables()
        tables.accounts = [HammerTables.Account(id: "1", username: "ada", isVerified: true)]
        if isFrozen { tables.approvals.frozen = ["1"] }
        return HammerApprovalLedger(tables).losses(acts)
    }

    /// Acts, and whether somebody may be frozen and may be free after them.
    private static let cases: [(acts: [HammerAct], frozen: Bool, free: Bool)] = [
        ([act(.freeze)], true, false),
        ([act(.denyAll)], true, false),
        ([act(.freeze), act(.unfreeze)], false, true),
        ([act(.freeze, .unknown)], true, true),
        ([act(.freeze), act(.unfreeze, .unknown)], true, true),
        ([act(.freeze, .unknown), act(.unfreeze)], false, true),
        // The second request was refused.
        ([act(.freeze), act(.unfreeze, .unknown), act(.unfreeze, .refused)], true, true),
    ]

    @Test("frozen: after what was acknowledged last, and either after a lost answer")
    func freezes() {
        for (acts, frozen, free) in Self.cases {
            #expect(Self.losses(acts, isFrozen: true).isEmpty == frozen, "\(acts)")
            #expect(Self.losses(acts, isFrozen: false).isEmpty == free, "\(acts)")
        }
    }

    /// What is found after some acts about Ada's wait, with entries of it, and the time when it began unless it ended.
    private static func waitFaults(_ acts: [HammerAct], _ entries: [String], since time: Int64?) -> [String] {
        var tables = HammerTables()
        tables.accounts = [HammerTables.Account(id: "1", username: "ada", isVerified: true)]
        tables.devices = [HammerTables.Device(id: "laptop", account: "1", signingKey: "key", isRevoked: false)]
        tables.approvals.waitEntries = ["1": entries.map { "approval_recovery.\($0)" }]
        if let time {
            let (opens, closes) = (time + 259_200, time + 345_600)
            tables.approvals.waits = [
                HammerApprovalTables.Wait(account: "1", device: "laptop", started: time, opens: opens, closes: closes)
            ]
        }
        return HammerApprovalLedger(tables).losses(acts) + HammerRecoveryRules(tables).halves()
    }

    @Test("waits: begun or ended as was acknowledged last, either after a lost answer, and never both")
    func waits() {
        let begun = Self.act(.beginRecovery, result: "5")
        let ended = Self.act(.endRecovery)
        let lost = Self.act(.endRecovery, .unknown)
        #expect(Self.waitFaults([begun], ["begun"], since: 5).isEmpty)
        #expect(!Self.waitFaults([begun], ["begun"], since: nil).isEmpty)
        #expect(!Self.waitFaults([begun], ["begun"], since: 6).isEmpty)
        #expect(!Self.waitFaults([begun], [], since: nil).isEmpty)
        #expect(Self.waitFaults([begun, ended], ["begun", "ended"], since: nil).isEmpty)
        #expect(!Self.waitFaults([begun, ended], ["begun", "ended"], since: 5).isEmpty)
        #expect(!Self.waitFaults([begun, ended], ["begun"], since: 5).isEmpty)
        #expect(!Self.waitFaults([begun, ended], ["ended", "begun"], since: nil).isEmpty)
        // The second request was refused.
        for acts in [[begun, lost], [begun, lost, Self.act(.endRecovery, .refused)]] {
            #expect(Self.waitFaults(acts, ["begun"], since: 5).isEmpty)
            #expect(Self.waitFaults(acts, ["begun", "ended"], since: nil).isEmpty)
            #expect(!Self.waitFaults(acts, ["begun", "ended"], since: 5).isEmpty)
        }
    }

    /// What is found of an offer that a new device took with the word of an older one.
    private static func handoverFaults(
        _ state: String, _ handover: HammerApprovalTables.Handover, devices: [String] = ["new", "old"],
        voucher: String? = "old"
    ) -> [String] {
        var tables = HammerTables()
        for key in devices {
            tables.approvals.devices[key] = HammerApprovalTables.Device(publicKey: key, isRemoved: false)
        }
        tables.approvals.offers["first"] = HammerApprovalTables.Offer(
            state: "completed", key: "old", voucher: nil, handover: HammerApprovalTables.Handover())
        tables.approvals.offers["second"] = HammerApprovalTables.Offer(
            state: state, key: "new", voucher: voucher, handover: handover)
        return HammerHandoverRules(tables).halves()
    }

    @Test("handovers: both devices and the word, or neither the new one nor an enrolment")
    func handovers() {
        var agreed = HammerApprovalTables.Handover(state: "agreed", key: "new", by: "old", word: "word")
        #expect(Self.handoverFaults("completed", agreed).isEmpty)
        #expect(Self.handoverFaults("taken", agreed, devices: ["old"]).isEmpty)
        #expect(!Self.handoverFaults("taken", agreed).isEmpty)
        #expect(!Self.handoverFaults("completed", agreed, devices: ["old"]).isEmpty)
        #expect(!Self.handoverFaults("completed", agreed, devices: ["new"]).isEmpty)
        #expect(!Self.handoverFaults("completed", agreed, voucher: nil).isEmpty)
        #expect(!Self.handoverFaults("completed", HammerApprovalTables.Handover()).isEmpty)
        agreed.by = "other"
        #expect(!Self.handoverFaults("completed", agreed).isEmpty)
        let claimed = HammerApprovalTables.Handover(state: "claimed", key: "new", by: "old")
        #expect(Self.handoverFaults("open", claimed, devices: ["old"]).isEmpty)
        let early = HammerApprovalTables.Handover(state: "asked", key: "new", by: "old")
        #expect(!Self.handoverFaults("open", early, devices: ["old"]).isEmpty)
    }

    @Test("devices: those that nobody removed answer, and of a lost removal either is right")
    func approvers() {
        func losses(_ acts: [HammerAct]) -> [String] {
            var tables = HammerTables()
            tables.approvals.devices["phone"] = HammerApprovalTables.Device(publicKey: "key", isRemoved: true)
            return HammerApprovalLedger(tables).losses(acts)
        }
        let enrolled = Self.act(.enrolHandedOver, .acknowledged, "offer", result: "phone")
        #expect(!losses([enrolled]).isEmpty)
        #expect(losses([enrolled, Self.act(.removeApprover, .acknowledged, "phone")]).isEmpty)
        #expect(losses([enrolled, Self.act(.removeApprover, .unknown, "phone")]).isEmpty)
    }

    @Test("API keys: the one that was acknowledged last, any after a lost answer, and none of a service that is gone")
    func keys() {
        func losses(_ acts: [HammerAct], _ hash: String, isRemoved: Bool = false) -> [String] {
            var tables = HammerTables()
            tables.services["bank"] = HammerTables.Service(
                id: "1", publicKey: "key", keyHash: hash, isRotated: true, isRemoved: isRemoved)
            return HammerApprovalLedger(tables).losses(acts)
        }
        let first = Self.act(.rotateService, .acknowledged, "bank", result: "one")
        let second = Self.act(.rotateService, .acknowledged, "bank", result: "two")
        #expect(losses([first, second], "two").isEmpty)
        #expect(!losses([first, second], "one").isEmpty)
        #expect(losses([first, Self.act(.rotateService, .unknown, "bank")], "three").isEmpty)
        #expect(losses([first], "", isRemoved: true).isEmpty)
    }

    @Test("a question that two have to allow is approved by two, and by nobody less")
    func quorum() {
        func isWhole(_ state: String, _ decisions: [String]) -> Bool {
            var tables = HammerTables()
            tables.approvals.questions["it"] = HammerApprovalTables.Question(
                state: state, isDecided: state == "approved" || state == "denied", need: 2)
            tables.approvals.answers = decisions.enumerated().map { number, decision in
                HammerApprovalTables.Answer(
                    question: "it", decision: decision, scope: nil, device: "device", account: "\(number)", entry: 0)
            }
            return !HammerApprovalRules(tables).halves().contains { $0.hasSuffix("in part") }
        }
        #expect(isWhole("approved", ["allow", "allow"]) && !isWhole("approved", ["allow"]))
        #expect(isWhole("denied", ["allow", "deny"]) && !isWhole("denied", ["allow"]))
        #expect(isWhole("pending", ["allow"]) && !isWhole("pending", ["allow", "allow"]))
        #expect(isWhole("cancelled", []) && !isWhole("cancelled", ["deny"]))
    }
}
