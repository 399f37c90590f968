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
        freezes(acts) + waits(acts) + entries("approval_recovery.begun", of: .beginRecovery, acts)
            + entries("approval_recovery.ended", of: .endRecovery, acts) + replaced(acts) + approvers(acts)
    }

    /// Devices that answer no more though nobody removed them, older ones that gave their word among them.
    private func approvers(_ acts: [HammerAct]) -> [String] {
        let removals = acts.filter { $0.act == .removeApprover && $0.outcome != .refused }
        let removed = Set(removals.compactMap(\.subject))
        return acts.compactMap { act -> String? in
            guard [.enrolApprover, .enrolHandedOver].contains(act.act), act.outcome == .acknowledged,
                let id = act.result, !removed.contains(id), tables.approvals.devices[id]?.isRemoved == true
            else { return nil }
            return "\(act.act.rawValue) of \(id) by \(act.by): the device answers no more"
        }
    }

    /// Services and members that have something else than they got last.
    private func replaced(_ acts: [HammerAct]) -> [String] {
        let begun = last(.beginRecovery, acts).compactMap { wait($0.subject, $0.result) }
        return last(.rotateService, acts).compactMap { key($0.subject, $0.result) }
            + last(.makeCodes, acts).compactMap { codes($0.subject, $0.result) } + begun
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

    /// Whether an account waits since another time than it began to wait last.
    private func wait(_ name: String, _ time: String) -> String? {
        guard let account = accounts[name],
            tables.approvals.waits.contains(where: { $0.account == account && "\($0.started)" != time })
        else { return nil }
        return "begin-recovery of \(name): the account waits since another time"
    }

    /// Members who may be asked though they are frozen, or may not though they no longer are.
    private func freezes(_ acts: [HammerAct]) -> [String] {
        undone(acts, tables.approvals.frozen, Self.isFrozen).map {
            "\($0.isOn ? "unfreeze" : "freeze") of \($0.name) by \($0.name) is not there"
        }
    }

    private static func isFrozen(after act: HammerAct.Kind) -> Bool? {
        switch act {
        case .freeze, .denyAll: true
        case .unfreeze: false
        default: nil
        }
    }

    /// Members who wait though they ended that, or do not though they began.
    private func waits(_ acts: [HammerAct]) -> [String] {
        let waiting = Set(tables.approvals.waits.map(\.account))
        return undone(acts, waiting, Self.isWaiting).map {
            "\($0.isOn ? "end-recovery" : "begin-recovery") of \($0.name) by \($0.name) is not there"
        }
    }

    private static func isWaiting(after act: HammerAct.Kind) -> Bool? {
        switch act {
        case .beginRecovery: true
        case .endRecovery: false
        default: nil
        }
    }

    /// Members who are otherwise than they were left by acts of which one undoes the other.
    ///
    /// - Parameters:
    ///   - on: the accounts that are now as the one leaves them.
    ///   - isOn: whether an act is the one, or the other; `nil` for the rest.
    private func undone(
        _ acts: [HammerAct], _ on: Set<String>, _ isOn: (HammerAct.Kind) -> Bool?
    ) -> [(name: String, isOn: Bool)] {
        // A member does one act after the other; of a lost one more than one state is right from then on.
        var members: [String: Set<Bool>] = [:]
        for act in acts {
            guard let state = isOn(act.act) else { continue }
            switch act.outcome {
            case .acknowledged: members[act.by] = [state]
            case .unknown: members[act.by, default: [false]].insert(state)
            case .refused, .wrong: continue
            }
        }
        return members.sorted { $0.key < $1.key }.compactMap { name, states -> (name: String, isOn: Bool)? in
            let isOn = accounts[name].map(on.contains) ?? false
            return states.contains(isOn) ? nil : (name: name, isOn: isOn)
        }
    }

    /// Members of whose waits the log has fewer or more entries of a type than they did acts.
    private func entries(_ type: String, of kind: HammerAct.Kind, _ acts: [HammerAct]) -> [String] {
        let members = Dictionary(grouping: acts.filter { $0.act == kind }) { $0.by }
        return members.sorted { $0.key < $1.key }.compactMap { name, own -> String? in
            let least = own.count { $0.outcome == .acknowledged }
            let most = least + own.count { $0.outcome == .unknown }
            let logged = accounts[name].flatMap { tables.approvals.waitEntries[$0] } ?? []
            let found = logged.count { $0 == type }
            guard found < least || found > most else { return nil }
            let expected = least == most ? "\(least)" : "\(least) to \(most)"
            return "\(kind.rawValue) of \(name): \(found) entries \(type), not \(expected)"
        }
    }
}
