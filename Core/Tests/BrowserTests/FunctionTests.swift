import Documents
import Encodings
import Testing

@testable import Browser
@testable import BrowserCalls

@Suite("Functions")
struct FunctionTests {
    private func value(_ name: String) throws -> JSON { try GoodCalls.call(name).answer().value }

    @Test("draw QR codes: the side with its quiet zone, and the same path as the symbol")
    func qr() throws {
        let call = TestCall(name: "qr", arguments: [("text", .text("HELLO"))])
        let value = try call.answer().value
        #expect(value["size"] == .integer(29))
        #expect(value["path"]?.string?.starts(with: "M4 4h7v1h-7z".utf8) == true)
        for (level, size) in [("L", 33), ("H", 41)] as [(String, Int64)] {
            let text = JSON.text("https://university.example/")
            let sized = call.with("text", text).with("level", .text(level))
            #expect(try sized.answer().value["size"] == .integer(size))
        }
        #expect(refusal(call.with("level", .text("X"))) == "wrong_type")
        #expect(refusal(call.with("text", .string(Bytes(repeating: 0x61, count: 2_500)))) == "too_large")
    }

    @Test("name keys by their thumbprints, and refuse what is no key")
    func thumbprint() throws {
        let call = try GoodCalls.call("thumbprint")
        let members = Scene.holder.publicKey
        let jwk =
            "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(string(Base64.encode(Array(members[1..<33]), .url)))\","
            + "\"y\":\"\(string(Base64.encode(Array(members[33...]), .url)))\"}"
        #expect(try call.answer().value["thumbprint"] == .base64URL(SHA256.hash(Bytes(text: jwk))))
        var notOnCurve = members
        notOnCurve[64] ^= 1
        #expect(refusal(call.with("key", .base64URL(notOnCurve))) == "bad_key")
        #expect(refusal(call.with("key", .base64URL(Array(members.dropLast())))) == "bad_key")
        #expect(refusal(call.with("key", .text("AB"))) == "bad_base64url")
    }

    @Test("list the catalogue with the columns of lists, in words that the HTTP interface has")
    func catalogue() throws {
        let types = try #require(try value("catalogue").array)
        #expect(types.count == DocumentCatalogue.types.count)
        let transcript = try #require(types.first)
        #expect(transcript["id"] == .text("transcript"))
        #expect(transcript["title"] == .text("Transcript of records"))
        #expect(types.last?["is_issued_on_request"] == .bool(false))
        let fields = try #require(transcript["fields"]?.array)
        #expect(
            fields[1]
                == .members([
                    ("name", .text("family_name")), ("label", .text("Family name")), ("kind", .text("text")),
                    ("is_mandatory", .bool(true)),
                ]))
        let courses = try #require(fields.first { $0["kind"] == .text("list") })
        #expect(courses["fields"]?.array?.count == 4)
    }

    @Test("call types and fields as people do in the language that is asked for, and in English for any other")
    func labels() throws {
        func title(_ language: String) throws -> String {
            let call = try GoodCalls.call("catalogue").with("language", .text(language))
            let types = try call.answer().value.array
            let fields = try #require(types?.first?["fields"]?.array)
            return string(types?.first?["title"]?.string ?? []) + ", " + string(fields[0]["label"]?.string ?? [])
        }
        #expect(try title("de") == "Leistungsnachweis, Vorname")
        #expect(try title("ar") == "كشف الدرجات, الاسم الأول")
        #expect(try title("fr") == "Transcript of records, Given name")
    }

    @Test("validate fields and name every problem")
    func validate() throws {
        let problems = try #require(try value("validate")["problems"]?.array)
        let found = problems.map { "\(string($0["field"]?.string ?? [])) \(string($0["reason"]?.string ?? []))" }
        #expect(
            found == [
                "degree not_text", "family_name missing", "field_of_study missing", "conferred_on missing",
            ])
        let words = problems.allSatisfy { $0["words"]?.string?.isEmpty == false }
        #expect(words)
        let good = try GoodCalls.call("draft").arguments.first { $0.0 == "fields" }
        let call = try GoodCalls.call("validate").with("fields", good?.1)
        #expect(try call.answer().value["problems"] == .array([]))
        #expect(refusal(call.with("type", .text("licence"))) == "unknown_type")
    }

    @Test("write statements in canonical form and check them")
    func statements() throws {
        let input = try GoodCalls.call("jws").answer().blobs[0]
        let parts = try input.split(at: 0x2E).map { try #require(Base64.decode($0, .url)) }
        #expect(string(parts[0]) == #"{"alg":"ES256","typ":"countersign-sign-in+jwt"}"#)
        #expect(string(parts[1]) == #"{"aud":"https://university.example","iat":1790003700,"nonce":"é\n"}"#)
        let call = try GoodCalls.call("jws_verify")
        #expect(try call.answer().value["payload"]?["iat"] == .integer(Scene.now))
        #expect(refusal(call.with("type", .text("countersign-device+jwt"))) == "wrong_purpose")
        #expect(refusal(call.with("key", .base64URL(Scene.root.publicKey))) == "bad_signature")
        #expect(refusal(call.with("jws", .text("a.b"))) == "jws_malformed")
    }

    @Test(
        "sign nothing under another purpose than a statement's",
        arguments: [
            "kb+jwt", "dc+sd-jwt", "statuslist+jwt", "countersign-+JWT", "countersign-device+jwt ",
            "x-countersign-a+jwt", "",
        ])
    func purposes(type: String) throws {
        #expect(refusal(try GoodCalls.call("jws").with("type", .text(type))) == "wrong_type")
    }

    @Test("refuse statements with numbers that are not whole")
    func fractions() throws {
        let payload = JSON.members([("iat", .decimal(Bytes(text: "1.5")))])
        #expect(refusal(try GoodCalls.call("jws").with("payload", payload)) == "wrong_type")
    }

    @Test("say what a wrong member is called")
    func words() throws {
        do {
            _ = try GoodCalls.call("thumbprint").with("key", .integer(1)).answer()
            Issue.record("accepted")
        } catch let error as BrowserError {
            #expect(string(error.message) == "The member 'key' is not a text.")
        }
    }
}
