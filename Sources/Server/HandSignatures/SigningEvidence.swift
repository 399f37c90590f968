import Encodings
import HandSignatures
import Interface
import Verification

/// The evidence of one signature, kept beside its row: sealed, for the desk, for reports, and for a court.
struct SigningEvidence {
    /// The record without the decision.
    var record: SigningRecord
    /// The picture of the signature, SVG.
    var drawing: Bytes
    /// The channels over the aligned path: name, title, SVG.
    var plots: JSON
    /// The capture, sealed to the forensic key: compact JWE.
    var movement: Bytes
    /// The JPEG, base64url, if one was taken.
    var photograph: String?
    /// The figures, and what they mean.
    var comparison: Interface.Comparison
    /// How often the model errs that judged, as reports say it.
    var errorRates: JSON

    /// The `typ` of sealed movements.
    static let movementType = "countersign-movement"

    var field: String { String(decoding: record.field, as: UTF8.self) }
    var method: String { String(decoding: record.method, as: UTF8.self) }

    /// The id of the template that was compared with.
    var template: String { String(decoding: record.template, as: UTF8.self) }

    /// SHA-256 of the bytes that were signed, base64url: the row has only a keyed hash of it.
    var digest: String { String(decoding: record.digest, as: UTF8.self) }

    /// The enrolment that the transaction rests on; `nil` in evidence from before it was recorded.
    var enrolment: SigningEnrolment? {
        guard let enrolment = record.facts["enrolment"], let paper = enrolment.words("paper"),
            let time = enrolment["time"]?.integer
        else { return nil }
        return SigningEnrolment(
            time: time, paper: paper, operatorName: enrolment["operator"]?.words("name"),
            logIndex: enrolment["log_index"]?.integer)
    }

    func encoded() throws -> Bytes {
        var members: [(String, JSON)] = [
            ("drawing", .string(drawing)), ("error_rates", errorRates), ("facts", record.facts),
            ("movement", .string(movement)),
            ("plots", plots), ("score", .integer(comparison.score)), ("threshold", .integer(comparison.threshold)),
        ]
        if let photograph { members.append(("photograph", .text(photograph))) }
        return JSON.members(members).serialized()
    }

    init(
        record: SigningRecord, drawing: Bytes, plots: JSON, movement: Bytes, photograph: String?,
        comparison: Interface.Comparison, errorRates: JSON
    ) {
        self.record = record
        self.drawing = drawing
        self.plots = plots
        self.movement = movement
        self.photograph = photograph
        self.comparison = comparison
        self.errorRates = errorRates
    }

    init(_ bytes: Bytes) throws {
        guard let json = try? JSON.parse(bytes, maximumLength: 1 << 24), let facts = json["facts"],
            facts.members != nil,
            let drawing = json["drawing"]?.string, let plots = json["plots"],
            let movement = json["movement"]?.string, let score = json["score"]?.integer,
            let threshold = json["threshold"]?.integer, let errorRates = json["error_rates"]
        else { throw StoredValueError(column: "signings.sealed") }
        self.init(
            record: SigningRecord(facts: facts), drawing: drawing, plots: plots,
            movement: movement, photograph: json["photograph"]?.string.map { String(decoding: $0, as: UTF8.self) },
            comparison: Interface.Comparison(
                score: score, threshold: threshold,
                device: ComparedDevice(fact: facts["comparison"]?["device"])),
            errorRates: errorRates)
    }

    static func plots(_ plots: [ChannelPlot]) -> JSON {
        .array(
            plots.map { plot in
                .members([
                    ("channel", .text("\(plot.channel)")), ("svg", .string(plot.svg)),
                    ("title", .text(plot.channel.title)),
                ])
            })
    }
}

extension ComparedDevice {
    /// As the record of a transaction has it.
    var fact: JSON { .members([("fit", .text(fit.rawValue)), ("sentence", .text(sentence))]) }

    /// - Parameter fact: `nil` in records of before it was told.
    init?(fact: JSON?) {
        guard let sentence = fact?["sentence"]?.string, let name = fact?["fit"]?.string,
            let fit = Fit(rawValue: String(decoding: name, as: UTF8.self))
        else { return nil }
        self.init(fit: fit, sentence: String(decoding: sentence, as: UTF8.self))
    }
}
