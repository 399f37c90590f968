import BrowserCalls
import Encodings
import Testing

@testable import ApprovalBrowser

@Suite("A challenge in a page")
struct AnsweringCallTests {
    let json: JSON

    init() throws { json = try vectors() }

    /// What a wallet keeps of the service.
    private func kept() throws -> [(String, JSON)] {
        [("service", .string(try json.text("service"))), ("server_key", try json.base64("server"))]
    }

    @Test("reads as the lines that an independent program made of it")
    func lines() throws {
        let challenges = try json.list("challenges") + json.list("rendering")
        #expect(challenges.count > 60)
        for one in challenges {
            let members = try #require(one["members"])
            let service = try #require(members["service"])
            let (value, _) = try call(
                "challenge", [("service", .string(try service.text("id"))), ("server_key", try members.base64("key"))],
                [try one.hex("message")])
            let lines = try shown(value)
            #expect(lines == (try one.list("lines").map { $0.array ?? [] }))
            #expect(
                value["id"] == (try members.base64("id")) && value["digits"] == members["match"]?["digits"] ?? .null)
            #expect(value["expires"] == members["expires"] && value["need"] == members["need"])
            let (sender, _) = try call("challenge_sender", [], [try one.hex("message")])
            #expect(sender["service"] == .string(try service.text("id")))
            let labels = try members.list("approvers").map { JSON.base64URL(try #require(Hex.decode($0.string ?? []))) }
            #expect(sender["labels"] == .array(labels))
        }
    }

    @Test("is refused from a service or with a key that the wallet does not keep, and with one byte changed")
    func strangers() throws {
        let message = try json.list("challenges")[0].hex("message")
        let other = [("service", JSON.text("other.example")), ("server_key", try json.base64("server"))]
        #expect(try refusal { _ = try call("challenge", other, [message]) } == "unsupported_key")
        let key = [("service", JSON.string(try json.text("service"))), ("server_key", try json.base64("other_server"))]
        #expect(try refusal { _ = try call("challenge", key, [message]) } == "unsupported_key")
        var changed = message
        changed[changed.count - 10] ^= 1
        #expect(try refusal { _ = try call("challenge", try kept(), [changed]) } == "invalid_signature")
        for one in try json.list("challenges_refused") {
            let said = try refusal { _ = try call("challenge", try kept(), [try one.hex("message")]) }
            #expect(said != nil, "\(one["note"] as JSON?)")
        }
    }

    @Test("is answered with the bytes that an independent program signed, and its message")
    func answers() throws {
        var seen: Set<String> = []
        for one in try json.list("answers") {
            let challenge = try one.hex("challenge")
            let message = try one.hex("message")
            let parts = try #require(
                try Bencode.parse(message, maximumLength: 512, maximumDepth: 2, maximumCount: 16).list)
            var arguments = try kept() + [("decision", .string(try #require(parts[1].string)))]
            let decision = try #require(one["decision"])
            for name in ["code", "reason", "scope"] {
                if let value = decision.members?.first(where: { $0.name == Bytes(text: name) })?.value {
                    arguments.append((name, value))
                }
            }
            let (_, bytes) = try call("answer_bytes", arguments, [challenge])
            #expect(bytes == [try one.hex("signed")])
            let signature = try #require(parts[5].string)
            let signed = arguments + [("key", try one.base64("device")), ("signature", .base64URL(signature))]
            #expect(try call("answer", signed, [challenge]).blobs == [message])
            let other =
                arguments + [("key", try one.base64("device")), ("signature", .base64URL(signature.reversed()))]
            #expect(try refusal { _ = try call("answer", other, [challenge]) } == "invalid_signature")
            seen.insert(String(decoding: parts[1].string ?? [], as: UTF8.self))
        }
        #expect(seen == ["allow", "deny"])
    }

    @Test("needs a code exactly when it asks for one, and a denial needs a reason and a scope")
    func decisions() throws {
        let challenge = try json.list("challenges")[0].hex("message")
        let wanted: [([(String, JSON)], String)] = [
            ([("decision", .text("allow"))], "wrong_code_length"),
            ([("decision", .text("allow")), ("code", .text("123"))], "wrong_code_length"),
            ([("decision", .text("allow")), ("code", .text("4x"))], "wrong_code_length"),
            ([("decision", .text("deny"))], "missing_member"),
            ([("decision", .text("deny")), ("reason", .text("mistake"))], "missing_member"),
            ([("decision", .text("deny")), ("reason", .text("else")), ("scope", .text("request"))], "wrong_type"),
            ([("decision", .text("deny")), ("reason", .text("not-me")), ("scope", .text("all"))], "wrong_type"),
            ([("decision", .text("perhaps"))], "wrong_type"),
        ]
        for (arguments, code) in wanted {
            #expect(try refusal { _ = try call("answer_bytes", try kept() + arguments, [challenge]) } == code)
        }
    }
}
