import Encodings
import Testing

/// Runs our program with somebody's wallet.
struct Hand: Sendable {
    let wallet: String
    let passphrase: String

    func run(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.runAside(
            Program.countersign, arguments + ["--wallet", wallet, "--passphrase-file", passphrase])
    }

    func json(_ arguments: [String]) async throws -> JSON {
        let outcome = try await run(arguments + ["--json"])
        #expect(outcome.status == 0, "\(outcome)")
        return try ServerMachine.json(outcome)
    }
}
