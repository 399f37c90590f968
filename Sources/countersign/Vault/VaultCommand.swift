import ArgumentParser

/// `countersign wallet vault`.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Your vault: files and notes that the server cannot read.",
        discussion: """
            The first time, either make a vault, or have this wallet open the one that you have:

              countersign wallet vault make --recovery-out paper.txt
              countersign wallet vault slots add --recovery

            Then it opens with the wallet's passphrase. Paths are those of the vault; in them, '*', '?' and '[a-z]' stand
            for other characters. Put quotation marks around such a path, or your shell takes it for files of yours.

              countersign wallet vault put passport.pdf --to Papers
              countersign wallet vault ls 'Papers/*.pdf'
              countersign wallet vault get Papers/passport.pdf -o - | less
              tar c photos | countersign wallet vault put - --to photos.tar
            """,
        groupedSubcommands: [
            CommandGroup(name: "Opening", subcommands: [VaultMakeCommand.self, VaultSlotsCommand.self]),
            CommandGroup(
                name: "Files and notes",
                subcommands: [
                    VaultListCommand.self, VaultPutCommand.self, VaultGetCommand.self, VaultNoteCommand.self,
                    VaultMakeFolderCommand.self, VaultMoveCommand.self, VaultRemoveCommand.self,
                    VaultRestoreCommand.self, VaultLockCommand.self,
                ]),
            CommandGroup(
                name: "Other people",
                subcommands: [
                    VaultShareCommand.self, VaultGiveCommand.self, VaultInboxCommand.self, VaultContactsCommand.self,
                ]),
            CommandGroup(
                name: "Out and in",
                subcommands: [
                    VaultExportCommand.self, VaultImportCommand.self, VaultSealCommand.self, VaultOpenCommand.self,
                ]),
        ])
}
