import Encodings
import Interface
import Wallet

// Another key for a folder that is shared.
extension VaultShareCommand {
    /// Gives a folder another key, after the person has said yes, and shows who has got it.
    ///
    /// - Parameter ended: whose membership was ended before that; then the person has said yes already.
    func exchangeKey(of item: VaultItem, _ sharing: VaultSharing, ended: VaultMember? = nil) async throws {
        let path = item.path.shown
        if ended == nil {
            Terminal.note(
                "Those whom you have admitted get the new key, on the devices that they had then. What former members "
                    + "have saved stays with them.")
            try Terminal.confirm("Give \(path) another key?", yes: confirmation.yes)
        }
        let yes = confirmation.yes
        let done = try await sharing.exchangeKey(item.id) { people in Self.areThem(people, path, yes: yes) }
        guard !options.output.json else {
            var members: [(String, JSON)] = [
                ("given", .array(done.given.map(\.named))), ("id", .text(item.id.text)),
                ("left", .array(done.left.map(\.named))), ("path", .string(item.path)),
            ]
            if let ended { members.append(("ended", ended.named)) }
            return Output.print(.members(members))
        }
        Output.line("\(path) has another key. \(Self.words(done.given))")
        guard !done.left.isEmpty else { return }
        Output.line(
            "It was not given to \(Self.names(done.left)): your vault does not know their keys, or they have none now. "
                + "Share the folder with them again, with --with.")
    }

    /// Asks whether people get the key whom the vault cannot remember.
    ///
    /// Nobody gets it unseen: with `--yes`, and where nobody can answer, it is a no.
    private static func areThem(_ people: [VaultPerson], _ path: String, yes: Bool) -> Bool {
        guard !yes, Terminal.canAsk else { return false }
        Terminal.note("Your vault does not remember with whom you share \(path). The server names these people:")
        for person in people {
            Terminal.note(Bytes(text: person.name).shown)
            for device in person.devices { Terminal.note("  \(device.print)") }
        }
        Terminal.note("Compare this with what they see with 'countersign wallet vault share'.")
        return Terminal.agrees("Give them the new key?")
    }

    private static func words(_ given: [VaultMember]) -> String {
        given.isEmpty ? "Nobody else has it." : "\(names(given)) got it; they take it with 'share --take'."
    }

    private static func names(_ members: [VaultMember]) -> String {
        members.map { Bytes(text: $0.name).shown }.joined(separator: ", ")
    }
}

extension VaultMember {
    /// Who it is, for programs.
    fileprivate var named: JSON { .members([("account", .text(account)), ("name", .text(name))]) }
}
