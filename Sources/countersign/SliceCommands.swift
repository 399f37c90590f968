import ArgumentParser

/// The program's commands, and whose they are: the second list of slices, after `Slice.all` of the server.
///
/// A test demands that every slice has a command here and an act in the hammer.
enum SliceCommands {
    /// A command, and the names of the slices that it is about; none for what is about all of them.
    struct Entry {
        let command: any ParsableCommand.Type
        let slices: Set<String>

        init(_ command: any ParsableCommand.Type, _ slices: Set<String> = []) {
            self.command = command
            self.slices = slices
        }
    }

    /// All, in the order in which help lists them.
    static let all = [
        Entry(ServeCommand.self), Entry(DemoCommand.self),
        Entry(WalletCommand.self, ["accounts", "approvals", "documents", "notifications", "pico", "vault"]),
        Entry(VerifyCommand.self, ["documents"]), Entry(PinCommand.self, ["documents"]),
        Entry(FetchCommand.self, ["documents"]), Entry(ScanCommand.self), Entry(ApprovalsCommand.self),
        Entry(PicoServiceCommand.self),
        Entry(AttackCommand.self, ["approvals"]),
        Entry(LogCommand.self, ["transparency"]), Entry(WitnessCommand.self, ["transparency"]),
        Entry(DeskCommand.self, ["hand-signatures"]), Entry(SignaturesCommand.self, ["hand-signatures"]),
        Entry(OperationsCommand.self, ["approvals"]),
    ]
}
