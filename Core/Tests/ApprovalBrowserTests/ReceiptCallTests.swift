import BrowserCalls
import Encodings
import Testing

@testable import ApprovalBrowser

@Suite("Receipts and links in a page")
struct ReceiptCallTests {
    let json: JSON

    init() throws { json = try vectors() }

    private func trusted() throws -> [(String, JSON)] {
        let service = JSON.members([("id", .string(try json.text("service"))), ("key", try json.base64("server"))])
        return [("services", .array([service]))]
    }

    @Test("receipts say what was asked, decided and by whom; spoilt ones say why they prove nothing")
    func receipts() throws {
        for one in try json.list("receipts") {
            let (value, _) = try call("receipt", try trusted(), [try one.hex("receipt")])
            let lines = try shown(value)
            #expect(lines == (try one.list("lines").map { $0.array ?? [] }))
            let accounts = try one.list("accounts").map { JSON.base64URL(try #require(Hex.decode($0.string ?? []))) }
            #expect(try value.list("answers").map { $0["account"] } == accounts)
            #expect(value["time"] == one["time"])
            #expect(value["reason"] == one["decision"]?["reason"] && value["scope"] == one["decision"]?["scope"])
            let sender = try call("receipt_service", [], [try one.hex("receipt")]).value
            #expect(sender["server_key"] == (try json.base64("server")))
        }
        for one in try json.list("receipts_refused") {
            // Snake case here, as in every code that pages read.
            let error = String(decoding: try one.text("error"), as: UTF8.self).prefix { $0 != "(" }.reduce(into: "") {
                text, letter in
                text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
            }
            let said = try refusal { _ = try call("receipt", try trusted(), [try one.hex("receipt")]) }
            #expect(said == error, "\(one["note"] as JSON?)")
        }
        let receipt = try json.list("receipts")[0].hex("receipt")
        #expect(try refusal { _ = try call("receipt", [("services", .array([]))], [receipt]) } == "unknown_service")
    }

    @Test("messages become a link or parts, and come back whole from parts in any order")
    func links() throws {
        for one in try json.list("air_gap") {
            let message = try one.hex("message")
            let links = try call("links", [], [message]).value.list("links")
            if message.count <= 2_048 {
                #expect(links == [try #require(one["link"])])
                #expect(try call("read_link", [("text", links[0])]).blobs == [message])
            }
            let parts = try one.list("parts")
            let again = Array(parts.reversed()) + parts
            let joined = try call("join_parts", [("texts", .array(again))])
            #expect(joined.blobs == [message] && joined.value["kind"]?.string?.isEmpty == false)
            let some = try call("join_parts", [("texts", .array([.text("https://other.example/"), parts[0]]))])
            if parts.count > 1 {
                #expect(some.blobs.isEmpty && some.value["received"] == .integer(1))
                #expect(some.value["expected"] == .integer(Int64(parts.count)))
            }
        }
        #expect(try refusal { _ = try call("read_link", [("text", .text("authreq:2:bDE6eGU"))]) } == "not_a_link")
        #expect(try refusal { _ = try call("read_link", [("text", .text("https://bank.example"))]) } == "not_a_link")
        let long = Bytes(repeating: 1, count: 1 << 20)
        #expect(try refusal { _ = try call("links", [], [long]) } == "too_large")
    }
}
