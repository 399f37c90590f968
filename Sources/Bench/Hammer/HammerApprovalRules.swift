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
    func halves() -> [String] { devices() + answers() + questions() + freezes() + codes() }

    private func devices() -> [String] {
        let enrolled = keys(of: "approval_device.enrolled")
        let removed = keys(of: "approval_device.removed")
        return tables.devices.flatMap { id, device in
            demand(1, enrolled, device.publicKey, "approver \(id): entries of its enrolment")
                + demand(device.isRemoved ? 1 : 0, removed, device.publicKey, "approver \(id): entries of its removal")
        } + (enrolled.count == tables.devices.count ? [] : ["\(enrolled.count) enrolments of approvers are logged"])
    }

    private func answers() -> [String] {
        let types = ["allow": "approval.given", "deny": "approval.denied"]
        let given = types.values.reduce(0) { $0 + keys(of: $1).count }
        return tables.answers.flatMap { answer -> [String] in
            guard entries.indices.contains(Int(answer.entry)),
                case let entry = entries[Int(answer.entry)], entry.type == types[answer.decision],
                key(of: entry) == tables.devices[answer.device]?.publicKey
            else { return ["the answer to \(answer.question) has no entry of its own at \(answer.entry)"] }
            return []
        } + (given == tables.answers.count ? [] : ["\(given) answers are logged, not \(tables.answers.count)"])
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

    /// Ten at once, for as many as make some: the load uses none.
    private func codes() -> [String] {
        let made = count("approval_recovery.codes_made")
        return tables.codes.filter { $0.value.count != 10 || Set($0.value).count != 1 }.map { account, codes in
            "account \(account) has \(codes.count) recovery codes, made \(Set(codes).count) times"
        } + (made < tables.codes.count ? ["\(made) entries of codes for \(tables.codes.count) accounts"] : [])
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
