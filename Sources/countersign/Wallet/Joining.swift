import ArgumentParser
import Encodings
import Foundation
import Interface
import Wallet

/// What every new wallet is told.
///
/// When the answer does not come, the same command goes on where it broke off.
struct JoiningOptions: ParsableArguments {
    @Option(help: "The server's address.") var server: String
    @Option(help: "A username or e-mail address; asked for when missing.") var username: String?
    @Option(help: "Your name; asked for when missing.") var name: String?
    @Option(help: "Your given name, instead of --name.") var givenName: String?
    @Option(help: "Your family name, or your only name, instead of --name.") var familyName: String?
    @Option(help: "What you call this device. Default: this machine's name.") var device: String?
    @Option(help: "Refuse any organisation whose root certificate has another SHA-256 fingerprint.")
    var rootFingerprint: String?
    @OptionGroup var wallet: WalletOptions

    func place() -> NewWallet {
        NewWallet(
            path: wallet.path, server: server, deviceName: device ?? ProcessInfo.processInfo.hostName,
            rootFingerprint: rootFingerprint)
    }

    /// - Parameter isNamed: false where the account has its name already.
    func person(isNamed: Bool = true) throws -> NewPerson {
        guard !WalletFile(path: wallet.path).exists || isUnfinished else {
            throw WalletError.walletExists(path: wallet.path)
        }
        let username = try username ?? Terminal.ask("Username or e-mail address", orGive: "--username")
        let parts = try nameParts()
        let name = try isNamed ? parts?.whole ?? name ?? Terminal.ask("Your name", orGive: "--name") : ""
        return NewPerson(username: username, name: name, parts: parts, passphrase: try wallet.newPassphrase())
    }

    private func nameParts() throws -> PersonName? {
        guard givenName != nil || familyName != nil else { return nil }
        guard name == nil else { throw CommandError("give --name, or --given-name and --family-name, not both") }
        return PersonName(givenName: givenName ?? "", familyName: familyName ?? "")
    }

    func report(_ joined: JoinedWallet) async throws {
        let organisation = await joined.client.organisationName
        guard !wallet.output.json else {
            return Output.print(
                .members([
                    ("account", .text(joined.account.id)), ("logged", .bool(!joined.acts.isEmpty)),
                    ("organisation", .text(organisation)),
                    ("role", .text(joined.account.role.rawValue)),
                    ("root_fingerprint", .text(joined.rootFingerprint)), ("username", .text(joined.account.username)),
                    ("wallet", .text(wallet.path)),
                ]))
        }
        Output.line("Welcome to \(organisation), \(joined.account.name) (\(joined.account.role.rawValue)).")
        Output.line("Your keys are in \(wallet.path). There is no copy: keep the file and the passphrase.")
        Output.line("This wallet now trusts the root certificate with the fingerprint")
        Output.line("  \(Terminal.styled(joined.rootFingerprint, .strong))")
        Output.line("Compare it with the one that \(organisation) publishes.")
        joined.acts.forEach(Output.act)
        if joined.acts.isEmpty {
            Output.line("It is recorded, but too few witnesses of the log sign just now.")
            Output.line("Look for its receipt in a while, with 'countersign log mine'.")
        }
        Output.line("Next: \(Self.nextStep(joined.account.role))")
    }

    private static func nextStep(_ role: Role) -> String {
        switch role {
        case .owner: "invite an administrator with 'countersign wallet admin invite administrator'."
        case .administrator: "ask to be certified with 'countersign wallet admin administrators request'."
        case .operator: "see what you may do with 'countersign wallet admin --help'."
        case .member: "have an administrator check your identity face to face, with 'countersign wallet enrol'."
        }
    }

    private var isUnfinished: Bool { (try? WalletFile(path: wallet.path).header().account.isEmpty) == true }
}

/// `countersign wallet setup`.
struct SetUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set an organisation up: its first wallet, the main administrator's.",
        discussion: """
            The server prints the one-time code at its first start. The server makes the root certificate, and this \
            wallet makes the main administrator's key.

            The server's public address is in every certificate and document from then on and can never be changed. \
            The command asks once whether it is the right one.

              countersign wallet setup --server http://localhost:8080 --code CODE --organisation 'Example University'
            """)

    @Option(help: "The one-time code that the server printed.") var code: String
    @Option(help: "The organisation's name; asked for when missing.") var organisation: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var joining: JoiningOptions

    func run() async throws {
        try await confirmAddress()
        let organisation = try organisation ?? Terminal.ask("The organisation's name", orGive: "--organisation")
        let joined = try await WalletClient.setUp(
            joining.place(), code: code, organisation: organisation, joining.person())
        try await joining.report(joined)
    }

    /// Says that the address is permanent, and asks once if a person can answer.
    private func confirmAddress() async throws {
        let found = try await ServerClient(address: try ServerAddress(joining.server)).organisation()
        guard !found.isSetUp else { return }
        Terminal.note(
            "\(Bytes(text: found.publicURL).shown) is permanent: it is in every certificate and document, and can never be "
                + "changed. For another address, start the server with --public-url.")
        guard Terminal.canAsk else { return }
        try Terminal.confirm("Set the organisation up with this address?", yes: confirmation.yes)
    }
}

/// `countersign wallet recover`.
struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Come back as the main administrator after losing your keys.",
        discussion: """
            The server's operator prints the code with 'countersign admin owner recover'. The account gets new keys. Its \
            old devices, passkeys, sessions and certificate end, and administrators need new certificates.

              countersign wallet recover --server https://sign.example.edu --code CODE --username rector
            """)

    @Option(help: "The one-time code.") var code: String
    @OptionGroup var joining: JoiningOptions

    func run() async throws {
        let place = joining.place()
        let person = try joining.person(isNamed: false)
        try await joining.report(try await WalletClient.recover(place, code: code, person))
        guard !joining.wallet.output.json else { return }
        Output.line(
            """
            Somebody else may have used your keys. Look for acts that are not yours, and undo them:
              countersign wallet admin log-policy show    if there is one, sign it again with log-policy set: then no old key signs the next
              countersign wallet admin members            accounts that you did not invite
              countersign log mine                        everything that was done in your name
            """)
    }
}

/// `countersign wallet join`.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Take an invitation as administrator or operator.",
        discussion: """
            The person who invited you gave you a code; it works once.

              countersign wallet join --server https://sign.example.edu --invitation CODE --username grace
            """)

    @Option(help: "The invitation's code, its link, or a PNG that shows it as a QR code.") var invitation: String
    @OptionGroup var joining: JoiningOptions

    func run() async throws {
        let given = try CodePicture.text(invitation)
        try await joining.report(
            try await WalletClient.signUp(
                joining.place(), joining.person(),
                invitation: given.split(separator: "#").last.map(String.init) ?? given))
    }
}

/// `countersign wallet sign-up`.
struct SignUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-up", abstract: "Make an account as a member, and a wallet for it.",
        discussion: """
            Choose any name and address. They prove nothing until an administrator has met you: see 'enrol'.

              countersign wallet sign-up --server https://sign.example.edu --username ada --given-name Ada --family-name Lovelace
            """)

    @OptionGroup var joining: JoiningOptions

    func run() async throws {
        try await joining.report(try await WalletClient.signUp(joining.place(), joining.person()))
    }
}
