import Encodings

/// The rules that the tables of approvals and the log must meet together: see ``HammerRules``.
struct HammerApprovalRules {
    private let tables: HammerApprovalTables
    private let entries: [HammerTables.Entry]

    init(_ tables: HammerTables) {
        self.tables = tables.approvals
        entries = tables.entries
    }

    /// Everything that is there in part, in words.
    func halves() -> [String] { devices() + answers() + questions() + freezes() + codes() + originals() }

    /// Apps of version 1 among them.
    private func devices() -> [String] {
        let enrolled = keys(of: "approval_device.enrolled")
        let removed = keys(of: "approval_device.removed")
        let devices = tables.devices.flatMap { id, device -> [String] in
            demand(1, enrolled, device.publicKey, "approver \(id): entries of its enrolment")
                + demand(device.isRemoved ? 1 : 0, removed, device.publicKey, "approver \(id): entries of its removal")
        }
        let apps = tables.apps.flatMap { key, isRemoved -> [String] in
            demand(1, enrolled, key, "app \(key): entries of its enrolment")
                + demand(isRemoved ? 1 : 0, removed, key, "app \(key): entries of its removal")
        }
        let isAll = enrolled.count == tables.devices.count + tables.apps.count
        return devices + apps + (isAll ? [] : ["\(enrolled.count) enrolments of approvers are logged"])
    }

    private func answers() -> [String] {
        let types = ["allow": "approval.given", "deny": "approval.denied"]
        let given = types.values.reduce(0) { $0 + keys(of: $1).count }
        let all = tables.answers.count + tables.originals.values.count { $0.state == "approved" }
        return tables.answers.flatMap { answer -> [String] in
            guard entries.indices.contains(Int(answer.entry)),
                case let entry = entries[Int(answer.entry)], entry.type == types[answer.decision],
                key(of: entry) == tables.devices[answer.device]?.publicKey
            else { return ["the answer to \(answer.question) has no entry of its own at \(answer.entry)"] }
            return []
        } + (given == all ? [] : ["\(given) answers are logged, not \(all)"])
    }

    /// As many allowed as the question says, or one denied; of an undecided one too few have answered.
    private func questions() -> [String] {
        let answers = Dictionary(grouping: tables.answers) { $0.question }
        return tables.questions.flatMap { id, question -> [String] in
            let decisions = (answers[id] ?? []).map(\.decision)
            let (allowed, denied) = (decisions.count { $0 == "allow" }, decisions.count { $0 == "deny" })
            let isWhole =
                switch question.state {
                case "approved": allowed == question.need && denied == 0 && question.isDecided
                case "denied": allowed < question.need && denied == 1 && question.isDecided
                default: allowed < question.need && denied == 0 && !question.isDecided
                }
            return isWhole ? [] : ["question \(id) is \(question.state) in part"]
        }
    }

    /// A denial that freezes has its own entry alone.
    private func freezes() -> [String] {
        let denied = tables.answers.count { $0.scope == "account" }
        let kept = denied + count("approvals.frozen") - count("approvals.unfrozen")
        return kept == tables.frozen.count
            ? [] : ["\(kept) accounts are frozen in the log, not \(tables.frozen.count)"]
    }

    /// In version 1 there is one answer, which allows; and an app that was agreed to is one that answers.
    private func originals() -> [String] {
        let questions = tables.originals.flatMap { id, original -> [String] in
            guard original.state == "approved" else {
                let isOpen = original.entry == nil && original.publicKey == nil
                return isOpen ? [] : ["question \(id) of version 1 is \(original.state) in part"]
            }
            guard let place = original.entry.map({ Int($0) }), entries.indices.contains(place),
                case let entry = entries[place], entry.type == "approval.given", key(of: entry) == original.publicKey
            else { return ["question \(id) of version 1 is approved without an entry of its own"] }
            return []
        }
        let apps = tables.enrolled.compactMap { question, key -> String? in
            tables.apps[key] == nil ? "the app of the question \(question) was agreed to, and is not there" : nil
        }
        return questions + apps
    }

    /// Ten at once, for as many as make some: the load uses none.
    private func codes() -> [String] {
        let made = count("approval_recovery.codes_made")
        let found = tables.codes.compactMap { account, codes -> String? in
            let times = Set(codes).count
            return codes.count == 10 && times == 1
                ? nil : "account \(account) has \(codes.count) recovery codes, made \(times) times"
        }
        return found
            + (made < tables.codes.count ? ["\(made) entries of codes for \(tables.codes.count) accounts"] : [])
    }

    private func count(_ type: String) -> Int { entries.count { $0.type == type } }

    private func keys(of type: String) -> [String] { entries.filter { $0.type == type }.compactMap(key) }

    private func key(of entry: HammerTables.Entry) -> String? {
        (try? JSON.parse(Bytes(text: entry.record)))?["public_key"]?.string.map { String(decoding: $0, as: UTF8.self) }
    }

    private func demand(_ count: Int, _ keys: [String], _ key: String, _ words: String) -> [String] {
        let found = keys.count { $0 == key }
        return found == count ? [] : ["\(words): \(found), not \(count)"]
    }
}
