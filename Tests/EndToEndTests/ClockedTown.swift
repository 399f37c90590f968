import CryptoProvider
import Foundation
import Logging
import Server
import Storage
import Synchronization

@testable import Wallet
@testable import countersign

/// A server in this process with a clock that can be moved, and people with wallets there.
struct ClockedTown: Sendable {
    /// A clock for server and wallets that can be put forward.
    final class Clock: Sendable {
        private let offset: Mutex<Int64>
        /// How far it goes on between two looks at it.
        private let step = Mutex<Int64>(0)

        init(offBy seconds: Int64) { offset = Mutex(seconds) }

        func now() -> Int64 {
            let step = step.withLock(\.self)
            return systemTime()
                + offset.withLock { offset in
                    offset += step
                    return offset
                }
        }
        func advance(_ seconds: Int64) { offset.withLock { $0 += seconds } }
        func goOn(by seconds: Int64) { step.withLock { $0 = seconds } }
    }

    let url: String
    let code: String
    let clock: Clock
    let folder: TemporaryFolder

    func person(_ name: String) -> NewPerson {
        NewPerson(username: name, name: name.capitalized, passphrase: "a passphrase for tests")
    }

    /// A place for a wallet that takes no time to open.
    func place(_ name: String) -> NewWallet {
        NewWallet(
            path: path(name), server: url, deviceName: "\(name)'s wallet", derivation: .forTests, limits: .forTests,
            now: clock.now)
    }

    /// A place for a wallet that the command line opens, too.
    func lastingPlace(_ name: String) -> NewWallet {
        NewWallet(path: path(name), server: url, deviceName: "\(name)'s wallet", now: clock.now)
    }

    func path(_ name: String) -> String { folder.path("\(name).wallet") }

    func owner() async throws -> WalletClient {
        try await WalletClient.setUp(place("owner"), code: code, organisation: "Later University", person("owner"))
            .client
    }

    /// Starts a server, and stops it when the body has ended.
    ///
    /// - Parameter seconds: how far its clock is off at first.
    static func visit(
        offBy seconds: Int64 = 0, _ body: @Sendable (ClockedTown) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let clock = Clock(offBy: seconds)
        let port = try DemoServer.freePort()
        let url = "http://localhost:\(port)"
        var time = ServerClock.system
        time.now = clock.now
        var configuration = ServerConfiguration()
        configuration.port = port
        let directory = try DataDirectory.open(folder.path("server"))
        let database = try ServerDatabase()
        let server = try await CountersignServer(
            configuration: configuration, directory: directory, publicURL: url,
            parts: CountersignServer.Parts(
                clock: time, argon2: Argon2Workers(parameters: .forTests, limits: .forTests)),
            database: try await database.open(orFile: directory.file("test.sqlite")))
        let (listening, announce) = AsyncStream.makeStream(of: Int.self)
        let running = Task {
            try await server.run(
                logger: Logger(label: "test") { label in
                    var handler = StreamLogHandler.standardError(label: label)
                    handler.logLevel = .critical
                    return handler
                }, stopsOnSignals: false
            ) { announce.yield($0) }
        }
        for await _ in listening { break }
        do {
            try await body(
                ClockedTown(url: url, code: server.environment.setUpCode, clock: clock, folder: folder))
        } catch {
            running.cancel()
            _ = try? await running.value
            throw error
        }
        running.cancel()
        _ = try? await running.value
    }
}
