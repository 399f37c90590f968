import Certificates
import Documents
import Encodings
import Foundation
import Testing
import Transparency
import Verification

struct Missing: Error {}

/// The cases of `forgeries.json`: what a verifier gets, and what it must say.
struct Forgeries {
    struct Case: CustomTestStringConvertible {
        let name: String
        let file: Bytes
        let options: VerificationOptions
        let usesLog: Bool
        let expected: JSON

        var testDescription: String { name }
    }

    let root: Bytes
    let logKey: NoteVerifierKey
    let suite: FixtureSuite
    let good: [Case]
    let forged: [Case]
    /// A file shown to a named employer, looked at on other days: `<what happened>; day <n>; <network>`.
    let employer: [Case]

    /// Read once for all tests.
    static let all: Forgeries? = try? Forgeries()

    private init() throws {
        let url = Bundle.module.url(forResource: "forgeries", withExtension: "json", subdirectory: "Fixtures")
        guard let url else { throw Missing() }
        let json = try JSON.parse(Bytes(Data(contentsOf: url)), maximumLength: 1 << 22)
        guard let texts = json["texts"]?.array?.compactMap(\.string), let root = json["root"]?.string,
            let rootBytes = Base64.decode(root, .url), let log = json["log"]?.string,
            let signatures = json["signatures"]?.array?.compactMap(\.string),
            let good = json["good"]?.array, let forged = json["forged"]?.array,
            let employer = json["employer"]?.array
        else { throw Missing() }
        self.root = rootBytes
        logKey = try NoteVerifierKey.parse(log)
        suite = FixtureSuite(signatures: signatures)
        self.good = try good.map { try Self.read($0, texts) }
        self.forged = try forged.map { try Self.read($0, texts) }
        self.employer = try employer.map { try Self.read($0, texts) }
    }

    private static func read(_ json: JSON, _ texts: [Bytes]) throws -> Case {
        guard let name = json["name"]?.string, let bundle = json["bundle"], let now = json["now"]?.integer,
            let live = json["live"]?.array, let expected = json["expected"]
        else { throw Missing() }
        let options = VerificationOptions(
            time: now, audience: json["audience"]?.string, acceptsAnyAudience: json["any_audience"] == .bool(true),
            nonce: json["nonce"]?.string, maximumAge: json["maximum_age"]?.integer,
            requiresDocument: json["require_document"] == .bool(true), liveStatus: try live.map { try text($0, texts) })
        return Case(
            name: String(decoding: name, as: UTF8.self), file: try file(bundle, texts), options: options,
            usesLog: json["log"] == .bool(true), expected: expected)
    }

    private static func file(_ json: JSON, _ texts: [Bytes]) throws -> Bytes {
        if let raw = json["raw"]?.string {
            guard let bytes = Base64.decode(raw, .url) else { throw Missing() }
            return bytes
        }
        var document: AttachedDocument?
        if let value = json["document"] {
            guard let content = Base64.decode(try text(value["content"], texts), .url) else { throw Missing() }
            document = AttachedDocument(
                name: try text(value["name"], texts), mediaType: try text(value["media_type"], texts), content: content)
        }
        guard let status = json["status"]?.array else { throw Missing() }
        return PresentationBundle(
            presentation: try text(json["presentation"], texts), document: document,
            status: try status.map { try text($0, texts) },
            receipt: try json["receipt"].map { try text($0, texts) }
        ).formatted()
    }

    private static func text(_ index: JSON?, _ texts: [Bytes]) throws -> Bytes {
        guard let index = index?.integer, index >= 0, index < texts.count else { throw Missing() }
        return texts[Int(index)]
    }
}

func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

func string(_ code: StaticString) -> String { code.description }
