import Encodings
import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// A real server with its rendezvous, and somebody's wallet.
///
/// Nothing of it changes until it is gone.
final class PicoPlace: @unchecked Sendable {
    let folder: TemporaryFolder
    let server: DemoServer
    private let wallet: String

    init() async throws {
        folder = try TemporaryFolder()
        let (server, cast, _) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        self.server = server
        wallet = cast.path(DemoCast.owner)
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
    }

    deinit { server.stop() }

    private var walletOptions: [String] { ["--wallet", wallet, "--passphrase-file", folder.path("pass")] }

    /// The server: of the wallet's session, or of a browser that nobody is signed in on.
    func client(signedIn: Bool) throws -> ServerClient {
        let token = signedIn ? WalletFile(path: wallet).session.read() : nil
        return ServerClient(address: try ServerAddress(server.url), token: token)
    }

    /// Runs `countersign wallet …`.
    func run(_ arguments: [String], json: Bool = true) async throws -> Program.Outcome {
        try await Program.runAside(
            Program.countersign, ["wallet"] + arguments + walletOptions + (json ? ["--json"] : []))
    }

    /// The same, which has to succeed, and what its first line says.
    func json(_ arguments: [String]) async throws -> JSON {
        let outcome = try await run(arguments)
        #expect(outcome.status == 0, "\(outcome)")
        return try JSON.parse(Bytes(text: String(outcome.output.split(separator: "\n").first ?? "")))
    }

    /// Starts `countersign wallet …`, which goes on.
    func start(_ arguments: [String]) throws -> LineProcess {
        try LineProcess(Program.countersign, ["wallet"] + arguments + walletOptions + ["--json"])
    }

    /// Starts our own service, and reads its code.
    func service(
        _ purpose: String, _ arguments: [String] = [], files: String = "service"
    ) async throws -> (process: LineProcess, code: String) {
        let process = try LineProcess(
            Program.countersign,
            ["pico-service", purpose, "--channel", server.url, "--identity", folder.path(files + ".key")]
                + ["--pairings", folder.path(files + ".users"), "--name", "Example", "--json"] + arguments)
        let code = try #require(try await process.json()["code"]?.string)
        return (process, code.text)
    }

    /// Starts a service in Python, and reads its code.
    func verifier(
        _ purpose: String, _ state: String, _ arguments: [String] = []
    ) async throws -> (process: LineProcess, code: String) {
        let process = try LineProcess(
            Program.python,
            [Self.script("verifier"), purpose, server.url, folder.path(state)] + arguments)
        return (process, await process.line())
    }

    /// Runs a Pico in Python.
    func prover(
        _ purpose: String, _ code: String, _ state: String, _ words: [String] = []
    ) async throws
        -> Program.Outcome
    {
        try await Program.runAside(
            Program.python, [Self.script("prover"), purpose, code, folder.path(state)] + words)
    }

    static func script(_ name: String) -> String {
        Program.repository.appendingPathComponent("Tests/Interop/pico/\(name).py").path
    }
}

extension JSON {
    /// The text of a member.
    func text(_ name: StaticString) -> String? { self[name]?.string?.text }
}
