import Encodings
import Foundation
import HandSignatures

/// The figures of one research file: for people, for programs, and for a page.
struct EvaluatedSet {
    private let name: String
    private let users: Int
    let evaluation: Evaluation
    private let fixed: Evaluation.FixedRates
    private let interval: (low: Double, high: Double)
    /// The mean over the users where their thresholds differ.
    private let threshold: Double

    init<Signature>(
        _ set: SignatureSet<Signature>, _ evaluation: Evaluation, threshold: (_ user: Int) -> Double
    ) {
        name = set.name
        users = set.users.count
        self.evaluation = evaluation
        fixed = evaluation.rates(at: threshold)
        interval = evaluation.interval()
        self.threshold = set.users.indices.map(threshold).reduce(0, +) / Double(set.users.count)
    }

    /// What it is about.
    var title: String { "\(name): \(users) users, \(evaluation.probes) probes" }

    /// What is measured, and how much it is.
    var rows: [[String]] {
        let point = "at \(Fraction.text(threshold)): "
        let others = [fixed.falseAcceptanceOfOthers, evaluation.random?.equal.rate].map {
            $0.map { Fraction.percent($0) } ?? "-"
        }
        return [
            [
                "EER, skilled forgeries",
                "\(Fraction.percent(evaluation.commonEqual)) (\(Fraction.percent(interval.low)) to "
                    + "\(Fraction.percent(interval.high)))",
            ],
            ["EER, each user alone", Fraction.percent(evaluation.userEqual)],
            ["EER, other users' signatures", others[1]],
            [point + "genuine refused", Fraction.percent(fixed.falseRejection)],
            [point + "forged accepted", Fraction.percent(fixed.falseAcceptance)],
            [point + "others accepted", others[0]],
        ]
    }

    /// Fractions, by the names of the documentation.
    var json: JSON {
        let (far, frr) = (fixed.falseAcceptance, fixed.falseRejection)
        return .members([
            ("eer_common_random", (evaluation.random?.equal.rate).map(Fraction.json) ?? .null),
            ("eer_common_skilled", Fraction.json(evaluation.commonEqual)),
            ("eer_common_skilled_high", Fraction.json(interval.high)),
            ("eer_common_skilled_low", Fraction.json(interval.low)),
            ("eer_user_skilled", Fraction.json(evaluation.userEqual)), ("file", .text(name)),
            (
                "fixed",
                .members([
                    ("far", Fraction.json(far)),
                    ("far_random", fixed.falseAcceptanceOfOthers.map(Fraction.json) ?? .null),
                    ("frr", Fraction.json(frr)), ("hter", Fraction.json((far + frr) / 2)),
                    ("threshold", Fraction.json(threshold)),
                ])
            ),
            ("probes", .integer(Int64(evaluation.probes))), ("users", .integer(Int64(users))),
        ])
    }

    /// How both errors go against each other; of several enrolments, all together.
    var plot: Bytes {
        var curves = [
            DETPlot.Curve(
                name: Bytes(text: "skilled forgeries"),
                rates: ErrorRates(
                    genuine: evaluation.skilled.flatMap(\.genuine), forged: evaluation.skilled.flatMap(\.forged)),
                threshold: threshold)
        ]
        if let random = evaluation.random {
            curves.append(DETPlot.Curve(name: Bytes(text: "other users"), rates: random, threshold: threshold))
        }
        return DETPlot.svg(curves)
    }
}

/// Numbers between whole ones.
enum Fraction {
    static func text(_ value: Double, _ places: Int = 3) -> String { String(format: "%.\(places)f", value) }
    static func percent(_ value: Double) -> String { String(format: "%.2f %%", value * 100) }
    static func json(_ value: Double) -> JSON { .decimal(Bytes(text: String(format: "%.6f", value))) }
}
