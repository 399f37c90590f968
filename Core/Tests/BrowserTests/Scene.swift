import Documents
import Encodings
import Foundation
import Transparency
import Verification

@testable import Browser
@testable import BrowserCalls

struct Missing: Error {}

/// One call as a page makes it.
struct TestCall {
    let name: String
    var arguments: [(String, JSON)] = []
    var blobs: [Bytes] = []

    /// What the function gives.
    func answer() throws -> (value: JSON, blobs: [Bytes]) {
        try Browser.call(name: Bytes(text: name), arguments: .members(arguments), blobs: blobs)
    }

    /// The same call with another value of a member, or without it.
    func with(_ member: String, _ value: JSON?) -> TestCall {
        var call = self
        call.arguments.removeAll { $0.0 == member }
        if let value { call.arguments.append((member, value)) }
        return call
    }
}

/// The university that does not exist: the fixtures of the `Verification` and `Documents` tests, and the keys behind
/// the former.
struct Scene {
    /// Seconds since 1970: when documents are signed, and when they are shown.
    static let issued: Int64 = 1_790_000_000
    static let now = issued + 3700
    static let server = "https://university.example"
    static let audience = "https://employer.example"
    static let nonce = "bm9uY2Utb2YtdGhlLWVtcGxveWVy"

    static let root = TestKey("root")
    static let mainAdministrator = TestKey("main")
    static let administrator = TestKey("administrator")
    static let holder = TestKey("alice")
    static let log = TestLogKey("log")

    /// `forgeries.json` of the `Verification` tests.
    let forgeries: JSON
    /// `face-to-face.json` of the `Documents` tests.
    let faceToFace: JSON

    static let shared: Scene? = try? Scene()

    private init() throws {
        forgeries = try Self.read("VerificationTests/Fixtures/forgeries.json")
        faceToFace = try Self.read("DocumentsTests/Fixtures/face-to-face.json")
    }

    /// The folder of all tests of Core.
    private static var tests: URL { URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent() }

    private static func read(_ path: String) throws -> JSON {
        try JSON.parse(Bytes(Data(contentsOf: tests.appending(path: path))), maximumLength: 1 << 22)
    }

    /// The cases of `good` or `forged` as calls of `verify`, each with the forgery's expected end.
    func verifications(_ list: StaticString) throws -> [(title: String, call: TestCall, expected: JSON)] {
        guard let cases = forgeries[list]?.array else { throw Missing() }
        return try cases.map { item in
            guard let title = item["name"]?.string, let bundle = item["bundle"], let now = item["now"]?.integer,
                let live = item["live"]?.array, let expected = item["expected"], let root = forgeries["root"],
                let log = forgeries["log"]
            else { throw Missing() }
            var call = TestCall(name: "verify", arguments: [("root", root), ("time", .integer(now))])
            if item["log"] == .bool(true) { call.arguments.append(("log_key", log)) }
            for member in ["audience", "any_audience", "nonce", "maximum_age"] {
                guard let value = item[bytes: Bytes(text: member)] else { continue }
                call.arguments.append((member, value))
            }
            call.arguments.append(("live_status", .array(try live.map { .string(try text($0)) })))
            call.blobs = [try file(bundle)]
            return (string(title), call, expected)
        }
    }

    /// The good case of this name.
    func verification(_ title: String) throws -> TestCall {
        guard let found = try verifications("good").first(where: { $0.title == title }) else { throw Missing() }
        return found.call
    }

    private func file(_ json: JSON) throws -> Bytes {
        if let raw = json["raw"]?.string {
            guard let bytes = Base64.decode(raw, .url) else { throw Missing() }
            return bytes
        }
        var document: AttachedDocument?
        if let value = json["document"] {
            guard let content = Base64.decode(try text(value["content"]), .url) else { throw Missing() }
            document = AttachedDocument(
                name: try text(value["name"]), mediaType: try text(value["media_type"]), content: content)
        }
        guard let status = json["status"]?.array else { throw Missing() }
        return PresentationBundle(
            presentation: try text(json["presentation"]), document: document, status: try status.map { try text($0) },
            receipt: try json["receipt"].map { try text($0) }
        ).formatted()
    }

    private func text(_ index: JSON?) throws -> Bytes {
        guard let index = index?.integer, let texts = forgeries["texts"]?.array, index >= 0, index < texts.count,
            let text = texts[Int(index)].string
        else { throw Missing() }
        return text
    }

    /// The parts of the good case with everything in it.
    func everything() throws -> (bundle: PresentationBundle, credential: UnverifiedSDJWT) {
        let bundle = try PresentationBundle.parse(try verification("everything").blobs[0])
        return (bundle, try UnverifiedSDJWT.parse(bundle.presentation))
    }

    /// The administrator's chain, leaf first, as arguments have it.
    func chain() throws -> [JSON] { try everything().credential.certificates().map { .base64URL($0) } }

    /// A log policy as the main administrator signs it.
    ///
    /// - Parameters:
    ///   - log: the log's verifier key.
    ///   - key: that signs.
    static func logPolicy(
        log: Bytes, version: Int64 = 3, audience: String = server, by key: TestKey = mainAdministrator,
        type: String = "\(SignedLogPolicy.type)", time: Int64 = issued
    ) -> Bytes {
        let text = Bytes(text: "log ") + log + Bytes(text: "\nquorum none\n")
        let input = CompactJWS.signingInput(
            type: type,
            payload: SignedLogPolicy.payload(
                audience: Bytes(text: audience), version: version, policy: text, time: time))
        return CompactJWS.text(signingInput: input, signature: key.sign(input))
    }

    /// The log's receipt for a document that was signed just now.
    static func receipt(digest: JSON, status: JSON) throws -> Bytes {
        guard let uri = status["uri"], let index = status["index"] else { throw Missing() }
        let record = JSON.members([("credential", digest), ("status_index", index), ("status_uri", uri)])
        let opening = Bytes(repeating: 1, count: 32)
        let entry = try LogEntry(
            type: Bytes(text: "document.issued"), time: issued + 60, label: Bytes(repeating: 2, count: 32),
            commitment: try LogEntry.commitment(record: record, opening: opening)
        ).encoded()
        let key = try NoteVerifierKey(name: Bytes(text: "university.example/log"), publicKey: log.publicKey)
        let checkpoint = try Checkpoint(origin: key.name, size: 1, root: MerkleTree.leafHash(entry, suite: HashSuite()))
        var note = try SignedNote(text: checkpoint.encoded())
        note.add(try key.line(log.sign(checkpoint.encoded())))
        return try Receipt.build(
            extra: ReceiptExtra(entry: entry, opening: opening, record: record), index: 0, hashes: [],
            checkpoint: note.encoded())
    }
}

/// Hashes only.
private struct HashSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

/// The code of the refusal, or `nil` when there is none.
func refusal(_ call: TestCall) -> String? {
    do {
        _ = try call.answer()
        return nil
    } catch {
        return (error as? BrowserError).map { string($0.code) } ?? "\(error)"
    }
}
