import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Testing

@testable import Wallet
@testable import countersign

/// The users of a service on the command line: the file of the original's login module.
@Suite("The users of a service on the command line")
struct PicoServicePairingsTests {
    let scratch: Scratch
    let users: PicoServicePairings
    let key: ECPrivateKey

    init() throws {
        scratch = try Scratch()
        users = PicoServicePairings(path: scratch.folder + "/users.txt")
        key = try ECPrivateKey.generate(on: .p256, randomBytes: { RandomBytes.make($0) })
    }

    private var commitment: PicoCommitment { PicoCommitment(of: key.publicKey, suite: SwiftCryptoSuite()) }

    private func write(_ text: String) throws {
        try text.write(toFile: users.path, atomically: true, encoding: .utf8)
    }

    @Test("nobody is added to a file that cannot be read, and it stays as it is")
    func unreadable() throws {
        let text = String(repeating: "# a comment\n", count: 100_000)
        try write(text)
        #expect(throws: CommandError.self) {
            try users.add(
                .init(name: Bytes(text: "ada"), identity: key.publicKey, symmetricKey: Bytes(repeating: 1, count: 16)))
        }
        #expect(try String(contentsOfFile: users.path, encoding: .utf8) == text)
    }

    @Test("of several commands that make the key of a service at once all have the one in the file")
    func oneKey() async throws {
        let path = scratch.folder + "/service.key"
        let keys = try await withThrowingTaskGroup(of: Bytes.self) { group in
            for _ in 0..<8 { group.addTask { PicoPrivateKeyFile.encode(try PicoService.key(at: path)) } }
            return try await group.reduce(into: Set<Bytes>()) { $0.insert($1) }
        }
        let stored = Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(keys == Set([stored]))
    }

    @Test("finds who was added, beside comments, and nobody else")
    func found() throws {
        #expect(try users.entry(commitment) == nil)
        try write("# who may come in\n\n")
        try users.add(
            .init(name: Bytes(text: "ada"), identity: key.publicKey, symmetricKey: Bytes(repeating: 1, count: 16)))
        let other = try ECPrivateKey.generate(on: .p192, randomBytes: { RandomBytes.make($0) })
        try users.add(
            .init(name: Bytes(text: "root"), identity: other.publicKey, symmetricKey: Bytes(repeating: 2, count: 16)))
        #expect(try users.entry(commitment)?.name == Bytes(text: "ada"))
        #expect(try users.entry(commitment)?.symmetricKey == Bytes(repeating: 1, count: 16))
        let stranger = try #require(PicoCommitment(bytes: Bytes(repeating: 3, count: 32)))
        #expect(try users.entry(stranger) == nil)
    }

    @Test("a file with one line that is none lets nobody in")
    func damaged() throws {
        try users.add(
            .init(name: Bytes(text: "ada"), identity: key.publicKey, symmetricKey: Bytes(repeating: 1, count: 16)))
        let good = try String(contentsOfFile: users.path, encoding: .utf8)
        let line = good.trimmingCharacters(in: .newlines)
        let parts = line.split(separator: ":").map(String.init)
        let foreign = Base64.encode(Bytes(repeating: 3, count: 32), .standard).text
        for bad in [
            "nonsense", "ada", line + ":x", [parts[0], foreign, parts[2], parts[3]].joined(separator: ":"),
            [parts[0], parts[1], parts[2], "AAAA"].joined(separator: ":"),
            ["", parts[1], parts[2], parts[3]].joined(separator: ":"),
            [parts[0], parts[1], parts[1], parts[3]].joined(separator: ":"), String(repeating: "a", count: 600),
        ] {
            try write(good + bad + "\n")
            #expect(throws: CommandError.self, "\(bad)") { try users.entry(commitment) }
        }
    }
}
