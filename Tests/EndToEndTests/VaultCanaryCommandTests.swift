import CryptoProvider
import Dispatch
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet
@testable import countersign

/// What went in with `countersign wallet vault` is looked for in all that a real server keeps and says.
extension VaultCommandTests {
    /// In every name.
    private static let mark = "Canary4711"
    private static let note = "The code of the heron is written here."
    private static let will = "To Ada goes the pearl of the heron."
    // Long ones: six digits are in any log.
    private static let numbers = ["pin": "583914702658", "wrong": "583914702659", "item": "602815394771"]

    @Test("no content, name, word, PIN or key is in the server's files or in what it says; the search finds usernames")
    func canary() async throws {
        let scene = try await Scene.start()
        // Another one over the same data says more, and into a file.
        scene.server.stop()
        let server = try LoudServer(scene)
        defer { server.stop() }
        try await Self.wait(for: "listening on", from: server)
        let folder = scene.folder
        _ = try await WalletClient.signUp(scene.cast.place(DemoCast.student), DemoCast.student)
        let scan = (0..<200_000).map { _ in UInt8.random(in: 0...255) }
        let link = try await Self.fill(scene, scan: scan)

        let client = try await scene.cast.unlock(DemoCast.owner)
        let root = try await client.openVault().compartment.key.bytes
        let secret = await client.wallet.secrets.vault
        let device = try #require(secret?.fromBase64URL)
        let words = try folder.text("words").split(whereSeparator: \.isWhitespace).map(String.init)
        let recovery = try RecoveryWords.key(of: Bytes(text: words.joined(separator: " ")), suite: SwiftCryptoSuite())
        #expect(words.count == 24)

        var wanted: [(what: String, forms: [Bytes])] = []
        for text in [Self.mark, Self.note, Self.will] + Self.numbers.values {
            wanted.append((what: text, forms: Self.forms(of: Bytes(text: text))))
        }
        for (what, key) in [
            ("the root key", root), ("the wallet's secret", device), ("the recovery key", recovery.bytes),
            ("the link's key", link),
        ] {
            #expect(key.count == 32)
            wanted.append((what: what, forms: Self.forms(of: key)))
        }
        for place in stride(from: 0, to: scan.count - 24, by: scan.count / 8) {
            wanted.append((what: "the scan at \(place)", forms: Self.forms(of: Bytes(scan[place..<place + 24]))))
        }
        // One word alone may be in any text.
        for place in 0..<words.count - 2 {
            let three = words[place..<place + 3]
            let forms = [" ", "\",\""].map { Bytes(text: three.joined(separator: $0)) }
            wanted.append((what: "words of the recovery key", forms: forms))
        }

        let kept = try Self.files(of: scene.server.directory)
        let said = try server.said
        for (name, content) in kept + [(name: "what it said", content: said)] {
            // The path, too.
            let all = Data(name.utf8) + content
            for (what, forms) in wanted {
                let isThere = forms.contains { Self.isThere($0, in: all) }
                #expect(!isThere, "\(what): in \(name)")
            }
        }

        // It was looked at where it would be, and with a search that finds.
        #expect(kept.contains { $0.name.hasPrefix("blobs/") && $0.content.count > scan.count })
        #expect(kept.contains { $0.name.hasSuffix("-wal") })
        #expect(kept.contains { $0.name.hasPrefix("vault-guards") })
        for person in [DemoCast.owner, DemoCast.student] {
            let forms = Self.forms(of: Bytes(text: person.username))
            let isKept = kept.contains { file in forms.contains { Self.isThere($0, in: file.content) } }
            #expect(isKept, "\(person.username)")
        }
        #expect(Self.isThere(Bytes(text: "/api/vault"), in: said))
        for shift in 0..<3 {
            let text = Bytes(repeating: 7, count: shift) + Bytes(text: Self.mark + "!")
            for hidden in [Base64.encode(text, .url), Base64.encode(text, .standard), Hex.encode(text)] {
                let isFound = Self.forms(of: Bytes(text: Self.mark)).contains { Self.isThere($0, in: Data(hidden)) }
                #expect(isFound, "\(String(decoding: hidden, as: UTF8.self))")
            }
        }
    }

    /// Puts a file, a note and folders there, renames, tags, locks, shares, takes away, and opens the vault in each way.
    ///
    /// - Returns: the key of a link.
    private static func fill(_ scene: Scene, scan: Bytes) async throws -> Bytes {
        let folder = scene.folder
        @discardableResult
        func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
            let outcome = try scene.run(arguments, input: input)
            #expect(outcome.status == 0, "\(arguments): \(outcome)")
            return outcome
        }
        for (name, pin) in numbers { try pin.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
        try Data(scan).write(to: URL(fileURLWithPath: folder.path("\(mark)-scan.bin")))
        try run(["make", "--recovery-out", folder.path("words")])
        let inner = "\(mark) papers/\(mark) inner"
        try run(["mkdir", "-p", inner])
        try run(["put", folder.path("\(mark)-scan.bin"), "--to", inner, "--tag", "\(mark)-tag"])
        try run(["put", "-", "--to", "\(mark)-will.txt"], input: will)
        try run(["note", "\(mark) note", "--write", "-"], input: note)
        try run(["mv", "\(mark) note", "\(mark) door"])
        try run(["put", "-", "--to", "\(mark)-gone.txt"], input: will)
        try run(["rm", "\(mark)-gone.txt"])
        #expect(try scene.run(["get", "\(mark)-nowhere.txt", "-o", "-"]).status == 1)

        try run(["slots", "pin", "set", "--new-pin-file", folder.path("pin")])
        try run(["ls", "--pin-file", folder.path("pin")])
        #expect(try scene.run(["ls", "--pin-file", folder.path("wrong")]).status == 1)
        try run(["ls", "--recovery-file", folder.path("words")])
        try run(["lock", "\(mark)-will.txt", "--new-pin-file", folder.path("item")])
        let read = try run(["get", "\(mark)-will.txt", "-o", "-", "--lock-pin-file", folder.path("item")])
        #expect(read.output == will)

        let made = try run(["share", "\(mark) door", "--link", "--for", "2", "--views", "2", "--json"])
        let told = try ServerMachine.json(made)
        let code = try #require(told["code"]?.string?.text)
        let id = try #require(told["id"]?.string?.text)
        let parts = try #require(told["link"]?.string?.text).split(separator: "#").map(String.init)
        let key = try #require(parts.last?.fromBase64URL)
        let client = ServerClient(address: try ServerAddress(scene.server.url))
        _ = try await client.openShare(id, ShareOpening(code: code, keyCheck: VaultLink.check(of: key)))
        return key
    }

    private static func wait(for words: String, from server: LoudServer) async throws {
        for _ in 0..<1_200 {
            let said = try server.said
            if isThere(Bytes(text: words), in: said) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the server never said: \(words)")
    }

    /// The spellings of bytes: as they are, as digits, and within base64 at each of the three places that they may begin.
    private static func forms(of value: Bytes) -> [Bytes] {
        let digits = Hex.encode(value)
        var found = [value, digits, Bytes(text: String(decoding: digits, as: UTF8.self).uppercased())]
        for shift in 0..<3 {
            // The characters that also depend on what is before and behind are left out.
            let begin = (shift * 8 + 5) / 6
            let end = (shift + value.count) * 8 / 6
            let text = Bytes(repeating: 0, count: shift) + value
            found.append(Bytes(Base64.encode(text, .url)[begin..<end]))
            found.append(Bytes(Base64.encode(text, .standard)[begin..<end]))
        }
        return found
    }

    private static func isThere(_ part: Bytes, in content: Data) -> Bool { content.range(of: Data(part)) != nil }

    /// Every file of a folder, by its path there.
    private static func files(of directory: String) throws -> [(name: String, content: Data)] {
        let names = try #require(FileManager.default.enumerator(atPath: directory)).compactMap { $0 as? String }
        var found: [(name: String, content: Data)] = []
        for name in names {
            guard let content = FileManager.default.contents(atPath: "\(directory)/\(name)") else { continue }
            found.append((name: name, content: content))
        }
        return found
    }
}

/// A server over the data of a scene whose own is stopped; all that it says goes into a file.
private final class LoudServer {
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let file: URL

    init(_ scene: VaultCommandTests.Scene) throws {
        file = URL(fileURLWithPath: scene.folder.path("said"))
        try Data().write(to: file)
        let words = try FileHandle(forWritingTo: file)
        process.executableURL = URL(fileURLWithPath: Program.countersign)
        process.arguments = [
            "serve", "--data", scene.server.directory, "--port", String(scene.machine.port), "--public-url",
            scene.server.url, "--log-level", "trace",
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("COUNTERSIGN_") }
        process.standardOutput = words
        process.standardError = words
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    /// All that it has said so far.
    var said: Data {
        get throws { try Data(contentsOf: file) }
    }

    /// Stops it, and waits for its end.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        ended.wait()
        ended.signal()
    }

    deinit { stop() }
}
