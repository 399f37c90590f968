import Dispatch
import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// The demo as `./run --demo` leaves it: the server goes on, with the bank beside it.
@Suite("The demo that goes on", .blocking, .timeLimit(.minutes(15)))
struct DemoBankTests {
    @Test("the bank is at the address that the demo prints, asks its server, and ends with it at Ctrl-C")
    func bank() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        let demo = try RunningDemo(["--data", folder.path("demo"), "--port", "\(port)"])
        let told = try demo.read(until: "Ctrl-C stops it.")
        #expect(told.contains("The server goes on at http://localhost:\(port). These can sign in"), "\(told)")
        let found = told.firstMatch(of: #/A bank that asks for approvals is at (http://localhost:\d+): sign in as ada/#)
        let visitor = BankVisitor(String(try #require(found, "\(told)").output.1))
        try await visitor.signIn("ada")
        #expect(await visitor.page.contains("Ada Lovelace"))
        // Only a registered service gets an offer from the server.
        try await visitor.get("/factors")
        try await visitor.post("/factors", ["factor": "approval"])
        #expect(await visitor.found(#/id="link" href="(authreq:2:[^"]*)"/#) != nil)

        #expect(demo.interrupt() == 0)
        let server = ServerClient(address: try ServerAddress("http://localhost:\(port)"))
        await #expect(throws: WalletError.unreachable(server.address.text)) { try await server.organisation() }
        await #expect(throws: (any Error).self) { try await visitor.get("/sign-in") }
    }

    @Test("Ctrl-C while the story plays ends the server too")
    func early() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        let demo = try RunningDemo(["--data", folder.path("demo"), "--port", "\(port)"])
        let told = try demo.read(until: " 2 ok")
        #expect(!told.contains("Ctrl-C stops it."))
        #expect(demo.interrupt() == 1)
        let server = ServerClient(address: try ServerAddress("http://localhost:\(port)"))
        await #expect(throws: WalletError.unreachable(server.address.text)) { try await server.organisation() }
    }

    /// `countersign demo --serve`, and what it prints.
    private final class RunningDemo {
        private let process = Process()
        private let output = Pipe()
        private let ended = DispatchSemaphore(value: 0)
        private let database: ServerDatabase

        init(_ arguments: [String]) throws {
            database = try ServerDatabase()
            process.executableURL = URL(fileURLWithPath: Program.countersign)
            process.arguments = ["demo", "--serve"] + arguments + database.flags
            process.standardOutput = output
            process.terminationHandler = { [ended] _ in ended.signal() }
            try process.run()
        }

        /// What it has printed, as soon as a mark is in it.
        func read(until mark: String) throws -> String {
            var text = ""
            while !text.contains(mark) {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { throw Program.Missing(description: "the demo ended: \(text)") }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }

        /// Does as Ctrl-C does, and waits for the end.
        ///
        /// - Returns: the exit code.
        func interrupt() -> Int32 {
            process.interrupt()
            ended.wait()
            ended.signal()
            process.waitUntilExit()
            return process.terminationStatus
        }

        deinit { if process.isRunning { _ = interrupt() } }
    }
}
