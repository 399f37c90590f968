import ArgumentParser
import Interface
import Wallet

/// `countersign wallet admin erase`.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a person's account for ever: the main administrator.",
        discussion: """
            For a person who stands before you and asks to be forgotten. Name, username, devices, passkeys, sessions, \
            requests, sealed documents and links go, and what opens the log's entries about the person. Their \
            documents are revoked, unless they want them to stay valid for those who have them: then nobody can \
            revoke them any more. Backups keep the person until they are rotated.

              countersign wallet admin erase stella
              countersign wallet admin erase stella --keep-documents-valid
            """)

    @Argument(help: "The username.") var username: String
    @Flag(help: "Do not revoke the documents that were issued to the person.") var keepDocumentsValid = false
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        guard let account = try await client.members().first(where: { $0.username == username }) else {
            throw CommandError("there is no account '\(username)'", isRefusal: true)
        }
        let documents = try await client.documents(issued: true).count { $0.holder.id == account.id }
        if !options.output.json {
            Terminal.note(
                """
                \(account.name) (\(account.username)), \(account.role.rawValue) since \(Output.time(account.created)):
                  the account, its devices, passkeys, sessions, requests and links
                  \(documents) sealed documents, which \(keepDocumentsValid ? "stay valid elsewhere" : "are revoked")
                  what opens the log's entries about this person
                """)
        }
        try Terminal.confirm("Erase \(account.username) for ever?", yes: confirmation.yes)
        let act = try await client.erase(account, keepsDocuments: keepDocumentsValid)
        try report(act, "Erased.", options.output)
    }
}
