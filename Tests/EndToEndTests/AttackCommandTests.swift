import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// `countersign attack` against our own server, and against one that is wrong where the original was.
@Suite("The attack on an installation", .timeLimit(.minutes(15)))
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

    /// Adds a service and a member, and stores the API key and the passphrase.
    ///
    /// - Parameters:
    ///   - address: where the member's wallet finds the server.
    ///   - speaksOriginal: whether the administrator lets the service speak version 1.
    /// - Returns: the options that name the key's file, and those that name the wallet's.
    private static func prepare(
        _ folder: TemporaryFolder, _ cast: DemoCast, _ owner: WalletClient, at address: String,
        speaksOriginal: Bool = true
    ) async throws -> (key: [String], wallet: [String]) {
        let service = try await owner.addApprovalService(domain: "attack.example", name: "Attacked")
        if speaksOriginal { _ = try await owner.setOriginal(service.service.id, accepts: true) }
        let ada = NewPerson(username: "ada", name: "Ada Lovelace", passphrase: DemoCast.passphrase)
        var place = cast.place(ada)
        place.server = address
        _ = try await WalletClient.signUp(place, ada)
        for (name, text) in [("pass", DemoCast.passphrase), ("key", service.apiKey)] {
            try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        return (
            ["--key-file", folder.path("key")],
            ["--wallet", cast.path(ada), "--passphrase-file", folder.path("pass")]
        )
    }

    @Test("our server's score is full, and without a wallet what cannot be told is said")
    func ours() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        let (key, wallet) = try await Self.prepare(folder, cast, owner, at: server.url)
        let (status, report) = try await Self.attack([server.url] + key + wallet)
        let others = report.findings.filter { $0.result != .right }
        #expect(others.map(\.id) == ["19"] && others.allSatisfy { $0.result == .inside }, "\(others)")
        #expect(status == 0 && report.right == 37 && report.tried == 37)
        try await Self.expectNothingLeft(wallet)

        let without = try await Self.attack([server.url] + key + ["--without-wallet"])
        #expect(without.report.findings.map(\.id) == ["1", "18", "b13"], "\(without.report.findings)")
        #expect(without.report.findings.map(\.result) == [.unknown, .right, .right])
        #expect(without.status == 2 && without.report.right == 2 && without.report.tried == 3)
        try "service_wrong".write(toFile: folder.path("key"), atomically: true, encoding: .utf8)
        let refused = try await Self.attack([server.url] + key + wallet)
        #expect(refused.status == 2 && refused.report.findings.first?.detail?.contains("401") == true)
    }

    private static func expectNothingLeft(_ wallet: [String]) async throws {
        let devices = try await Program.runAside(Program.countersign, ["wallet", "services", "--json"] + wallet)
        #expect(try ServerMachine.json(devices)["items"]?.array?.isEmpty == true, "\(devices)")
    }

    /// The cases that need version 1: anybody can send case 18.
    private static let originals: [String] = (1...25).filter { $0 != 18 }.map { "\($0)" }

    @Test("a service without version 1 has its full score in version 2, and the cases of version 1 are not offered")
    func withoutOriginal() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        let (key, wallet) = try await Self.prepare(folder, cast, owner, at: server.url, speaksOriginal: false)
        let (status, report) = try await Self.attack([server.url] + key + wallet)
        let left = report.findings.filter { $0.result == .notOffered }
        #expect(left.map(\.id) == Self.originals, "\(report.findings)")
        #expect(left.allSatisfy { $0.detail == "the service does not speak version 1" })
        let right = report.findings.filter { $0.result == .right }.map(\.id)
        let mitigations = (1...13).map { "b\($0)" }
        #expect(right == ["18"] + mitigations, "\(report.findings)")
        #expect(status == 0 && report.right == 14 && report.tried == 14)
        try await Self.expectNothingLeft(wallet)
        // Without a wallet it cannot tell what needs one, and says so.
        let without = try await Self.attack([server.url] + key + ["--without-wallet"]).report
        #expect(without.findings.filter { $0.result == .notOffered }.map(\.id) == Self.originals)
        let unknown = without.findings.filter { $0.result == .unknown }.map(\.id)
        #expect(unknown == Array(mitigations.dropLast()), "\(without.findings)")
        #expect(without.exitCode == 2 && without.right == 2 && without.tried == 14)
    }

    /// A server in Python that is wrong on purpose; it ends with its standard input.
    private struct WeakServer {
        private let folder: TemporaryFolder
        private let process = Process()
        private let input = Pipe()
        let address: String
        /// What attacks it.
        var arguments: [String] { [address, "--key-file", folder.path("key"), "--without-wallet"] }

        /// One that is wrong by itself.
        init(_ flags: [String] = []) throws {
            let folder = try TemporaryFolder()
            try self.init(folder, "weak.py", [folder.url.path] + flags)
        }

        /// One that takes protections of a good server away.
        init(before url: String) throws { try self.init(try TemporaryFolder(), "weakened.py", [url]) }

        private init(_ folder: TemporaryFolder, _ program: String, _ arguments: [String]) throws {
            self.folder = folder
            process.executableURL = URL(fileURLWithPath: Program.python)
            let path = Program.repository.appendingPathComponent("Tests/Interop/authreq/\(program)").path
            process.arguments = [path] + arguments
            let output = Pipe()
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            let line = output.fileHandleForReading.availableData
            address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            try "any key".write(toFile: folder.path("key"), atomically: true, encoding: .utf8)
        }

        func stop() { try? input.fileHandleForWriting.close() }
    }

    @Test("the faults of the original are found in a server that has them, and no others")
    func weak() async throws {
        let weak = try WeakServer()
        defer { weak.stop() }
        let (status, report) = try await Self.attack(weak.arguments)
        let wrong = report.findings.filter { $0.result == .wrong }.map(\.id)
        let cases = [7] + Array(9...18) + Array(21...24)
        let mitigations = (1...13).map { "b\($0)" }
        #expect(wrong == cases.map(String.init) + mitigations, "\(report.findings)")
        #expect(report.findings.filter { $0.result == .inside }.map(\.id) == ["19", "20"])
        #expect(report.findings.filter { $0.result == .right }.map(\.id) == ["1", "2", "3", "4", "5", "6", "8", "25"])
        #expect(status == 1 && report.right == 8 && report.tried == 36)
        // For people, it is a table with the score below.
        let table = try await Program.runAside(Program.countersign, ["attack"] + weak.arguments)
        #expect(table.status == 1 && table.output.hasSuffix("\n8 of 36 ended right.\n"), "\(table.output)")
        #expect(table.output.contains("an approval was forged"))
    }

    @Test("a server whose clock is behind refuses what is late by that; one that has the attack wait is not judged")
    func behind() async throws {
        let weak = try WeakServer(["--behind"])
        defer { weak.stop() }
        let report = try await Self.attack(weak.arguments).report
        let found = Dictionary(uniqueKeysWithValues: report.findings.map { ($0.id, $0) })
        #expect(["7", "12"].allSatisfy { found[$0]?.result == .right }, "\(report.findings)")
        #expect(found["23"]?.result == .unknown && found["23"]?.detail?.contains("429") == true)
    }

    @Test("the cases that the original passed are found in a server that believes everybody, each for its own reason")
    func credulous() async throws {
        let weak = try WeakServer(["--credulous"])
        defer { weak.stop() }
        let (status, report) = try await Self.attack(weak.arguments)
        let found = Dictionary(uniqueKeysWithValues: report.findings.map { ($0.id, $0) })
        for (id, words) in [
            ("1", "it is signed before anybody answered"), ("2", "it was accepted"), ("3", "it was accepted"),
            ("4", "it was accepted"), ("5", "it was accepted"), ("6", "a lost answer could not be repeated"),
            ("8", "it is no longer signed"), ("25", "it does"),
        ] {
            #expect(found[id]?.result == .wrong && found[id]?.detail == words, "\(id): \(report.findings)")
        }
        // The other faults are still there, so nothing at all is right.
        let wrong = report.findings.filter { $0.result == .wrong }
        #expect(status == 1 && wrong.count == 36 && report.right == 0 && report.tried == 36, "\(report.findings)")
    }

    @Test("ids that are counted up, made of the time or short can be guessed")
    func guessable() async throws {
        let cases: [(one: String, two: String, result: AttackFinding.Result)] = [
            ("8c1f4e0b7d2a6935f0c8b41d7e92a356", "1b7d05c9e4f83a264c9d6e1fa8035b72", .right),
            ("jB9OC30qaTXwyLQdfpKjVg", "G30FyeT4OiZMnW4fqANbcg", .right),
            ("000000000000000000000000000000ff", "00000000000000000000000000000100", .wrong),
            ("ff000000000000000000000000000000", "00010000000000000000000000000000", .wrong),
            ("0199b3f27c5e000000000000000000a1", "0199b3f27c71000000000000000000c4", .wrong),
            ("8c1f4e0b7d2a6935", "1b7d05c9e4f83a26", .wrong), ("41", "42", .wrong), ("", "", .wrong),
        ]
        for (one, two, result) in cases {
            let found = await AttackFinding.trying("b3", "a test") { Mitigations.whenRandom(one, two) }
            #expect(found.result == result, "\(one), \(two)")
        }
    }

    @Test("a page that is not there, a budget and a fault of the server are no protection")
    func otherRefusals() async throws {
        func result(_ status: Int, _ judge: (RawAnswer) -> AttackVerdict) async -> AttackFinding.Result {
            let answer = RawAnswer(status: status, mediaType: "", body: [], duration: .zero, retryAfter: nil)
            return await AttackFinding.trying("b0", "a test") { judge(answer) }.result
        }
        let cases: [(status: Int, results: [AttackFinding.Result])] = [
            (200, [.wrong, .wrong, .wrong]), (401, [.right, .right, .right]), (404, [.unknown, .right, .right]),
            (429, [.unknown, .unknown, .right]), (502, [.unknown, .unknown, .unknown]),
        ]
        for (status, results) in cases {
            let kept = await result(status) { Mitigations.whenKept($0) }
            let refused = await result(status) { Mitigations.whenRefused($0, "it was asked") }
            let waited = await result(status) { Mitigations.whenRefused($0, "it was asked", waits: true) }
            #expect([kept, refused, waited] == results, "\(status)")
        }
        // A server that knows nothing of all this: every page is missing.
        let weak = try WeakServer(["--nothing"])
        defer { weak.stop() }
        let (status, report) = try await Self.attack(weak.arguments)
        #expect(report.findings.map(\.id) == ["1", "18", "b13"], "\(report.findings)")
        #expect(report.findings.allSatisfy { $0.result == .unknown } && status == 2, "\(report.findings)")
    }

    @Test("a version 2 that refuses nothing lacks each mitigation, and the attack says why")
    func weakVersion2() async throws {
        let weak = try WeakServer(["--version-2"])
        defer { weak.stop() }
        let (status, report) = try await Self.attack(weak.arguments)
        let found = Dictionary(uniqueKeysWithValues: report.findings.map { ($0.id, $0) })
        for (id, words) in [
            ("b1", "it was asked: status 201"), ("b4", "a second one was asked: status 201"),
            ("b5", "it was asked: status 201"), ("b6", "it is in the link"), ("b8", "a stranger was asked: status 201"),
            ("b10", "it asked twice"), ("b13", "it was told without a key: status 200"),
        ] {
            #expect(found[id]?.result == .wrong && found[id]?.detail == words, "\(id): \(report.findings)")
        }
        // These need a wallet: the test below has one.
        for id in ["b2", "b7", "b9", "b11", "b12"] { #expect(found[id]?.result == .unknown, "\(id)") }
        #expect(status == 1)
    }

    @Test("where version 1 is not offered, what version 2 lacks is found all the same")
    func weakWithoutOriginal() async throws {
        let weak = try WeakServer(["--only-version-2"])
        defer { weak.stop() }
        let (status, report) = try await Self.attack(weak.arguments)
        #expect(report.findings.filter { $0.result == .notOffered }.map(\.id) == Self.originals, "\(report.findings)")
        let wrong = report.findings.filter { $0.result == .wrong }
        #expect(wrong.map(\.id) == ["18", "b1", "b3", "b4", "b5", "b6", "b8", "b10", "b13"], "\(report.findings)")
        let numbers = wrong.first { $0.id == "b3" }?.detail ?? ""
        #expect(numbers.hasPrefix("two in a row: 0000000000"), "\(wrong)")
        #expect(status == 1 && report.right == 0 && report.tried == 14)
        let table = try await Program.runAside(Program.countersign, ["attack"] + weak.arguments)
        #expect(
            table.output.hasSuffix(
                "\n0 of 14 ended right.\n24 were not tried: the service does not speak version 1.\n"),
            "\(table.output)")
        #expect(table.output.contains("not offered"))
    }

    @Test("what is taken away in front of our server is found with a wallet, each by its name, and nothing else")
    func weakened() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        let weak = try WeakServer(before: server.url)
        defer { weak.stop() }
        let (key, wallet) = try await Self.prepare(folder, cast, owner, at: weak.address)
        let (status, report) = try await Self.attack([weak.address] + key + wallet)
        let wrong = report.findings.filter { $0.result == .wrong }
        #expect(wrong.map(\.id) == ["20", "b2", "b7", "b9", "b11", "b12"], "\(report.findings)")
        #expect(
            wrong.map(\.detail) == [
                "the wallet lists it 2 times", "after three wrong codes the right one was accepted",
                "it shows only: action, expires, service, text", "it was confirmed: status 200",
                "the service sees expired", "it was asked again at once: status 201",
            ])
        #expect(status == 1 && report.tried == 37 && report.right == 31, "\(report.findings)")
    }
}
