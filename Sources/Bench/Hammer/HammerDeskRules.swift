import Encodings

/// The rules that the desk's tables, its sealed documents and the log must meet together: see ``HammerRules``.
struct HammerDeskRules {
    private let desk: HammerDeskTables
    private let entries: [Int64: HammerTables.Entry]
    /// Sizes by name.
    private let blobs: [String: Int64]

    init(tables: HammerTables, blobs: [String: Int64]) {
        desk = tables.desk
        entries = Dictionary(tables.entries.map { ($0.position, $0) }) { first, _ in first }
        self.blobs = blobs
    }

    /// Everything that is there in part, in words.
    func halves() -> [String] { clients() + acts() + signings() + texts() + blocks() }

    private func clients() -> [String] {
        let templates = Dictionary(grouping: desk.acts) { $0.client }
        let erased = desk.clients.filter(\.isErased)
        let found = desk.clients.flatMap { client -> [String] in
            let (acts, name) = (templates[client.id] ?? [], "client \(client.id)")
            let template = desk.templates[client.id]
            if client.isErased {
                let isGone = template == nil && acts.isEmpty && !client.hasDetails
                return isGone ? [] : ["\(name) was erased in part"]
            }
            let enrolments = acts.filter { $0.kind == "enrolled" || $0.kind == "reenrolled" }
            return (client.hasDetails ? [] : ["\(name) has no details"])
                + (acts.count { $0.kind == "enrolled" } == 1 ? [] : ["\(name) was not enrolled once"])
                + (enrolments.last?.template == template ? [] : ["\(name) has another template than was enrolled last"])
        }
        return found + demand(desk.clients.count, "client.enrolled", for: "clients")
            + demand(erased.count, "client.erased", for: "erased clients")
    }

    /// The types of entries by the kinds of acts.
    private static let types = [
        "enrolled": "client.enrolled", "reenrolled": "client.enrolled_anew", "renamed": "client.changed",
        "second_sitting": "client.second_sitting", "fields_changed": "client.changed",
    ]

    private func acts() -> [String] {
        let kept = entries.values.filter { Self.types.values.contains($0.type) && !$0.record.isEmpty }
        let found = desk.acts.filter { entries[$0.entry]?.type != Self.types[$0.kind] }.map {
            "\($0.kind) of client \($0.client) has no such entry at \($0.entry)"
        }
        return found
            + (kept.count == desk.acts.count ? [] : ["\(kept.count) entries about clients for \(desk.acts.count) acts"])
    }

    private func signings() -> [String] {
        let erased = Set(desk.clients.filter(\.isErased).map(\.id))
        let found = desk.signings.flatMap { signing -> [String] in
            let name = "transaction \(signing.id)"
            let type = signing.entry.flatMap { entries[$0]?.type }
            if erased.contains(signing.client) {
                let isGone = !signing.hasEvidence && !signing.hasDecision && signing.state != "pending"
                return isGone ? [] : ["\(name) is of an erased client and was forgotten in part"]
            }
            let file = desk.files[signing.digest]
            let kept = file.map { blobs[$0] != nil } == true && signing.hasEvidence
            let part = kept ? [] : ["\(name): its document or evidence is gone"]
            guard signing.state != "pending" else {
                let isOpen = signing.entry == nil && !signing.hasDecision
                return part + (isOpen ? [] : ["\(name) is decided in part"])
            }
            let isDecided = signing.hasDecision && type == "signing.\(signing.state)" && subject(signing) == signing.id
            return part + (isDecided ? [] : ["\(name) is \(signing.state) without a record and an entry of its own"])
        }
        return found
            + ["confirmed", "refused"].flatMap { state -> [String] in
                let decided = desk.signings.filter { $0.state == state && $0.entry != nil }
                return demand(decided.count, "signing.\(state)", for: "\(state) transactions")
            }
    }

    /// Which transaction the entry of a decision is about.
    private func subject(_ signing: HammerDeskTables.Signing) -> String? {
        let record = signing.entry.flatMap { entries[$0] }.flatMap { try? JSON.parse(Bytes(text: $0.record)) }
        return record?["transaction"]?.string.map { String(decoding: $0, as: UTF8.self) }
    }

    private func texts() -> [String] {
        demand(desk.texts.count { $0.isDeleted }, "workspace.deleted", for: "deleted texts")
            + demand(desk.texts.reduce(0) { $0 + Int($1.version) }, "workspace.changed", for: "versions of texts")
    }

    private func blocks() -> [String] {
        let kept = count("operator.blocked") - count("operator.unblocked")
        return kept == desk.blocked.count ? [] : ["\(kept) accounts are kept out in the log, not \(desk.blocked.count)"]
    }

    private func count(_ type: String) -> Int { entries.values.count { $0.type == type } }

    private func demand(_ expected: Int, _ type: String, for words: String) -> [String] {
        let found = count(type)
        return found == expected ? [] : ["\(found) entries \(type) for \(expected) \(words)"]
    }
}
