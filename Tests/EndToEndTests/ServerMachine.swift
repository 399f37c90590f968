import Encodings
import Foundation

@testable import Wallet
@testable import countersign

/// The machine of a server, and the commands that its operator gives there.
struct ServerMachine {
    let folder: TemporaryFolder
    let port: Int
    /// Further flags of the server.
    var settings: [String] = []

    func admin(_ arguments: [String]) throws -> Program.Outcome {
        try Self.run(["admin"] + arguments + ["--data", folder.path("server"), "--json"])
    }

    static func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(Program.countersign, arguments)
    }

    func start(isSetUp: Bool = true) throws -> DemoServer {
        try DemoServer(
            directory: folder.path("server"), port: port, program: Program.countersign, settings: settings,
            isSetUp: isSetUp)
    }

    /// What a command printed.
    static func json(_ outcome: Program.Outcome) throws -> JSON {
        try JSON.parse(Bytes(text: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Starts the server and sets an organisation up there.
    func settle(_ organisation: String) async throws -> (server: DemoServer, cast: DemoCast, owner: WalletClient) {
        let server = try start(isSetUp: false)
        let cast = DemoCast(server: server, folder: folder.url.path)
        let owner = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: organisation, DemoCast.owner)
        return (server, cast, owner.client)
    }
}
