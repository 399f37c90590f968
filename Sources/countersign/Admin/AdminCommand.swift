import ArgumentParser

/// `countersign wallet admin`.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Invite, certify, check face to face, sign, revoke.",
        discussion: """
            From invitation to the first signed document:

              countersign wallet admin invite administrator               # the main administrator
              countersign wallet admin administrators request             # the administrator, from their wallet
              countersign wallet admin administrators certify ID          # the main administrator
              countersign wallet admin check CODE --paper passport --field given_name=Ada --field family_name=Lovelace
              countersign wallet admin accept REQUEST
              countersign wallet admin issue REQUEST --document transcript.pdf --fields transcript.json
            """,
        subcommands: [
            InviteCommand.self, InvitationsCommand.self, MembersCommand.self, AdministratorsCommand.self,
            DelegateCommand.self, RenewCommand.self, CheckCommand.self, AdminRequestsCommand.self, AcceptCommand.self,
            AssignCommand.self, DeclineCommand.self, IssueCommand.self, IssuedCommand.self, RevokeCommand.self,
            EraseCommand.self, BlockCommand.self, UnblockCommand.self, LogPolicyCommand.self,
            FaceCommand.self, ClientFieldsCommand.self, FeedbackCommand.self,
        ])
}
