import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import NIOCore
import Testing

@testable import Server

@Suite("Bodies are read strictly", .timeLimit(.minutes(5)))
struct BodyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let body: Bytes
        var type: String? = "application/json"
        let kind: ProblemKind
        var says = ""
        var testDescription: String { name }
    }

    private static func edited(_ find: String, _ replace: String) -> Bytes {
        Bytes(text: Sample.valid.replacing(find, with: replace))
    }

    static let cases = [
        Case(name: "nothing", body: [], kind: .invalidJSON, says: "ends in the middle"),
        Case(name: "no content type", body: Bytes(text: Sample.valid), type: nil, kind: .unsupportedMediaType),
        Case(
            name: "form", body: Bytes(text: "a=b"), type: "application/x-www-form-urlencoded",
            kind: .unsupportedMediaType),
        Case(name: "text/plain", body: Bytes(text: Sample.valid), type: "text/plain", kind: .unsupportedMediaType),
        Case(
            name: "another charset", body: Bytes(text: Sample.valid), type: "application/json; charset=utf-16",
            kind: .unsupportedMediaType),
        Case(
            name: "a name twice", body: edited("\"count\":3", "\"count\":3,\"count\":4"), kind: .invalidJSON,
            says: "same name"),
        Case(
            name: "a name twice, one escaped", body: edited("\"count\":3", "\"count\":3,\"c\\u006funt\":4"),
            kind: .invalidJSON, says: "same name"),
        Case(
            name: "deep nesting",
            body: Bytes(repeating: UInt8(ascii: "["), count: 40) + Bytes(repeating: UInt8(ascii: "]"), count: 40),
            kind: .invalidJSON, says: "nested"),
        Case(
            name: "bad UTF-8", body: Bytes(text: "{\"name\":\"") + [0xC3, 0x28] + Bytes(text: "\"}"),
            kind: .invalidJSON, says: "UTF-8"),
        Case(name: "half a surrogate pair", body: edited("\"n\"", "\"\\ud800\""), kind: .invalidJSON),
        Case(name: "two values", body: Bytes(text: Sample.valid + "{}"), kind: .invalidJSON, says: "follows"),
        Case(name: "cut", body: Bytes(Sample.valid.utf8.dropLast(5)), kind: .invalidJSON),
        Case(
            name: "an unknown member", body: edited("\"count\":3", "\"count\":3,\"admin\":true"),
            kind: .unknownMember, says: "'admin'"),
        Case(
            name: "an unknown member with nothing in it", body: edited("\"count\":3", "\"count\":3,\"admin\":null"),
            kind: .unknownMember, says: "'admin'"),
        Case(
            name: "an unknown member deep inside", body: edited("{\"text\":\"x\"}", "{\"text\":\"x\",\"y\":1}"),
            kind: .unknownMember, says: "'list[0].y'"),
        Case(name: "camel case", body: edited("public_url", "publicURL"), kind: .invalidMember, says: "public_url"),
        Case(
            name: "a member missing", body: edited("\"count\":3,", ""), kind: .invalidMember,
            says: "'count' is missing"),
        Case(name: "null for something", body: edited("\"count\":3", "\"count\":null"), kind: .invalidMember),
        Case(
            name: "a string for a number", body: edited("\"count\":3", "\"count\":\"3\""), kind: .invalidMember,
            says: "'count' must be a whole number"),
        Case(name: "a fraction", body: edited("\"count\":3", "\"count\":3.5"), kind: .invalidMember),
        Case(name: "a number for true", body: edited("true", "1"), kind: .invalidMember, says: "is_ready"),
        Case(
            name: "a value that is none of those allowed", body: edited("red", "blue"), kind: .invalidMember,
            says: "'colour'"),
        Case(name: "an array for an object", body: Bytes(text: "[]"), kind: .invalidMember, says: "must be an object"),
        Case(
            name: "an object for an array", body: edited("[{\"text\":\"x\"}]", "{}"), kind: .invalidMember,
            says: "'list' must be an array"),
        Case(
            name: "too large", body: Bytes(repeating: 0x20, count: Limits.Body.small.rawValue + 1),
            kind: .tooLarge, says: "65536"),
    ]

    @Test("what is not exactly right is refused by name", arguments: cases)
    func refused(_ example: Case) async throws {
        try await withServer { client in
            var headers = HTTPFields()
            headers[.contentType] = example.type
            try await client.execute(
                uri: "/api/sample", method: .post, headers: headers, body: ByteBuffer(bytes: example.body)
            ) { response in
                let details = try problem(response)
                #expect(details.type == example.kind.path)
                #expect(example.says.isEmpty || details.detail.contains(example.says), "\(details.detail)")
            }
        }
    }

    @Test(
        "a right body is accepted, and comes back the same",
        arguments: [
            Sample.valid, Sample.valid.replacing("\"count\":3", with: "\"count\":3,\"note\":null"),
            " " + Sample.valid + "\n",
        ])
    func accepted(_ body: String) async throws {
        try await withServer { client in
            try await client.execute(
                uri: "/api/sample", method: .post, headers: [.contentType: "application/json; charset=UTF-8"],
                body: ByteBuffer(string: body)
            ) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "application/json")
                let json = try JSON.parse(response.bytes)
                #expect(json["public_url"] == .text("u") && json["is_ready"] == .bool(true))
                #expect(try StrictDecoder.decode(Sample.self, from: json).inner.text == "t")
            }
        }
    }

    @Test("a body that does not end in time is refused")
    func slow() async throws {
        let manual = ManualClock()
        let (parts, end) = AsyncStream.makeStream(of: ByteBuffer.self)
        defer { end.finish() }
        let waiting = Task {
            try await TimeLimits(clock: manual.clock).run(Limits.bodyTime, or: Problem(.requestTimeout)) {
                for await _ in parts {}
                try Task.checkCancellation()
                return 1
            }
        }
        await manual.waitForSleepers(1)
        manual.advance(Limits.bodyTime)
        await #expect(throws: Problem.self) { try await waiting.value }
    }

    @Test(
        "names on the wire are those of JSONEncoder",
        arguments: ["name", "isSetUp", "publicURL", "publicUrl", "signingKey", "myURLProperty", "administratorNonce"])
    func names(_ name: String) throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(intValue: Int) { return nil }
            init(stringValue: String) { self.stringValue = stringValue }
        }
        struct One: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        #expect(Response.jsonBytes(One(name: name)) == Bytes(text: "{\"\(SnakeCase.name(name))\":1}"))
    }

    @Test("answers are the bytes that Foundation's encoder writes")
    func encoder() throws {
        struct Inner: Encodable {
            let lastURL: String?
            let isOpen: Bool
        }
        struct Outer: Encodable {
            let text: String
            let small: UInt8
            let large: Int64
            let none: [Inner]
            let some: [Inner]
            let lists: [[Int]]
            let role: Role
            let missing: Inner?
        }
        let value = Outer(
            text: "Ünïcode / \"quoted\" \\ \u{1} \u{8}\t\n\u{c}\r\u{1f} 🖋", small: 255, large: .min, none: [],
            some: [Inner(lastURL: nil, isOpen: true), Inner(lastURL: "x", isOpen: false)], lists: [[1, -2], []],
            role: .administrator, missing: nil)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try StrictEncoder.bytes(value) == Array(encoder.encode(value)))
        #expect(try StrictEncoder.bytes([String?.none, "a"]) == Bytes(text: "[null,\"a\"]"))
        #expect(throws: EncodingError.self) { try StrictEncoder.bytes(0.5) }
        #expect(throws: EncodingError.self) { try StrictEncoder.bytes(UInt64.max) }
    }

    @Test("values of the interface survive the way there and back")
    func roundTrip() throws {
        let organisation = Organisation(
            name: "Universität", publicURL: "https://u.example", isSetUp: true, rootCertificate: "-",
            rootFingerprint: "f",
            logKey: "k")
        let json = try JSON.parse(Response.jsonBytes(organisation))
        #expect(json["public_url"] == .text("https://u.example"))
        let back = try StrictDecoder.decode(Organisation.self, from: json)
        #expect(back.publicURL == organisation.publicURL && back.isSetUp && back.name == organisation.name)
        let completion = EnrolmentCompletion(
            paper: .identityCard, name: PersonName(givenName: "Ada", familyName: "Byron"),
            issuance: Issuance(sealed: "s", credentialDigest: "d", statement: "t"))
        let again = try StrictDecoder.decode(
            EnrolmentCompletion.self, from: JSON.parse(Response.jsonBytes(completion)))
        #expect(again.paper == .identityCard && again.issuance.credentialDigest == "d")
    }
}
