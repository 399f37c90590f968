import Encodings
import Interface
import Wallet

// With whom a folder is shared.
extension VaultShareCommand {
    /// Shares a folder, after the person has seen with whom.
    func admit(_ username: String, to item: VaultItem, _ sharing: VaultSharing) async throws {
        let person = try await sharing.find(username)
        let name = Bytes(text: person.name).shown
        let prints = person.devices.map(\.print)
        let may = write ? "see and change" : "see"
        try VaultComparing.isMeant(
            person, "Let \(name) \(may) everything in \(item.path.shown), with the earlier states of files?",
            expected: fingerprint, yes: confirmation.yes)
        let role: VaultRole = write ? .writer : .reader
        let id = try await sharing.share(item.id, with: person, as: role)
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("account", .text(person.account)), ("id", .text(id.text)), ("name", .text(person.name)),
                    ("path", .string(item.path)), ("prints", .array(prints.map { .text($0) })),
                    ("role", .text(role.rawValue)),
                ]))
        }
        Output.line("\(name) can open \(item.path.shown) from now on, and \(role.words).")
    }

    /// Ends a membership, after the person has seen whose.
    func dismiss(_ username: String, from item: VaultItem, _ sharing: VaultSharing) async throws {
        let members = try await sharing.members(of: item.id).map(\.known)
        let member = try await sharing.member(username, among: members)
        let name = Bytes(text: member.name).shown
        let question =
            newKey
            ? "End it for \(name), and give the folder another key? What they have saved stays with them."
            : "End it for \(name)? What they have saved stays with them, and they may have kept the key."
        try Terminal.confirm(question, yes: confirmation.yes)
        try await sharing.end(item.id, member.account)
        if newKey {
            Terminal.note("The server gives \(name) nothing more of \(item.path.shown).")
            return try await exchangeKey(of: item, sharing, ended: member)
        }
        guard !options.output.json else {
            return Output.print(
                .members([("account", .text(member.account)), ("name", .text(member.name)), ("ok", .bool(true))]))
        }
        Output.line("The server gives \(name) nothing more of \(item.path.shown).")
    }

    /// Shows who uses a folder.
    func show(membersOf item: VaultItem, _ vault: OpenVault, _ sharing: VaultSharing) async throws {
        let share = await vault.share(item.id)
        if let share, let owner = share.ownerName {
            guard !options.output.json else {
                return Output.print(
                    .members([
                        ("by", .text(owner)), ("items", .array([])), ("path", .string(item.path)),
                        ("role", .text(share.role?.rawValue ?? "")),
                    ]))
            }
            return Output.line(
                "\(Bytes(text: owner).shown) shares \(item.path.shown) with you: \(share.role?.wordsForYou ?? "").")
        }
        let members = try await share == nil ? [] : sharing.members(of: item.id)
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("between_keys", .bool(share?.isBetweenKeys ?? false)), ("items", .array(members.map(\.json))),
                    ("path", .string(item.path)),
                ]))
        }
        if share?.isBetweenKeys == true {
            let path = item.path.shown
            Terminal.note(
                "An exchange of keys was cut off. Finish it with 'countersign wallet vault share \(path) --new-key'.")
        }
        guard !members.isEmpty else {
            let path = item.path.shown
            return Output.line(
                "\(path) is shared with nobody. Share it with 'countersign wallet vault share \(path) --with USERNAME'."
            )
        }
        Output.table(["NAME", "MAY", "SINCE", "ID", ""], members.map(\.row))
    }
}

extension VaultSharing.Member {
    /// All that is known, for programs.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("account", .text(known.account)), ("created", .integer(known.created)), ("name", .text(known.name)),
            ("role", .text(known.role.rawValue)),
        ]
        if let isAdmitted { members.append(("admitted", .bool(isAdmitted))) }
        return .members(members)
    }

    /// A row of a table.
    fileprivate var row: [String] {
        [
            Bytes(text: known.name).shown, known.role.words, Output.time(known.created), known.account,
            isAdmitted == false ? "your vault does not know them" : "",
        ]
    }
}

extension VaultRole {
    /// What somebody may.
    var words: String {
        switch self {
        case .reader: "may look"
        case .writer: "may look and change"
        case .caretaker: "may put things in"
        }
    }

    /// What the person themselves may.
    var wordsForYou: String { "you \(words)" }
}
