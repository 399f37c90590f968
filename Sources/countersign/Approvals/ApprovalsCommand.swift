import ArgumentParser

/// `countersign approvals`.
struct ApprovalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals", abstract: "Check what people have approved.",
        discussion: "  countersign approvals check transfer.approval --trust bank.example=KEY",
        subcommands: [ApprovalsCheckCommand.self])
}
