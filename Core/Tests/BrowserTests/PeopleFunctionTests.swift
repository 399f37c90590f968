import Certificates
import EllipticCurves
import Encodings
import Testing

@testable import Browser
@testable import BrowserCalls

@Suite("Face to face, pairing, delegation")
struct PeopleFunctionTests {
    @Test("the holder's code is read as it was written, bare and as a link")
    func enrolmentCode() throws {
        let written = try GoodCalls.call("enrolment_code")
        let code = try written.answer().value
        let text = try #require(code["text"])
        let link = try #require(code["link"]?.string)
        #expect(string(link).hasPrefix(Scene.server + "/console/check#"))
        for spelling in [text, .string(link), .string(Bytes(text: " ") + link + Bytes(text: "\n"))] {
            let read = try TestCall(name: "read_enrolment_code", arguments: [("text", spelling)]).answer().value
            for (member, value) in written.arguments { #expect(read[bytes: Bytes(text: member)] == value) }
        }
        let read = TestCall(name: "read_enrolment_code")
        #expect(refusal(read.with("text", .text("https://example.com/"))) == "not_a_code")
        #expect(refusal(read.with("text", .text("countersign-enrol:abc"))) == "code_malformed")
    }

    @Test("the new device's code is read as it was written")
    func pairingCode() throws {
        let written = try GoodCalls.call("pairing_code")
        let text = try #require(try written.answer().value["text"])
        #expect(text.string.map(string)?.hasPrefix(Scene.server + "/add-device#") == true)
        let read = try GoodCalls.call("read_pairing_code")
        let value = try read.answer().value
        for (member, expected) in written.arguments { #expect(value[bytes: Bytes(text: member)] == expected) }
        #expect(refusal(read.with("text", .text("add-device"))) == "not_a_code")
    }

    @Test("digits are those of the administrator's check")
    func digits() throws {
        let scene = try #require(Scene.shared)
        let answer = try GoodCalls.call("check_answer").answer().value
        #expect(answer["digits"] == scene.faceToFace["digits"])
        #expect(answer["statement_digest"] == scene.faceToFace["statement_digest"])
        let shown = scene.faceToFace["shown"]
        #expect(answer["signing_key"] == shown?["device"]?["signing_key"])
        let nonce = try #require(shown?["holder_nonce"])
        let key = TestCall(name: "thumbprint", arguments: [("key", try #require(answer["signing_key"]))])
        let encryption = TestCall(name: "thumbprint", arguments: [("key", try #require(answer["encryption_key"]))])
        let digits = TestCall(
            name: "digits",
            arguments: [
                ("holder_key", try #require(try key.answer().value["thumbprint"])),
                ("encryption_key", try #require(try encryption.answer().value["thumbprint"])), ("holder_nonce", nonce),
                ("administrator_nonce", try #require(scene.faceToFace["nonce"])),
            ])
        #expect(try digits.answer().value == .members([("digits", try #require(answer["digits"]))]))
        #expect(refusal(digits.with("holder_nonce", .text("AAAA"))) == "wrong_length")
    }

    @Test("an answer that the code did not promise is refused, each for its own reason")
    func refusedAnswers() throws {
        let scene = try #require(Scene.shared)
        let call = try GoodCalls.call("check_answer")
        let codes = [
            "differsFromCode": ["differs_from_code"], "notAnswered": ["not_answered"], "wrongNonce": ["wrong_nonce"],
            "notSigned": ["bad_signature", "wrong_purpose", "jws_malformed", "unsupported_algorithm", "too_large"],
            "otherStatement": ["other_statement"],
        ]
        for item in try #require(scene.faceToFace["refused"]?.array) {
            let name = try #require(item["error"]?.string)
            let expected = try #require(codes[string(name)])
            let found = try #require(refusal(call.with("enrolment", item["shown"])))
            #expect(expected.contains(found) || found == "wrong_type", "\(found) instead of \(expected)")
        }
        #expect(refusal(call.with("server", .text("https://other.example"))) == "other_server")
        #expect(refusal(call.with("code", .text("x"))) == "not_a_code")
    }

    @Test("a certificate that was drafted and signed leads to the root")
    func certificate() throws {
        let scene = try #require(Scene.shared)
        let der = try GoodCalls.call("certificate_finish").answer().blobs[0]
        let chain = try GoodCalls.call("chain").with("chain", .array([.base64URL(der), try scene.chain()[1]]))
        let value = try chain.answer().value
        #expect(value["name"] == .text("Åse Admin"))
        #expect(value["public_key"] == .base64URL(Scene.administrator.publicKey))
        #expect(value["not_after"] == .integer(Scene.issued + 86_400))
        let serial = try Certificate.parse(der).serialNumber
        #expect(serial == Bytes(repeating: 0x41, count: 16))
    }

    @Test("a certificate is drafted only by the main administrator and only in good form")
    func refusedCertificates() throws {
        let scene = try #require(Scene.shared)
        let call = try GoodCalls.call("administrator_certificate")
        #expect(refusal(call.with("own", try scene.chain()[0])) == "wrong_issuer")
        #expect(refusal(call.with("own", .text("AAAA"))) == "not_a_certificate")
        #expect(refusal(call.with("name", .text(""))) == "bad_name")
        #expect(refusal(call.with("capabilities", .array([]))) == "wrong_issuer")
        #expect(refusal(call.with("capabilities", .array([.text("everything")]))) == "wrong_type")
        #expect(refusal(call.with("not_before", .integer(JSON.safeInteger))) == "bad_validity")
        #expect(refusal(call.with("serial", .text("AAAA"))) == "wrong_length")
        let address = JSON.members([("uri", .text("a b")), ("index", .integer(1))])
        #expect(refusal(call.with("status", address)) == "bad_address")
        // Half a year beyond the issuer's end is cut, not refused.
        _ = try call.with("duration", .integer(1_000 * 86_400)).answer()
        let finish = try GoodCalls.call("certificate_finish")
        #expect(refusal(finish.with("signature", .base64URL(Bytes(repeating: 0, count: 64)))) == "bad_signature")
        var other = finish
        other.blobs = [Bytes(text: "x")]
        #expect(refusal(other) == "certificate_malformed")
    }
}
