/// The journal of approvals held against what the server has: where one act undoes another, the last one counts.
struct HammerApprovalLedger {
    private let tables: HammerTables
    /// The ids of accounts, by username.
    private let accounts: [String: String]

    init(_ tables: HammerTables) {
        self.tables = tables
        accounts = Dictionary(tables.accounts.map { ($0.username, $0.id) }) { first, _ in first }
    }

    /// Services and members that are not as they were left.
    func losses(_ acts: [HammerAct]) -> [String] {
        freezes(acts) + last(.rotateService, acts).compactMap { key($0.subject, $0.result) }
            + last(.makeCodes, acts).compactMap { codes($0.subject, $0.result) }
    }

    /// The results that were acknowledged last, by their subjects; none where a later act was lost.
    private func last(_ kind: HammerAct.Kind, _ acts: [HammerAct]) -> [(subject: String, result: String)] {
        var last: [String: String] = [:]
        for act in acts where act.act == kind {
            switch act.outcome {
            case .acknowledged: last[act.subject ?? ""] = act.result
            case .unknown: last[act.subject ?? ""] = nil
            case .refused, .wrong: continue
            }
        }
        return last.sorted { $0.key < $1.key }.map { (subject: $0.key, result: $0.value) }
    }

    /// Whether a service has another API key than it got last.
    private func key(_ domain: String, _ hash: String) -> String? {
        guard let service = tables.services[domain], !service.isRemoved, service.keyHash != hash else { return nil }
        return "rotate-service of \(domain): the service has another key"
    }

    /// Whether a member has other recovery codes than were made last.
    private func codes(_ name: String, _ time: String) -> String? {
        guard let account = accounts[name], let codes = tables.approvals.codes[account],
            codes.contains(where: { "\($0)" != time })
        else { return nil }
        return "make-codes of \(name): the recovery codes are others"
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
