import Encodings
import Foundation
import Testing

@testable import Wallet

/// Receipts that a program in Python made, checked by the command line as their reader does.
@Suite("countersign approvals check", .blocking)
struct ApprovalReceiptCommandTests {
    private let made: JSON
    private let folder: TemporaryFolder

    init() throws {
        let file = Program.repository.appending(path: "Core/Tests/ApprovalsTests/Fixtures/approvals.json")
        made = try JSON.parse(Bytes(Data(contentsOf: file)), maximumLength: 1 << 23, maximumCount: 1 << 18)
        folder = try TemporaryFolder()
    }

    private func trust(_ key: StaticString = "server", domain: String = "bank.example") throws -> [String] {
        let point = try #require(Hex.decode(made[key]?.string ?? []))
        return ["--trust", "\(domain)=\(point.base64URL)"]
    }

    private func check(_ receipt: JSON, _ arguments: [String]) throws -> Program.Outcome {
        let file = folder.path("one.approval")
        let bytes = try #require(Hex.decode(receipt.string ?? []))
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return try Program.run(Program.countersign, ["approvals", "check", file] + arguments)
    }

    @Test("says yes only to a receipt whose every signature holds, of a service that the reader trusts")
    func verdicts() throws {
        for one in try #require(made["receipts"]?.array) {
            let receipt = try #require(one["receipt"])
            let outcome = try check(receipt, try trust() + ["--json"])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let said = try JSON.parse(Bytes(text: outcome.output), maximumLength: 1 << 20, maximumCount: 1 << 12)
            let lines = said["lines"]?.array?.map { JSON.array([$0["label"] ?? .null, $0["text"] ?? .null]) }
            #expect(lines == one["lines"]?.array && said["verdict"] == .text("valid") && said["time"] == one["time"])
            #expect(try check(receipt, []).status == 2)
        }
        for one in try #require(made["receipts_refused"]?.array) {
            let outcome = try check(one["receipt"] ?? .null, try trust())
            #expect(outcome.status == 1 && outcome.errors.contains("proves nothing"), "\(outcome.errors)")
        }
    }

    @Test("shows words for people, and asks whose key it is when nobody has said so")
    func words() throws {
        let receipt = try #require(made["receipts"]?.array?.first?["receipt"])
        let known = try check(receipt, try trust())
        #expect(known.output.contains("  amount: 30.00 GBP\n") && known.output.contains("Approved, with the code 42."))
        #expect(known.output.contains("Genuine: bank.example asked"))
        let unknown = try check(receipt, try trust(domain: "shop.example"))
        #expect(unknown.status == 2 && unknown.output.contains("is this the key of bank.example?"))
        #expect(unknown.output.contains("Genuine") == false)
        // Another key than the one that the reader trusts for the domain.
        let other = try check(receipt, try trust("other_server"))
        #expect(other.status == 1 && other.errors.contains("unknown_service"), "\(other.output)\(other.errors)")
        let wrong = try check(receipt, ["--trust", "bank.example"])
        #expect(wrong.status == 2 && wrong.errors.contains("DOMAIN=KEY"))
        let text = folder.path("letter.txt")
        try Data("A letter".utf8).write(to: URL(fileURLWithPath: text))
        let letter = try Program.run(Program.countersign, ["approvals", "check", text])
        #expect(letter.status == 1 && letter.errors.contains("no receipt of an approval"))
    }
}
