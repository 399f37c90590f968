import Encodings
import Testing

@testable import Browser

@Suite("The whole check in the page")
struct VerificationFunctionTests {
    private let scene: Scene

    init() throws {
        scene = try #require(Scene.shared)
    }

    // Every case there is goes through the page's own module in Tests/Browser/wasm_check.py.

    @Test("accepts what is good, says so in a sentence, and gives the document back")
    func good() throws {
        let good = try scene.verifications("good")
        for index in stride(from: 0, to: good.count, by: 3) {
            let (title, call, _) = good[index]
            let (value, blobs) = try call.answer()
            #expect(value["verdict"] == .text("valid"), "\(title)")
            let summary = string(try #require(value["summary"]?.string))
            #expect(summary.hasPrefix("Valid. Signed by Ada Admin for University of Examples."), "\(title)")
            #expect(blobs.count == (value["document"] == nil ? 0 : 1), "\(title)")
            if let size = value["document"]?["size"]?.integer { #expect(Int64(blobs[0].count) == size) }
        }
    }

    @Test("refuses forgeries for the reason that the check itself gives")
    func forged() throws {
        let forged = try scene.verifications("forged")
        for index in stride(from: 0, to: forged.count, by: 24) {
            let (title, call, expected) = forged[index]
            // That a document is there is asked for by the command line only.
            guard expected["reason"] != .text("document_missing") else { continue }
            let (value, blobs) = try call.answer()
            let checks = try #require(value["checks"]?.array)
            let check = try #require(checks.first { $0["name"] == expected["check"] })
            #expect(check["reason"] == expected["reason"], "\(title)")
            let words = try #require(check["words"]?.string)
            #expect(check["detail"]?.string?.starts(with: words) == true)
            let isUnknown = expected["result"] == .text("unknown")
            #expect(value["verdict"] == .text(isUnknown ? "could_not_tell" : "not_valid"), "\(title)")
            let summary = string(try #require(value["summary"]?.string))
            #expect(summary.hasPrefix(isUnknown ? "Could not tell. " : "Not valid. "), "\(title)")
            #expect(summary.count > 20)
            // Bytes that nobody signed are not handed on as if they were.
            if value["document"] == nil { #expect(blobs.isEmpty) }
        }
    }

    @Test("shows fields with their labels, in the order of the catalogue")
    func fields() throws {
        let value = try scene.verification("everything").answer().value
        #expect(value["title"] == .text("Degree certificate"))
        let fields = try #require(value["fields"]?.array)
        #expect(fields.map { string($0["label"]?.string ?? []) } == ["Given name", "Family name", "Degree"])
        #expect(
            fields[0]
                == .members([
                    ("name", .text("given_name")), ("label", .text("Given name")), ("value", .text("Alice")),
                ]))
        #expect(value["claims"]?.members?.count == 3)
    }

    @Test(
        "takes anything for a file, and says what is none of ours",
        arguments: [
            ("", "could_not_tell"), ("{", "not_valid"), ("{}", "could_not_tell"), ("%PDF-1.7", "could_not_tell"),
        ])
    func nonsense(file: String, verdict: String) throws {
        var call = try scene.verification("everything")
        call.blobs = [Bytes(text: file)]
        let (value, blobs) = try call.answer()
        #expect(value["verdict"] == .text(verdict))
        #expect(value["answers"]?.array?.first?["answer"] == .text(verdict == "not_valid" ? "no" : "open"))
        #expect(blobs.isEmpty)
    }

    @Test("refuses a bad anchor, log key and condition instead of checking without it")
    func conditions() throws {
        let call = try scene.verification("everything")
        #expect(refusal(call.with("root", .text("AAAA"))) == "not_a_certificate")
        #expect(refusal(call.with("log_key", .text("x"))) == "bad_log_key")
        #expect(refusal(call.with("audiences", .text("x"))) == "unknown_member")
        #expect(refusal(call.with("live_status", .array([JSON](repeating: .text("x"), count: 5)))) == "too_large")
        #expect(try call.with("nonce", .text("another")).answer().value["verdict"] == .text("not_valid"))
        #expect(try call.with("audience", .text("another")).answer().value["verdict"] == .text("not_valid"))
    }
}
