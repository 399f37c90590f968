import ArgumentParser

/// `countersign wallet`: one person's keys and everything done with them.
struct WalletCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Keys and documents of one person.",
        discussion: """
            A wallet is one file, locked with a passphrase. Two wrong passphrases in a row end the session.

            A student, from nothing to a degree that an employer can check:

              countersign wallet sign-up --server https://sign.example.edu --username ada --name 'Ada Lovelace'
              countersign wallet enrol                      # at the desk, face to face
              countersign wallet request transcript --note 'For an application'
              countersign wallet documents
              countersign wallet present ID --to hr@example.com --show given_name --show degree --out ada.countersign
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Joining",
                subcommands: [
                    SetUpCommand.self, RecoverCommand.self, JoinCommand.self, SignUpCommand.self, SignInCommand.self,
                    SignOutCommand.self,
                    StatusCommand.self, TrustCommand.self, DevicesCommand.self, SessionsCommand.self,
                    NotificationsCommand.self,
                ]),
            CommandGroup(
                name: "Documents",
                subcommands: [
                    EnrolCommand.self, CatalogueCommand.self, RequestCommand.self, RequestsCommand.self,
                    CancelRequestCommand.self, DocumentsCommand.self, OpenCommand.self, PresentCommand.self,
                    ShareCommand.self, SharesCommand.self, DeleteCommand.self, WalletLogCommand.self,
                ]),
            CommandGroup(name: "Vault", subcommands: [VaultCommand.self]),
            CommandGroup(
                name: "Approvals",
                subcommands: [ChallengesCommand.self, AnswerCommand.self, OwnServicesCommand.self]),
            CommandGroup(
                name: "Signing in with a scan",
                subcommands: [
                    WalletScanCommand.self, PicoAccountsCommand.self, PicoBackupCommand.self, PicoRestoreCommand.self,
                ]),
            CommandGroup(name: "Administration", subcommands: [AdminCommand.self]),
        ])
}
