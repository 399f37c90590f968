import Encodings
import Foundation
import Testing

@testable import HandSignatures

@Suite("Learning to tell forgeries")
struct ClassificationTests {
    /// Comparisons drawn from two clouds: made-up numbers, which say nothing about accuracy.
    private static func rows(_ count: Int, seed: UInt64, inputs: Int) -> [TrainingRow] {
        var state = seed
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53) * 2 - 1
        }
        return (0..<count).map { number in
            let isForged = number % 2 == 1
            var values = (0..<inputs).map { _ in next() }
            values[0] += isForged ? 0.5 : -0.5
            return TrainingRow(inputs: values, isForged: isForged, weight: 1 + next() / 2)
        }
    }

    @Test("coefficients are where the loss is least: it has no slope there, and is larger all around")
    func linear() {
        let rows = Self.rows(400, seed: 1, inputs: 6)
        let classifier = LinearClassifier(training: rows)
        func loss(_ classifier: LinearClassifier) -> Double {
            var sum = classifier.coefficients.reduce(0) { $0 + $1 * $1 } / (2 * 0.003)
            for row in rows {
                let score = classifier.score(row.inputs)
                sum += row.weight * Foundation.log(1 + Foundation.exp(row.isForged ? -score : score))
            }
            return sum
        }
        let least = loss(classifier)
        for index in 0...6 {
            for step in [-1e-3, 1e-3] {
                var other = classifier
                if index < 6 { other.coefficients[index] += step } else { other.intercept += step }
                #expect(loss(other) > least)
            }
        }
        #expect(classifier.coefficients[0] > 0)
    }

    @Test("trees learn what no sum can: that two inputs together, and neither alone, tell")
    func trees() {
        var rows = Self.rows(2_000, seed: 2, inputs: 10)
        for index in rows.indices {
            rows[index].isForged = (rows[index].inputs[3] > 0) != (rows[index].inputs[7] > 0)
        }
        var training = TreeTraining(rows)
        let trees = training.grow()
        let right = rows.count { (trees.score($0.inputs) > 0) == $0.isForged }
        #expect(right > 1_900, "\(right)")
        var again = TreeTraining(rows)
        #expect(again.grow() == trees)
    }

    @Test("what was written is read, scores the same, and is refused when it is anything else")
    func file() throws {
        let rows = Self.rows(300, seed: 3, inputs: Enrolment.inputs)
        let learnt = SignatureModel(training: [rows], tool: .pen, threshold: -0.875)
        let file = learnt.file()
        let model = try SignatureModel(file: file)
        #expect(model.file() == file)
        #expect(model.threshold == -0.875)
        for row in rows { #expect(abs(model.score(of: row.inputs) - learnt.score(of: row.inputs)) < 1e-5) }

        let json = try JSON.parse(file)
        for member in try #require(json.members) {
            let others = json.members?.filter { $0.name != member.name } ?? []
            #expect(throws: ModelError.malformed) { try SignatureModel(file: JSON.object(others).serialized()) }
        }
        #expect(throws: ModelError.malformed) { try SignatureModel(file: Bytes(file.dropLast())) }
        let short =
            Bytes(
                text:
                    #"{"format":"countersign-signature-model-1","tool":"pen","threshold":0,"trees":{"intercept":0,"trees":[]},"#
            )
            + Bytes(text: #""linear":{"means":[1],"scales":[1],"coefficients":[1],"intercept":0,"clip":1}}"#)
        #expect(throws: ModelError.otherInputs(1)) { try SignatureModel(file: short) }
        // A tree that asks about an input that there is not, and one deeper than any.
        for tree in ["[85,0,1,1]", "[-1,0,1,1]", "[1,2,3]", "\"1\""] {
            let text = String(decoding: file, as: UTF8.self)
            let start = try #require(text.range(of: #""trees":["#)).upperBound
            let bad = text[..<start] + tree + "," + text[start...]
            #expect(throws: ModelError.malformed, "\(tree)") { try SignatureModel(file: Bytes(text: String(bad))) }
        }
    }
}
