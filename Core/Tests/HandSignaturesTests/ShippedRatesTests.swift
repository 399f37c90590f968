import Encodings
import Foundation
import Testing

@testable import HandSignatures

/// The models that come with the program are those whose error rates are published.
@Suite("The shipped models")
struct ShippedRatesTests {
    /// The lines of the card.
    private static func card() throws -> [String] {
        let text = String(decoding: try ShippedModel.file("docs/signature-models.md"), as: UTF8.self)
        return text.split(separator: "\n").map { String($0) }
    }

    /// Thousands apart by a comma, as the card writes them.
    private static func grouped(_ count: Int) -> String {
        count < 1_000 ? "\(count)" : "\(count / 1_000)," + String(format: "%03d", count % 1_000)
    }

    private static func percent(_ share: Double) -> String { String(format: "%.2f %%", share * 100) }

    @Test("err as often as their card says, on as many signatures", arguments: [Capture.Tool.pen, .touch])
    func rates(tool: Capture.Tool) throws {
        let name = tool == .pen ? "pen" : "touch"
        let model = try ShippedModel.read(tool)
        let file = try ShippedModel.file("Web/hand-signatures/\(name)-rates.json")
        let rates = try #require(RatesFile(file))
        #expect(model.tool == tool && rates.tool == tool)
        #expect(rates.judgedBy == RatesFile.crossValidation && rates.sets.count == 4)
        #expect(rates.genuine.count == 2_400 && rates.skilled.count == 2_639 && rates.others.count == 17_512)
        let counts = [rates.genuine.count, rates.skilled.count, rates.others.count].map(Self.grouped)
        let signatures =
            "\(counts[0]) genuine signatures, \(counts[1]) skilled forgeries and \(counts[2]) signatures of others"
        let (genuine, forged) = (rates.genuine.map { Double($0) }, rates.skilled.map { Double($0) })
        let equal = ErrorRates(genuine: genuine, forged: forged).equal
        let fixed = rates.rates(at: model.threshold)
        let shares = [fixed.genuineRefused, fixed.forgedAccepted, fixed.othersAccepted].map(Self.percent)
        let row = [
            name, Self.percent(equal.rate), String(format: "%.3f", model.threshold), shares.joined(separator: ", "),
        ]
        let line = "| \(row.joined(separator: " | ")) |"
        let card = try Self.card()
        #expect(card.contains(line), "\(line)")
        #expect(card.contains { $0.contains(signatures) }, "\(signatures)")
    }

    @Test(
        "are the files of which the card has the digests",
        arguments: ["pen-model", "pen-rates", "touch-model", "touch-rates"])
    func digests(name: String) throws {
        let file = try ShippedModel.file("Web/hand-signatures/\(name).json")
        let digest = String(decoding: Hex.encode(SHA256.hash(file)), as: UTF8.self)
        let card = try Self.card()
        #expect(card.contains("| `\(name).json` | `\(digest)` |"), "\(digest)")
    }
}
