import Foundation
import Interface
import Wallet

/// The example bank beside the demo's server: a service that asks members for approvals.
final class DemoBank {
    let url: String
    private let process = Process()

    /// Where the program is, if it was built: beside this one.
    static var program: String? {
        let path = URL(filePath: CommandLine.executablePath).deletingLastPathComponent()
            .appending(path: "example-bank").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Registers the bank as a service and starts it.
    ///
    /// - Parameter folder: where its API key goes, for its eyes only.
    init(_ program: String, beside server: DemoServer, owner: WalletClient, folder: String) async throws {
        let added = try await owner.addApprovalService(domain: "bank.example", name: "Example Bank")
        let file = "\(folder)/bank.key"
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(added.apiKey.utf8), attributes: [.posixPermissions: 0o600])
        else { throw DemoFailure(step: "bank", reason: "its API key cannot be written") }
        let port = try DemoServer.freePort()
        url = "http://localhost:\(port)"
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "--server", server.url, "--service", added.service.domain, "--key", added.service.publicKey,
            "--api-key-file", file, "--port", "\(port)",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw DemoFailure(step: "bank", reason: "it ended at its start")
        }
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    deinit { stop() }
}
