import ArgumentParser
import Encodings
import Vault
import Wallet

/// `countersign wallet vault give`.
struct VaultGiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give", abstract: "Put files into the inbox of somebody whose caretaker you are.",
        discussion: """
            Somebody makes you a caretaker on the page of their vault. Then you put files into their inbox, sealed for them \
            alone: you cannot open them again, and see nothing of what is there. They take the files into their vault, or \
            the server removes them after 30 days.

              countersign wallet vault share
              countersign wallet vault give ada letter.pdf photo.jpg

            The first time you compare the fingerprint of their device with what they see. A file that is cut off is not \
            there: give it again.
            """)

    @Argument(
        help: """
            Whose inbox: their username, their name as 'countersign wallet vault share' lists it, or the number that it has \
            there.
            """)
    var person: String
    @Argument(help: "Files of this machine.", completion: .file()) var files: [String]
    @Option(
        help:
            "A fingerprint of theirs, from themselves: with another one nothing is done. It is compared without asking."
    )
    var fingerprint: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        // One that cannot be read stops it before anything is sent.
        let sources = try files.map { try FileSource($0) }
        let (client, vault, _) = try await options.open()
        let sharing = try await client.sharing(vault)
        let shared = try await sharing.inbox(of: person)
        let (expected, yes) = (fingerprint.map(VaultPrint.normalised), confirmation.yes)
        let inbox = try await sharing.openInbox(shared) { device in
            try VaultComparing.isThem(device, expected: expected, yes: yes)
        }
        let owner = Bytes(text: inbox.owner.name).shown
        var given: [JSON] = []
        for source in sources {
            let name = VaultNames.name(ofFile: source.name)
            let id = try await give(source, name, to: inbox, sharing)
            given.append(
                .members([
                    ("id", .text(id.text)), ("name", .string(name.bytes)),
                    ("size", .integer(Int64(clamping: source.size))),
                ]))
            guard !options.output.json else { continue }
            let size = VaultSizes.words(source.size)
            Output.line("\(name.bytes.shown)  \(size), sealed for \(owner) and in their inbox")
        }
        guard options.output.json else { return }
        Output.print(
            .members([
                ("account", .text(inbox.owner.account)), ("items", .array(given)), ("name", .text(inbox.owner.name)),
            ]))
    }

    private func give(
        _ source: FileSource, _ name: NodeName, to inbox: ReceivedInbox, _ sharing: VaultSharing
    ) async throws -> NodeID {
        let bar = VaultProgressBar(name.bytes.shown, options.output)
        defer { bar.finish() }
        let description = FileDescription(name: name, mediaType: VaultMediaTypes.type(of: name))
        return try await sharing.give(source, description, to: inbox, bar.progress)
    }
}
