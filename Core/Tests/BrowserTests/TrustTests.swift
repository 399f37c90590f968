import Certificates
import Documents
import Encodings
import Testing
import Transparency

@testable import Browser
@testable import BrowserCalls

@Suite("Trust")
struct TrustTests {
    private let scene: Scene
    private let root: Bytes

    init() throws {
        scene = try #require(Scene.shared)
        root = try #require(scene.forgeries["root"]?.string.flatMap { Base64.decode($0, .url) })
    }

    @Test("an anchor is read from DER and PEM alike")
    func anchor() throws {
        let der = try TestCall(name: "anchor", blobs: [root]).answer().value
        #expect(try TestCall(name: "anchor", blobs: [PEM.encode(root)]).answer().value == der)
        #expect(der["organisation"] == .text("University of Examples"))
        #expect(der["public_url"] == .text(Scene.server))
        let fingerprint = SHA256.hash(root)
        #expect(der["fingerprint"] == .hex(fingerprint))
        let groups = FingerprintGroups.text(fingerprint)
        #expect(der["groups"] == .string(groups) && der["matches"] == .bool(false))
        let typed = TestCall(name: "anchor", arguments: [("typed", .string(groups))], blobs: [root])
        #expect(try typed.answer().value["matches"] == .bool(true))
        #expect(der["der"] == .base64URL(root))
        #expect(der["not_after"] == .integer(Scene.issued + 3285 * 86_400))
    }

    @Test("anything but one root certificate is refused")
    func notAnAnchor() throws {
        let chain = try scene.everything().credential.certificates()
        for (file, expected) in [
            ([], "not_a_certificate"), (Bytes(text: "root"), "not_a_certificate"), ([0x30], "not_a_certificate"),
            (Array(root.dropLast()), "not_a_certificate"), (chain[0], "not_a_root"), (chain[1], "not_a_root"),
            (PEM.encode(root) + PEM.encode(root), "too_large"),
            (PEM.encode(root, label: "PRIVATE KEY"), "not_a_certificate"),
        ] as [(Bytes, String)] {
            #expect(refusal(TestCall(name: "anchor", blobs: [file])) == expected)
        }
    }

    @Test("a chain gives the leaf's name and key, and is refused for another purpose or time")
    func chain() throws {
        let call = try GoodCalls.call("chain")
        let value = try call.answer().value
        #expect(value["name"] == .text("Ada Admin"))
        #expect(value["organisation"] == .text("University of Examples"))
        #expect(value["public_key"] == .base64URL(Scene.administrator.publicKey))
        #expect(value["capabilities"]?.array?.count == 2)
        _ = try call.with("purpose", .text("identity")).answer()
        #expect(refusal(call.with("purpose", .text("status"))) == "certificate_not_for_this")
        #expect(refusal(call.with("purpose", .text("anything"))) == "wrong_type")
        #expect(refusal(call.with("time", .integer(Scene.issued + 81 * 86_400))) == "certificate_expired")
        #expect(refusal(call.with("time", .integer(0))) == "certificate_not_yet_valid")
        #expect(refusal(call.with("chain", .array([try scene.chain()[0]]))) == "untrusted_chain")
        #expect(refusal(call.with("chain", .array([]))) == "missing_member")
        #expect(refusal(call.with("chain", .array([.text("MA")]))) == "certificate_malformed")
        #expect(refusal(call.with("root", try scene.chain()[1])) == "not_a_root")
    }

    @Test("the main administrator's certificate gives her key and its end, and nobody else's does")
    func authority() throws {
        let scene = try #require(Scene.shared)
        let call = try GoodCalls.call("authority")
        let value = try call.answer().value
        #expect(value["public_key"] == .base64URL(Scene.mainAdministrator.publicKey))
        let end = try #require(value["not_after"]?.integer)
        #expect(end > Scene.now)
        #expect(refusal(call.with("time", .integer(end + 1))) == "certificate_expired")
        #expect(refusal(call.with("time", .integer(0))) == "certificate_not_yet_valid")
        #expect(refusal(call.with("certificate", try scene.chain()[0])) == "untrusted_chain")
        #expect(refusal(call.with("certificate", .text("MA"))) == "certificate_malformed")
        #expect(refusal(call.with("root", try scene.chain()[1])) == "not_a_root")
    }

    @Test("a receipt proves its act and no other")
    func receipt() throws {
        let call = try GoodCalls.call("receipt")
        let value = try call.answer().value
        #expect(value["index"] == .integer(5))
        #expect(value["time"] == .integer(Scene.issued + 60))
        #expect(value["type"] == .text("document.issued"))
        #expect(value["origin"] == .text("university.example/log"))
        #expect(value["record"]?["status_index"] == .integer(42))
        #expect(refusal(call.with("type", .text("document.revoked"))) == "receipt_of_another_act")
        #expect(refusal(call.with("members", .members([("status_index", .integer(43))]))) == "receipt_of_another_act")
        #expect(refusal(call.with("members", .members([("reason", .text("x"))]))) == "receipt_of_another_act")
        #expect(refusal(call.with("proof", .text("x"))) == "receipt_malformed")
        let other = "university.example/log+00000000+" + string(Base64.encode([1] + Scene.log.publicKey, .standard))
        #expect(refusal(call.with("log_key", .text(other))) == "bad_log_key")
        let proof = try #require(call.arguments.first { $0.0 == "proof" }?.1.string)
        var damaged = proof
        damaged[damaged.count - 10] ^= 1
        #expect(refusal(call.with("proof", .string(damaged))) != nil)
    }

    @Test("a checkpoint is the pinned log's, with the witnesses that a policy asks for")
    func checkpoint() throws {
        let call = try GoodCalls.call("checkpoint")
        let value = try call.answer().value
        #expect(value["origin"] == .text("university.example/log"))
        #expect(value["size"] == .integer(11))
        #expect(value["witnesses"] == .array([]))
        let log = try #require(call.arguments.first { $0.0 == "log_key" }?.1.string)
        let witness = try NoteVerifierKey(
            name: Bytes(text: "w"), publicKey: Bytes(repeating: 1, count: 32), algorithm: .cosignature)
        let policy = Bytes(text: "log ") + log + Bytes(text: "\nwitness w ") + witness.encoded()
        let none = call.with("log_key", .string(policy + Bytes(text: "\nquorum none\n")))
        #expect(try none.answer().value["size"] == .integer(11))
        let asked = call.with("log_key", .string(policy + Bytes(text: "\nquorum w\n")))
        #expect(refusal(asked) == "receipt_unwitnessed")
        let other = try NoteVerifierKey(
            name: Bytes(text: "university.example/log"), publicKey: Bytes(repeating: 1, count: 32))
        #expect(refusal(call.with("log_key", .string(other.encoded()))) == "receipt_of_another_log")
    }

    @Test("a log policy is the main administrator's, for this organisation and its log")
    func logPolicy() throws {
        let call = try GoodCalls.call("log_policy")
        let value = try call.answer().value
        #expect(value["version"] == .integer(3))
        let certificates = try #require(Scene.shared).everything().credential.certificates().map(Certificate.parse)
        #expect(value["certified"] == .integer(try #require(certificates.first { $0.isAuthority }).notBefore))
        let log = try #require(try GoodCalls.call("checkpoint").arguments.first { $0.0 == "log_key" }?.1.string)
        #expect(value["policy"] == .string(Bytes(text: "log ") + log + Bytes(text: "\nquorum none\n")))
        let elsewhere = try NoteVerifierKey(name: Bytes(text: "a.example/log"), publicKey: Scene.log.publicKey)
        for statement in [
            Scene.logPolicy(log: log, by: Scene.administrator), Scene.logPolicy(log: log, by: Scene.root),
            Scene.logPolicy(log: log, version: 0), Scene.logPolicy(log: log, audience: "https://a.example"),
            Scene.logPolicy(log: log, type: "countersign-authority+jwt"),
            Scene.logPolicy(log: log, time: Scene.now + 301), Scene.logPolicy(log: log, time: 0),
            Scene.logPolicy(log: elsewhere.encoded()), Bytes(text: "a.b.c"),
        ] {
            #expect(refusal(call.with("statement", .string(statement))) == "bad_log_policy")
        }
        #expect(refusal(call.with("certificate", try Scene.shared?.chain()[0])) == "bad_log_policy")
    }
}
