import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// `countersign attack` against our own server, and against one that is wrong where the original was.
@Suite("The attack on an installation", .timeLimit(.minutes(5)))
struct AttackCommandTests {
    private static func attack(_ arguments: [String]) async throws -> (status: Int32, report: AttackReport) {
        let outcome = try await Program.runAside(Program.countersign, ["attack", "--json"] + arguments)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return (outcome.status, try decoder.decode(AttackReport.self, from: Data(outcome.output.utf8)))
        } catch {
            throw Program.Missing(description: "\(outcome)")
        }
    }

    @Test("our server's score is full, and without a wallet what cannot be told is said")
    func ours() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        let service = try await owner.addApprovalService(domain: "attack.example", name: "Attacked")
        _ = try await owner.setOriginal(service.service.id, accepts: true)
        let ada = NewPerson(username: "ada", name: "Ada Lovelace", passphrase: DemoCast.passphrase)
        _ = try await WalletClient.signUp(cast.place(ada), ada)
        for (name, text) in [("pass", DemoCast.passphrase), ("key", service.apiKey)] {
            try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        let wallet = ["--wallet", cast.path(ada), "--passphrase-file", folder.path("pass")]
        let (status, report) = try await Self.attack([server.url, "--key-file", folder.path("key")] + wallet)
        let others = report.findings.filter { $0.result != .right }
        #expect(others.map(\.id) == ["19", "20"] && others.allSatisfy { $0.result == .inside }, "\(others)")
        #expect(status == 0 && report.right == 36 && report.tried == 36)
        // Nothing of it is left.
        let devices = try await Program.runAside(
            Program.countersign, ["wallet", "services", "--json"] + wallet)
        #expect(try ServerMachine.json(devices)["items"]?.array?.isEmpty == true, "\(devices)")

        let without = try await Self.attack([server.url, "--key-file", folder.path("key"), "--without-wallet"])
        #expect(without.status == 2 && without.report.right == 0)
        try "service_wrong".write(toFile: folder.path("key"), atomically: true, encoding: .utf8)
        let refused = try await Self.attack([server.url, "--key-file", folder.path("key")] + wallet)
        #expect(refused.status == 2 && refused.report.findings.first?.detail?.contains("401") == true)
    }

    @Test("the faults of the original are found in a server that has them, and no others")
    func weak() async throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.python)
        process.arguments = [
            Program.repository.appendingPathComponent("Tests/Interop/authreq/weak.py").path, folder.url.path,
        ]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer { try? input.fileHandleForWriting.close() }
        let line = output.fileHandleForReading.availableData
        let address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try "any key".write(toFile: folder.path("key"), atomically: true, encoding: .utf8)
        let arguments = [address, "--key-file", folder.path("key"), "--without-wallet"]
        let (status, report) = try await Self.attack(arguments)
        let wrong = report.findings.filter { $0.result == .wrong }.map(\.id)
        let cases = [7] + Array(9...18) + Array(21...24)
        let mitigations = (1...13).map { "b\($0)" }
        #expect(wrong == cases.map(String.init) + mitigations, "\(report.findings)")
        #expect(report.findings.filter { $0.result == .inside }.map(\.id) == ["19", "20"])
        #expect(report.findings.filter { $0.result == .right }.map(\.id) == ["1", "2", "3", "4", "5", "6", "8", "25"])
        #expect(status == 1 && report.right == 8 && report.tried == 36)
        // For people, it is a table with the score below.
        let table = try await Program.runAside(Program.countersign, ["attack"] + arguments)
        #expect(table.status == 1 && table.output.hasSuffix("\n8 of 36 ended right.\n"), "\(table.output)")
        #expect(table.output.contains("an approval was forged"))
    }
}
