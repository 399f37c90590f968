import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet vault contacts`.
struct VaultContactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "Who may open your vault in an emergency, and whose contact you are.",
        discussion: """
            An emergency contact can ask for your vault. You are told, and have a number of days to say no. Then they can \
            read everything in it, and change nothing. You can still say no later.

              countersign wallet vault contacts
              countersign wallet vault contacts name ada --wait 7
              countersign wallet vault contacts refuse
              countersign wallet vault contacts remove ada
              countersign wallet vault contacts ask 'Ada Adams'

            As a contact, you read the vault of somebody on the page.
            """,
        subcommands: [
            VaultContactsListCommand.self, VaultContactsNameCommand.self, VaultContactsRefuseCommand.self,
            VaultContactsRemoveCommand.self, VaultContactsAskCommand.self,
        ], defaultSubcommand: VaultContactsListCommand.self)
}

/// `countersign wallet vault contacts list`.
struct VaultContactsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your emergency contacts, and whose contact you are.",
        discussion: "  countersign wallet vault contacts --json")

    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let (own, others) = (try await client.contacts(vault), try await client.contactOf())
        guard !options.output.json else {
            return Output.print(
                .members([("items", .array(own.map(\.json))), ("vaults", .array(others.map(\.json)))]))
        }
        if own.isEmpty {
            Output.line(
                "You have no emergency contact. Name one with 'countersign wallet vault contacts name USERNAME'.")
        } else {
            Output.table(["CONTACT", "TIME TO SAY NO", "STATE", "ID"], own.map(\.row))
        }
        guard !others.isEmpty else { return }
        Output.line()
        Output.table(["VAULT OF", "TIME TO SAY NO", "STATE", "ID"], others.map(\.row))
    }
}

/// `countersign wallet vault contacts name`.
struct VaultContactsNameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Name an emergency contact.",
        discussion: """
            Compare their fingerprints with them first.

              countersign wallet vault contacts name ada
              countersign wallet vault contacts name ada --wait 14
            """)

    @Argument(help: "Their username.") var username: String
    @Option(help: "For how many days you can say no after they have asked, 1 to 30.") var wait = 7
    @Option(help: "A fingerprint of theirs, from themselves: with another one nothing is done. It asks nothing then.")
    var fingerprint: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard 1...30 ~= wait else { throw ValidationError("--wait is 1 to 30 days.") }
    }

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let person = try await client.sharing(vault).find(username)
        let name = Bytes(text: person.name).shown
        try VaultComparing.isMeant(
            person,
            "If you say nothing for \(VaultWait.words(wait)) after they ask, let \(name) read your whole vault?",
            expected: fingerprint, yes: confirmation.yes)
        let act = try await client.nameContact(person, wait: Int64(wait) * VaultWait.day, in: vault)
        try report(act, "\(name) is your emergency contact.", options.output)
    }
}

/// `countersign wallet vault contacts refuse`.
struct VaultContactsRefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Say no to a contact who has asked for your vault.",
        discussion: """
            Your vault need not open for it. They can ask again, and you are told again. After the time is over it ends their \
            reading; they may have saved copies.

              countersign wallet vault contacts refuse
              countersign wallet vault contacts refuse ID
            """)

    @Argument(help: "The contact's id. Default: the one who has asked.") var id: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let asked = try await client.vault().slots.filter { $0.asked != nil && (id == nil || $0.id == id) }
        guard let slot = asked.first else {
            throw CommandError("no such contact has asked for your vault", isRefusal: true)
        }
        guard asked.count == 1 else {
            throw CommandError(
                "\(asked.count) contacts have asked. Give the id of one: \(asked.map(\.id).joined(separator: ", "))")
        }
        try report(try await client.refuseContact(slot.id), "Your vault stays closed to them.", options.output)
    }
}

/// `countersign wallet vault contacts remove`.
struct VaultContactsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an emergency contact.",
        discussion: """
            They can no longer ask for your vault, nor read it.

              countersign wallet vault contacts remove 'Ada Adams'
            """)

    @Argument(help: "Their name as the list shows it, or the contact's id.") var contact: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let found = try await client.contacts(vault).filter { $0.slot.id == contact || $0.name == contact }
        guard let one = found.first else {
            throw CommandError("\(Bytes(text: contact).shown) is no emergency contact of yours", isRefusal: true)
        }
        guard found.count == 1 else {
            throw CommandError(
                "\(found.count) contacts have this name. Give an id: \(found.map(\.slot.id).joined(separator: ", "))")
        }
        try Terminal.confirm("Remove \(one.shown) as an emergency contact?", yes: confirmation.yes)
        try report(try await client.removeSlot(one.slot.id), "Removed.", options.output)
    }
}

/// `countersign wallet vault contacts ask`.
struct VaultContactsAskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask for the vault of somebody whose emergency contact you are.",
        discussion: """
            They are told at once, and have their time to say no. The log keeps that you asked. You need no vault for it.

              countersign wallet vault contacts ask 'Ada Adams'
            """)

    @Argument(help: "Their name as the list shows it, or the id there.") var owner: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let found = try await client.contactOf().filter {
            $0.slot == owner || $0.ownerName == owner || $0.owner == owner
        }
        guard let one = found.first else {
            throw CommandError("you are no emergency contact of \(Bytes(text: owner).shown)", isRefusal: true)
        }
        guard found.count == 1 else {
            throw CommandError("several have this name. Give an id: \(found.map(\.slot).joined(separator: ", "))")
        }
        let name = Bytes(text: one.ownerName).shown
        try Terminal.confirm("Ask for the vault of \(name)? They are told at once.", yes: confirmation.yes)
        try report(
            try await client.askForVault(one), "\(name) has \(VaultWait.words(one.wait)) to say no.", options.output)
    }
}

/// How long an owner may say no.
enum VaultWait {
    /// Seconds of a day.
    static let day: Int64 = 86_400

    /// A number of days, in words.
    static func words(_ days: Int) -> String { days == 1 ? "1 day" : "\(days) days" }

    /// A number of seconds, in words.
    static func words(_ seconds: Int64) -> String { words(Int((seconds + day / 2) / day)) }

    /// How far it is with a contact.
    static func state(asked: Int64?, wait: Int64) -> String {
        asked.map { "asked on \(Output.time($0)), opens on \(Output.time($0 + wait))" } ?? ""
    }
}

extension VaultContact {
    /// Their name, for a person.
    fileprivate var shown: String { name.map { Bytes(text: $0).shown } ?? "somebody" }

    /// A row of a table.
    fileprivate var row: [String] {
        let wait = slot.wait ?? 0
        return [shown, VaultWait.words(wait), VaultWait.state(asked: slot.asked, wait: wait), slot.id]
    }

    /// All that is known, for programs.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("created", .integer(slot.created)), ("id", .text(slot.id)), ("wait", .integer(slot.wait ?? 0)),
        ]
        if let contact = slot.contact { members.append(("account", .text(contact))) }
        if let name { members.append(("name", .text(name))) }
        if let asked = slot.asked { members.append(("asked", .integer(asked))) }
        return .members(members)
    }
}

extension VaultContactSlot {
    /// A row of a table.
    fileprivate var row: [String] {
        [
            Bytes(text: ownerName).shown, VaultWait.words(wait),
            sealed == nil ? VaultWait.state(asked: asked, wait: wait) : "open to you, on the page", slot,
        ]
    }

    /// All that is known, for programs; what is sealed is not.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("id", .text(slot)), ("name", .text(ownerName)), ("open", .bool(sealed != nil)), ("owner", .text(owner)),
            ("wait", .integer(wait)),
        ]
        if let asked { members.append(("asked", .integer(asked))) }
        return .members(members)
    }
}
