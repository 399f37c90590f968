import BrowserCalls
import Encodings
import Testing

@testable import ApprovalBrowser

@Suite("An enrolment in a page")
struct EnrolmentCallTests {
    let json: JSON

    init() throws { json = try vectors() }

    @Test("gives the bytes, the code and the message that an independent program made")
    func enrolments() throws {
        let offer = try json.hex("offer")
        var vouchers = 0
        for one in try json.list("enrolments") {
            var arguments: [(String, JSON)] = [
                ("time", try #require(one["now"])), ("name", .string(try one.text("name"))),
                ("key", try one.base64("key")),
            ]
            if one["by"]?.string != nil { arguments.append(("by", try one.base64("by"))) }
            let (value, bytes) = try call("enrolment_bytes", arguments, [offer])
            let signed = try one.hex("signed")
            #expect(bytes == [signed] && value["code"] == one["code"])
            let message = try one.hex("message")
            let parts = try #require(
                try Bencode.parse(message, maximumLength: 1_024, maximumDepth: 2, maximumCount: 16).list)
            let signature = JSON.base64URL(try #require(parts[3].string))
            let handover = try #require(parts[4].string)
            arguments.append(("signature", signature))
            if !handover.isEmpty {
                vouchers += 1
                #expect(try refusal { _ = try call("enrolment", arguments, [offer]) } == "missing_member")
                let wrong = arguments + [("handover", signature)]
                #expect(try refusal { _ = try call("enrolment", wrong, [offer]) } == "invalid_signature")
                arguments.append(("handover", .base64URL(handover)))
            }
            #expect(try call("enrolment", arguments, [offer]).blobs == [message])
        }
        #expect(vouchers > 0)
    }

    @Test("begins only with an offer whose signature and time hold")
    func offers() throws {
        let (value, _) = try call("offer", [("time", .integer(1_899_999_100))], [try json.hex("offer")])
        let members = try #require(json["offer_members"])
        #expect(value["account"] == (try members.base64("account")) && value["expires"] == members["expires"])
        #expect(value["service"] == .string(try json.text("service")) && value["reply"] == members["reply"])
        for one in try json.list("offers_refused") {
            let said = try refusal {
                _ = try call("offer", [("time", try #require(one["now"]))], [try one.hex("message")])
            }
            #expect(said == String(decoding: try one.text("error"), as: UTF8.self))
        }
    }

    @Test("ends with a confirmation for this key and service, by the server's key")
    func confirmations() throws {
        let receipt = try #require(
            try Bencode.parse(
                try json.list("receipts")[0].hex("receipt"), maximumLength: 1 << 17, maximumDepth: 3, maximumCount: 256
            ).list)
        let answer = try #require(receipt[5].list?[0].list)
        let blobs = [try #require(answer[0].string), try #require(answer[1].string)]
        let right: [(String, JSON)] = [
            ("service", .string(try json.text("service"))), ("server_key", try json.base64("server")),
            ("key", try json.list("answers")[0].base64("device")),
        ]
        #expect(try call("confirmation", right, blobs).value["account"] != nil)
        for (index, (value, code)) in [
            (JSON.text("other.example"), "other_device"), (try json.base64("other_server"), "invalid_signature"),
            (try json.base64("server"), "other_device"),
        ].enumerated() {
            var wrong = right
            wrong[index].1 = value
            #expect(try refusal { _ = try call("confirmation", wrong, blobs) } == code)
        }
    }
}
