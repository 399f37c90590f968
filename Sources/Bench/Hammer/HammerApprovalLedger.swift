/// The journal of approvals held against what the server has: where one act undoes another, the last one counts.
struct HammerApprovalLedger {
    private let tables: HammerTables

    init(_ tables: HammerTables) { self.tables = tables }

    /// Services and members that are not as they were left.
    func losses(_ acts: [HammerAct]) -> [String] { freezes(acts) + keys(acts) }

    /// Services whose API key is not the one that they got last.
    private func keys(_ acts: [HammerAct]) -> [String] {
        // Of a lost rotation nobody knows the key.
        var last: [String: String] = [:]
        for act in acts where act.act == .rotateService {
            switch act.outcome {
            case .acknowledged: last[act.subject ?? ""] = act.result
            case .unknown: last[act.subject ?? ""] = nil
            case .refused, .wrong: continue
            }
        }
        return last.sorted { $0.key < $1.key }.compactMap { domain, key -> String? in
            guard let service = tables.services[domain], !service.isRemoved, service.keyHash != key else { return nil }
            return "rotate-service of \(domain): the service has another key"
        }
    }

    /// Members who may be asked though they are frozen, or may not though they no longer are.
    private func freezes(_ acts: [HammerAct]) -> [String] {
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
