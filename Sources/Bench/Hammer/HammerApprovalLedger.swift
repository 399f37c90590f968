/// The journal of approvals held against what the server has: who freezes and unfreezes undoes one act with another.
struct HammerApprovalLedger {
    private let tables: HammerTables

    init(_ tables: HammerTables) { self.tables = tables }

    /// Members who may be asked though they are frozen, or may not though they no longer are.
    func losses(_ acts: [HammerAct]) -> [String] {
        // A member does one act after the other; of a lost one more than one state is right from then on.
        var members: [String: Set<Bool>] = [:]
        for act in acts {
            guard let isFrozen = Self.isFrozen(after: act.act) else { continue }
            switch act.outcome {
            case .acknowledged: members[act.by] = [isFrozen]
            case .unknown: members[act.by, default: [false]].insert(isFrozen)
            case .refused, .wrong: continue
            }
        }
        let accounts = Dictionary(tables.accounts.map { ($0.username, $0.id) }) { first, _ in first }
        return members.sorted { $0.key < $1.key }.compactMap { name, states -> String? in
            let isFrozen = accounts[name].map(tables.approvals.frozen.contains) ?? false
            return states.contains(isFrozen)
                ? nil : "\(isFrozen ? "unfreeze" : "freeze") of \(name) by \(name) is not there"
        }
    }

    private static func isFrozen(after act: HammerAct.Kind) -> Bool? {
        switch act {
        case .freeze, .denyAll: true
        case .unfreeze: false
        default: nil
        }
    }
}
