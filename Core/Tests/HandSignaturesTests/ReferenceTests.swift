import Foundation
import Testing

@testable import HandSignatures

/// Values of the reference classifier, made with another program in another language.
@Suite("The reference classifier", .enabled(if: ResearchData.isHere))
struct ReferenceTests {
    private struct Reference: Decodable {
        struct Model: Decodable {
            let features: [String]
            let mean, scale, coef: [Double]
            let intercept, clip: Double
        }
        struct Globals: Decodable {
            let user: String
            let signature: [Name]
            let values: [Double]
        }
        struct Pair: Decodable {
            let user: String
            let a, b: [Name]
            let values: [Double]
        }
        struct Scores: Decodable {
            let user: String
            let genuine_6_to_20, forgery_1_to_20: [Double]
        }
        enum Name: Decodable, Equatable {
            case word(String)
            case number(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .word(try container.decode(String.self))
                }
            }
        }
        let model: Model
        let globals: [Globals]
        let pairs: [Pair]
        let scores: [Scores]
    }

    private let reference: Reference
    private let signatures: [ResearchCSV.Signature]
    private let preparation = Preparation.pen(clockStep: 10_000)

    init() throws {
        let url = ResearchData.folder.appendingPathComponent("reference-model.json")
        reference = try JSONDecoder().decode(Reference.self, from: Data(contentsOf: url))
        signatures = try ResearchData.signatures("svc2004-task2-users01-20")
    }

    private func prepared(_ user: String, _ name: [Reference.Name]) throws -> PreparedSignature {
        let found = try #require(
            signatures.first { signature in
                signature.user == Array(user.utf8)
                    && name == [
                        .word(signature.isForgery ? "forgery" : "genuine"), .number(signature.number),
                    ]
            })
        return try PreparedSignature(found.capture, preparation)
    }

    private func expect(_ values: [Double], _ expected: [Double], least: Double, _ what: String) {
        #expect(values.count == expected.count)
        for (index, (value, wanted)) in zip(values, expected).enumerated() {
            #expect(abs(value - wanted) <= 1e-3 * max(abs(wanted), least), "\(what), \(index): \(value), not \(wanted)")
        }
    }

    @Test("globals and path quantities are those of the reference")
    func quantities() throws {
        for one in reference.globals {
            expect(try prepared(one.user, one.signature).globals, one.values, least: 1, "globals of \(one.user)")
        }
        for pair in reference.pairs {
            let alignment = Alignment(try prepared(pair.user, pair.a), try prepared(pair.user, pair.b))
            expect(alignment.values, pair.values, least: 1e-2, "\(pair.user) \(pair.a) \(pair.b)")
        }
    }

    @Test("scores of three users are those of the reference")
    func scores() throws {
        let model = LinearClassifier(
            means: reference.model.mean, scales: reference.model.scale, coefficients: reference.model.coef,
            intercept: reference.model.intercept, clip: reference.model.clip)
        for one in reference.scores {
            func all(_ kind: String, _ numbers: ClosedRange<Int>) throws -> [PreparedSignature] {
                try numbers.map { try prepared(one.user, [.word(kind), .number($0)]) }
            }
            let enrolment = Enrolment(try all("genuine", 1...5))
            func scores(_ probes: [PreparedSignature]) -> [Double] {
                probes.map { model.score(enrolment.inputs(of: $0)) }
            }
            expect(scores(try all("genuine", 6...20)), one.genuine_6_to_20, least: 5, "genuine \(one.user)")
            expect(scores(try all("forgery", 1...20)), one.forgery_1_to_20, least: 5, "forged \(one.user)")
        }
    }
}
