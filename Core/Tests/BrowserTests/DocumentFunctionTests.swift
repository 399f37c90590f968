import Documents
import Encodings
import Testing

@testable import Browser
@testable import BrowserCalls

@Suite("A document's whole way through the page")
struct DocumentFunctionTests {
    private func blob(_ name: String, _ index: Int = 0) throws -> Bytes {
        try GoodCalls.call(name).answer().blobs[index]
    }

    @Test("ends as a file that verifies, with the chosen fields and the document")
    func wholeWay() throws {
        let verify = try #require(GoodCalls.all.last { $0.name == "verify" })
        let (value, blobs) = try verify.answer()
        #expect(value["verdict"] == .text("valid"), Comment(rawValue: string(value.serialized())))
        #expect(value["claims"]?.members?.map { string($0.name) }.sorted() == ["degree", "family_name"])
        #expect(blobs == [Bytes(text: "%PDF-1.7 another degree\n%%EOF\n")])
        #expect(value["logged_at"] == .integer(Scene.issued + 60))
    }

    @Test("shows the holder what it holds")
    func opened() throws {
        let (value, blobs) = try GoodCalls.call("open_package").answer()
        #expect(value["signer"] == .text("Ada Admin"))
        #expect(value["title"] == .text("Degree certificate"))
        #expect(value["fields"]?.array?.count == 5)
        #expect(value["claims"]?["family_name"] == .text("Østby"))
        #expect(value["claims"]?["document"] == nil)
        #expect(value["issued_at"] == .integer(Scene.issued))
        #expect(value["expires_at"] == .integer(Scene.issued + 1_000_000))
        #expect(value["act"] == .members([("index", .integer(0)), ("time", .integer(Scene.issued + 60))]))
        #expect(value["status_uris"] == .array([.text(Scene.server + "/status/1"), .text(Scene.server + "/status/0")]))
        #expect(value["document"]?["name"] == .text("degree.pdf"))
        #expect(blobs.count == 2)
    }

    @Test("stops at a package that is not the listed one, not this wallet's, or not recorded")
    func notOpened() throws {
        let call = try GoodCalls.call("open_package")
        #expect(refusal(call.with("credential_digest", .text("AAAA"))) == "not_the_listed")
        #expect(refusal(call.with("signing_key", .base64URL(Scene.root.publicKey))) == "other_holder")
        #expect(refusal(call.with("type", .text("transcript"))) == "other_issuer_or_type")
        #expect(refusal(call.with("type", .text("identity"))) == "receipt_of_another_act")
        #expect(refusal(call.with("receipt", .text(""))) == "receipt_malformed")
        let scene = try #require(Scene.shared)
        let receipt = try #require(try scene.everything().bundle.receipt)
        #expect(refusal(call.with("receipt", .string(receipt))) == "receipt_for_another_credential")
        var other = call
        other.blobs = [Bytes(text: "{}")]
        #expect(refusal(other) == "bundle_unknown_format")
    }

    @Test("is drafted only for fields that fit, a key, a place and a time that make sense")
    func draft() throws {
        let call = try GoodCalls.call("draft")
        #expect(refusal(call.with("fields", .members([]))) == "field_refused")
        #expect(refusal(call.with("type", .text("licence"))) == "unknown_type")
        #expect(refusal(call.with("expires", .integer(Scene.issued))) == "already_expired")
        #expect(refusal(call.with("status", .members([("uri", .text("x"))]))) == "wrong_type")
        #expect(refusal(call.with("document", nil)) == "missing_member")
        let path = JSON.members([("name", .text("../x")), ("media_type", .text("application/pdf"))])
        #expect(refusal(call.with("document", path)) == "document_malformed")
        var short = call
        short.blobs[0] = Array(call.blobs[0].prefix(16))
        #expect(refusal(short) == "not_enough_random")
        var without = call.with("document", nil)
        without.blobs = [call.blobs[0]]
        _ = try without.answer()
        #expect(
            refusal(
                {
                    var lone = call; lone.blobs = [call.blobs[0]]; return lone
                }()) == "missing_blob")
    }

    @Test("is not sealed with a signature by another key, or another file")
    func draftFinish() throws {
        let call = try GoodCalls.call("draft_finish")
        let other = Scene.holder.sign(call.blobs[0])
        #expect(refusal(call.with("signature", .base64URL(other))) == "bad_signature")
        #expect(refusal(call.with("signature", .base64URL(Array(other.dropLast())))) == "wrong_length")
        var file = call
        file.blobs[2].append(0)
        #expect(refusal(file) == "document_altered")
        file.blobs.removeLast()
        #expect(refusal(file) == "document_missing")
    }

    @Test("is presented as chosen: all fields, some, none, with and without the file")
    func present() throws {
        let call = try GoodCalls.call("present")
        func names(_ call: TestCall) throws -> [String] {
            try UnverifiedSDJWT.parse(try call.answer().blobs[1]).disclosures.compactMap { $0.name.map(string) }
                .sorted()
        }
        #expect(try names(call) == ["degree", "document", "family_name"])
        #expect(try names(call.with("fields", .null)).count == 6)
        #expect(try names(call.with("fields", nil).with("with_document", nil)).count == 5)
        #expect(try names(call.with("fields", .array([])).with("with_document", .bool(false))) == [])
        #expect(refusal(call.with("fields", .array([.text("iq")]))) == "unknown_field")
        #expect(refusal(call.with("audience", .text(""))) == "bad_audience")
        #expect(refusal(call.with("nonce", .text(""))) == "bad_nonce")
    }

    @Test("is not handed out with a signature by another key than the holder's")
    func presentFinish() throws {
        let call = try GoodCalls.call("present_finish")
        let other = Scene.root.sign(call.blobs[0])
        #expect(refusal(call.with("signature", .base64URL(other))) == "not_the_holder")
        var swapped = call
        swapped.blobs[1] = try blob("open_package")
        #expect(refusal(swapped) == "other_presentation")
        let bundle = try PresentationBundle.parse(try call.answer().blobs[0])
        #expect(bundle.status.count == 2)
        #expect(bundle.receipt != nil)
        #expect(bundle.document != nil)
    }
}
