import ArgumentParser
import Encodings
import Interface
import Vault
import Wallet

/// `countersign wallet vault inbox`.
struct VaultInboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "What your caretakers have put in, and who they are.",
        discussion: """
            A caretaker puts files into your inbox, sealed for you alone, and sees nothing of your vault. The server removes \
            after 30 days what you do not take.

              countersign wallet vault inbox
              countersign wallet vault inbox take 1 --to Papers
              countersign wallet vault inbox discard 2
              countersign wallet vault inbox admit ada
              countersign wallet vault inbox end ada
            """,
        subcommands: [
            VaultInboxListCommand.self, VaultInboxTakeCommand.self, VaultInboxDiscardCommand.self,
            VaultInboxAdmitCommand.self, VaultInboxEndCommand.self,
        ], defaultSubcommand: VaultInboxListCommand.self)
}

/// `countersign wallet vault inbox list`.
struct VaultInboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What is in your inbox, and who may put things in.",
        discussion: "  countersign wallet vault inbox --json")

    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        let (drops, caretakers) = (try await sharing.drops(), try await sharing.caretakers())
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("caretakers", .array(caretakers.map(\.caretakerJSON))), ("items", .array(drops.map(\.json))),
                ]))
        }
        if drops.isEmpty {
            Output.line("Your inbox is empty.")
        } else {
            Output.table(
                ["NUMBER", "SIZE", "SINCE", "REMOVED ON", "FROM", "NAME", "ID"],
                drops.enumerated().map { ["\($0 + 1)"] + $1.row })
        }
        guard !caretakers.isEmpty else {
            return Output.line(
                "Nobody may put things in. Let somebody with 'countersign wallet vault inbox admit USERNAME'.")
        }
        Output.line()
        Output.table(
            ["CARETAKER", "SINCE", "ID"],
            caretakers.map { [Bytes(text: $0.name).shown, Output.time($0.created), $0.account] })
    }
}

/// `countersign wallet vault inbox take`.
struct VaultInboxTakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Take files out of your inbox, into your vault.",
        discussion: """
            Nothing is sealed or sent again. If it is cut off, give the same command again.

              countersign wallet vault inbox take 1 2 --to Papers
              countersign wallet vault inbox take 1 --to 'Papers/scan of May.pdf'
            """)

    @Argument(help: "The number that 'countersign wallet vault inbox' lists it at, or its id.") var drops: [String]
    @Option(help: "A folder of the vault, or with one file also its new name there. Default: the top.")
    var to: String?
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        var items: [VaultItem] = []
        let found = try await sharing.drops().named(drops)
        for drop in found {
            guard let own = drop.name else {
                throw CommandError("\(drop.known.id) does not open. Discard it", isRefusal: true)
            }
            let (folder, name) =
                found.count == 1
                ? try await vault.destination(to, named: own) : (try await vault.folder(to ?? ""), own)
            let id = try await sharing.take(drop, into: folder, as: name)
            if let item = await vault.item(id) { items.append(item) }
        }
        items.report("is in your vault", options.output)
    }
}

/// `countersign wallet vault inbox discard`.
struct VaultInboxDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Destroy what is in your inbox.",
        discussion: """
            It is destroyed at once, and nobody can bring it back.

              countersign wallet vault inbox discard 2
            """)

    @Argument(help: "The number that 'countersign wallet vault inbox' lists it at, or its id.") var drops: [String]
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        let found = try await sharing.drops().named(drops)
        let names = found.map { $0.name?.bytes.shown ?? $0.known.id }.joined(separator: ", ")
        try Terminal.confirm("Destroy \(names)? Nobody can bring it back.", yes: confirmation.yes)
        for drop in found { try await sharing.discard(drop) }
        guard options.output.json else { return Output.line("Destroyed: \(names)") }
        Output.print(.members([("items", .array(found.map(\.json))), ("ok", .bool(true))]))
    }
}

/// `countersign wallet vault inbox admit`.
struct VaultInboxAdmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit", abstract: "Let somebody put files into your inbox.",
        discussion: """
            They see nothing of your vault, and nothing of what is in your inbox. Compare their fingerprints with them first.

              countersign wallet vault inbox admit ada
            """)

    @Argument(help: "Their username.") var username: String
    @Option(help: "A fingerprint of theirs, from themselves: with another one nothing is done. It asks nothing then.")
    var fingerprint: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        let person = try await sharing.find(username)
        let name = Bytes(text: person.name).shown
        try VaultComparing.isMeant(
            person, "Let \(name) put files into your inbox?", expected: fingerprint, yes: confirmation.yes)
        try await sharing.addCaretaker(person)
        guard options.output.json else {
            return Output.line("\(name) can put files into your inbox from now on, and sees nothing.")
        }
        Output.print(person.json)
    }
}

/// `countersign wallet vault inbox end`.
struct VaultInboxEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End that somebody may put files into your inbox.",
        discussion: """
            What is there stays.

              countersign wallet vault inbox end ada
            """)

    @Argument(help: "Their username, their name, or the id of their account.") var person: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        let caretaker = try await sharing.member(person, among: try await sharing.caretakers())
        let name = Bytes(text: caretaker.name).shown
        try Terminal.confirm("End it for \(name)? What is in your inbox stays.", yes: confirmation.yes)
        try await sharing.endCaretaker(caretaker)
        guard options.output.json else { return Output.line("\(name) can put nothing more into your inbox.") }
        Output.print(
            .members([("account", .text(caretaker.account)), ("name", .text(caretaker.name)), ("ok", .bool(true))]))
    }
}

extension [ReceivedDrop] {
    /// Those that are named by their numbers, counted from 1, or by their ids.
    fileprivate func named(_ names: [String]) throws -> [ReceivedDrop] {
        try names.map { name in
            guard let place = indices.first(where: { String($0 + 1) == name || self[$0].known.id == name }) else {
                throw CommandError(
                    "there is no \(Bytes(text: name).shown) in your inbox. See 'countersign wallet vault inbox'",
                    isRefusal: true)
            }
            return self[place]
        }
    }
}

extension ReceivedDrop {
    /// A row of a table, without its number.
    fileprivate var row: [String] {
        [
            size.map(VaultSizes.words) ?? "", Output.time(known.created), Output.time(known.expires),
            known.senderName.isEmpty ? "an account that is gone" : Bytes(text: known.senderName).shown,
            name?.bytes.shown ?? "(does not open)", known.id,
        ]
    }

    /// All that is known, for programs.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("created", .integer(known.created)), ("expires", .integer(known.expires)),
            ("from", .text(known.senderName)),
            ("id", .text(known.id)),
        ]
        if let sender = known.sender { members.append(("account", .text(sender))) }
        if let name { members.append(("name", .string(name.bytes))) }
        if let size { members.append(("size", .integer(Int64(clamping: size)))) }
        if let mediaType { members.append(("media_type", .string(mediaType))) }
        return .members(members)
    }
}

extension VaultMember {
    /// A caretaker, for programs.
    fileprivate var caretakerJSON: JSON {
        .members([("account", .text(account)), ("created", .integer(created)), ("name", .text(name))])
    }
}
