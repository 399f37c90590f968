import AsyncHTTPClient
import CryptoProvider
import Encodings
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Storage
import Testing
import Transparency

@testable import Server

/// A witness of its own, asked over a socket.
@Suite("A witness over HTTP")
struct WitnessServiceTests {
    /// A log in memory that signs.
    struct Log {
        let key = LogSigningKey()
        let origin: Bytes
        var entries: [Bytes] = []

        init(_ origin: String = "log.example/log") { self.origin = Bytes(text: origin) }

        var verifierKey: NoteVerifierKey {
            get throws { try NoteVerifierKey(name: origin, publicKey: key.publicKey) }
        }

        private func state(_ count: Int) throws -> (TreeState, FetchedTiles) {
            var state = TreeState()
            var tiles = FetchedTiles()
            for content in try state.append(Array(entries.prefix(count)), suite: SwiftCryptoSuite())
            where content.tile.kind != .entries { try tiles.add(content.tile, content.bytes) }
            return (state, tiles)
        }

        func note(size: Int? = nil) throws -> Bytes {
            let (state, _) = try state(size ?? entries.count)
            let signer = try CheckpointSigner(origin: origin, keys: [key])
            return try signer.sign(
                size: state.size, root: state.root(suite: SwiftCryptoSuite()),
                policy: LogPolicy(logKey: try verifierKey))
        }

        func request(from old: Int, size: Int? = nil) throws -> Bytes {
            let size = size ?? entries.count
            let (_, tiles) = try state(size)
            let proof =
                old > size
                ? []
                : try ProofPlan.consistency(from: UInt64(old), to: UInt64(size))
                    .hashes(from: tiles, suite: SwiftCryptoSuite())
            return try WitnessRequest(oldSize: UInt64(old), proof: proof, note: try note(size: size)).encoded()
        }
    }

    private struct Answer: Equatable {
        let status: Int
        let type: String
        let body: String
    }

    /// Runs a witness that watches these logs.
    private static func serve(
        _ logs: [NoteVerifierKey], folder: String? = nil, name: String? = "w.example/w1",
        _ body: @escaping @Sendable (String, WitnessServer) async throws -> Void
    ) async throws {
        let path =
            folder
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("witness-\(UUID().uuidString)").path
        defer { if folder == nil { try? FileManager.default.removeItem(atPath: path) } }
        var configuration = ServerConfiguration()
        configuration.port = 0
        let directory = try DataDirectory.open(path)
        let witness = try await WitnessServer(
            configuration: configuration, directory: directory, name: name, logs: logs)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var logger = Logger(label: "test")
                logger.logLevel = .critical
                try await witness.run(logger: logger, stopsOnSignals: false) { announce.yield($0) }
            }
            for await port in ports {
                try await body("http://127.0.0.1:\(port)", witness)
                break
            }
            group.cancelAll()
        }
    }

    private static func post(_ body: Bytes, _ url: String) async throws -> Answer {
        var request = HTTPClientRequest(url: url + "/add-checkpoint")
        request.method = .POST
        request.body = .bytes(body)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await answer.body.collect(upTo: 1 << 16)
        return Answer(
            status: Int(answer.status.code), type: answer.headers.first(name: "content-type") ?? "",
            body: String(buffer: bytes))
    }

    @Test("signs what goes on, and answers as tlog-witness asks when it does not")
    func answers() async throws {
        var log = Log()
        log.entries = (0..<300).map { Bytes(text: "entry \($0)") }
        let key = try log.verifierKey
        try await Self.serve([key]) { [log] url, witness in
            let transport = HTTPWitnessTransport(patience: .seconds(60))
            let (status, lines) = try await transport.addCheckpoint(log.request(from: 0, size: 100), at: url)
            #expect(status == 200)
            let text = try SignedNote.parse(log.note(size: 100)).text
            let found = try WitnessAnswer.cosignature(
                in: lines, by: witness.verifierKey, over: text, suite: SwiftCryptoSuite())
            #expect(found.time > 1_700_000_000)

            let conflict = Answer(status: 409, type: "text/x.tlog.size", body: "100\n")
            #expect(try await Self.post(log.request(from: 0), url) == conflict)
            #expect(try await Self.post(log.request(from: 99), url) == conflict)
            #expect(try await Self.post(log.request(from: 50, size: 90), url) == conflict)
            #expect(try await Self.post(log.request(from: 100, size: 90), url).status == 400)
            #expect(try await Self.post(Bytes(text: "hello"), url).status == 400)
            #expect(try await Self.post(Log("else.example/log").request(from: 0), url).status == 404)
            #expect(try await Self.post(Log().request(from: 0), url).status == 403)
            var forged = log
            forged.entries[3] = Bytes(text: "another")
            #expect(try await Self.post(forged.request(from: 100), url).status == 422)
            #expect(try await Self.post(Bytes(repeating: 0x61, count: 300_000), url).status == 413)
            #expect(try await Self.post(log.request(from: 100), url).status == 200)
            #expect(try await Self.post(log.request(from: 300), url).status == 200)
            // Two trees of one size: refused, and kept as proof.
            #expect(try await Self.post(forged.request(from: 300), url).status == 409)
            #expect(try await Self.post(forged.request(from: 300), url).status == 409)
        }
    }

    @Test("that has lost what it signed, or its key, does not start as if it were new", arguments: [true, false])
    func forgetful(losesMemory: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("witness-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try Log().verifierKey
        try await Self.serve([key], folder: folder) { _, _ in }
        let lost = losesMemory ? ["witness.sqlite", "witness.sqlite-wal", "witness.sqlite-shm"] : ["keys/witness"]
        for name in lost { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        if losesMemory {
            await #expect(throws: WitnessServer.StartError.forgetful) {
                try await Self.serve([key], folder: folder) { _, _ in }
            }
        } else {
            await #expect(throws: ServerKeys.KeyError.missing(name: "witness")) {
                try await Self.serve([key], folder: folder) { _, _ in }
            }
        }
    }

    @Test("remembers over a restart what it signed, its name and key, and the proofs it holds")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("witness-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var log = Log()
        log.entries = (0..<20).map { Bytes(text: "entry \($0)") }
        var forged = log
        forged.entries[3] = Bytes(text: "another")
        let key = try log.verifierKey
        try await Self.serve([key], folder: folder) { [log, forged] url, _ in
            let good = try await Self.post(log.request(from: 0), url)
            #expect(good.status == 200)
            let bad = try await Self.post(forged.request(from: 20), url)
            #expect(bad.status == 409)
        }
        try await Self.serve([key], folder: folder, name: nil) { [log, forged] url, witness in
            #expect(witness.verifierKey.name == Bytes(text: "w.example/w1"))
            #expect(try await Self.post(log.request(from: 0), url).body == "20\n")
            #expect(try await Self.post(forged.request(from: 20), url).status == 409)
            // A person who compares gets both signatures.
            let answer = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: url + "/checkpoint?origin=log.example/log"), timeout: .seconds(30))
            let note = Array(try await answer.body.collect(upTo: 1 << 16).readableBytesView)
            let policy = try LogPolicy.read(
                Bytes(text: "log ") + key.encoded() + Bytes(text: "\nwitness w ") + witness.verifierKey.encoded()
                    + Bytes(text: "\nquorum w\n"))
            #expect(
                try VerifiedCheckpoint.verify(note, policy: policy, suite: SwiftCryptoSuite()).checkpoint.size == 20)
        }
        let memory = try await WitnessServer.memory(in: folder)
        #expect(memory.cosigned.map(\.size) == [20])
        #expect(memory.contradictions.count == 1)
        let proof = try #require(memory.contradictions.first)
        for note in [proof.kept, proof.shown] {
            _ = try VerifiedCheckpoint.verify(
                Bytes(text: note), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
        }
        await #expect(throws: WitnessServer.StartError.renamed(from: "w.example/w1")) {
            try await Self.serve([key], folder: folder, name: "w.example/w2") { _, _ in }
        }
        await #expect(throws: WitnessServer.StartError.unnamed) {
            try await Self.serve([key], name: nil) { _, _ in }
        }
        await #expect(throws: WitnessServer.StartError.badName) {
            try await Self.serve([key], name: "a b") { _, _ in }
        }
    }

    @Test("of many requests at once for two histories it signs one history only")
    func race() async throws {
        var log = Log()
        log.entries = (0..<40).map { Bytes(text: "entry \($0)") }
        var fork = log
        fork.entries[0] = Bytes(text: "another")
        let key = try log.verifierKey
        try await Self.serve([key]) { [log, fork] url, _ in
            let signed = try await withThrowingTaskGroup(of: (Bool, Int).self) { group in
                for number in 0..<40 {
                    let isFork = number % 2 == 1
                    let request = try (isFork ? fork : log).request(from: 0, size: 10 + number / 2)
                    group.addTask { (isFork, try await Self.post(request, url).status) }
                }
                var signed: [Bool] = []
                for try await (isFork, status) in group where status == 200 { signed.append(isFork) }
                return signed
            }
            #expect(signed.count == 1)
        }
    }
}
