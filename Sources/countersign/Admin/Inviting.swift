import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin invite`.
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite an administrator or operator.",
        discussion: """
            The code works once and is shown once. Hand it over yourself, or send its halves by two ways.

              countersign wallet admin invite administrator --hours 48 --for "Grace Hopper"
            """)

    @Argument(help: "administrator or operator.") var role: Role
    @Option(help: "For how many hours it can be used, 1 to 720.") var hours = 48
    @Option(name: .customLong("for"), help: "Whom it is for, at most 200 characters; the list of invitations shows it.")
    var recipient: String?
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard role == .administrator || role == .operator else {
            throw ValidationError("you can invite administrators and operators; members sign up themselves")
        }
        guard (1...720).contains(hours) else { throw ValidationError("--hours is 1 to 720") }
        guard (recipient ?? "").unicodeScalars.count <= 200 else {
            throw ValidationError("--for has at most 200 characters")
        }
    }

    func run() async throws {
        let invitation = try await options.unlock().invite(
            role, lifetime: Int64(hours) * 3_600, recipient: recipient)
        guard !options.output.json else { return try Output.print(value: invitation) }
        if let link = invitation.link {
            QRPicture.show(link)
            Output.line("link: \(link)")
        }
        Output.line("code: \(Terminal.styled(invitation.code ?? "", .strong))")
        if let recipient = invitation.recipient { Output.line("for: \(Bytes(text: recipient).shown)") }
        Output.line("Shown this once; works once, until \(Output.time(invitation.expires)).")
        Output.line("The person who gets it runs 'countersign wallet join --server SERVER --invitation CODE'.")
    }
}

/// `countersign wallet admin invitations`.
struct InvitationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations", abstract: "Invitations, or withdraw one.",
        discussion: """
              countersign wallet admin invitations
              countersign wallet admin invitations --withdraw ID
            """)

    @Option(help: "Withdraw the invitation with this id.") var withdraw: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if let withdraw {
            try await client.withdrawInvitation(withdraw)
            guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
            return Output.line("Withdrawn.")
        }
        let invitations = try await client.invitations()
        guard !options.output.json else { return try Output.print(items: invitations) }
        guard !invitations.isEmpty else {
            return Output.line("No invitations. Make one with 'countersign wallet admin invite administrator'.")
        }
        Output.table(
            ["ID", "ROLE", "FOR", "MADE", "UNTIL", ""],
            invitations.map { invitation in
                [
                    invitation.id, invitation.role.rawValue, Bytes(text: invitation.recipient ?? "").shown,
                    Output.time(invitation.created), Output.time(invitation.expires),
                    invitation.used.map { "used \(Output.time($0))" } ?? "",
                ]
            })
    }
}

/// `countersign wallet admin members`.
struct MembersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "All accounts.", discussion: "  countersign wallet admin members --json")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let members = try await options.unlock().members()
        guard !options.output.json else { return try Output.print(items: members) }
        Output.table(
            ["ID", "USERNAME", "NAME", "ROLE", "CHECKED", "SINCE"],
            members.map {
                [
                    $0.id, $0.username, $0.name, $0.role.rawValue,
                    $0.isVerified ? "yes" : $0.role == .member ? "no" : "-", Output.time($0.created),
                ]
            })
    }
}
