import Encodings
import HandSignatures
import Interface
import Storage

/// Compares signatures with templates, by the organisation's own models or those that come with the program.
struct SignatureJudge: Sendable {
    /// One comparison.
    struct Judgement {
        let comparison: Interface.Comparison
        /// The channels of the probe and of the nearest reference.
        let plots: [ChannelPlot]
        /// By what was judged.
        let model: JudgingModel
    }

    /// Names how is compared, for records: a change of features or alignment changes it.
    static let method = "countersign-hand-signatures-1"

    let pen: JudgingModel
    let touch: JudgingModel

    /// What judges from now on.
    ///
    /// - Throws: when a model cannot be read, beside the program or in the database.
    static func current(in database: any Database) async throws -> SignatureJudge {
        try await database.read { transaction in
            let store = ModelStore(transaction: transaction)
            return SignatureJudge(
                pen: try store.find(.pen) ?? ShippedModels.judging(.pen),
                touch: try store.find(.touch) ?? ShippedModels.judging(.touch))
        }
    }

    /// - Throws: `noModel` for a mouse.
    func model(for tool: Capture.Tool) throws(HandSignatureError) -> JudgingModel {
        switch tool {
        case .pen: return pen
        case .touch: return touch
        case .mouse: throw .noModel
        }
    }

    /// Reads captures as they came.
    ///
    /// - Parameter first: what the first one is called, from 1.
    /// - Throws: `badSignature`, `otherTool`, `noModel`.
    func read(_ texts: [String], first: Int = 1) throws(HandSignatureError) -> [Capture] {
        var captures: [Capture] = []
        for (number, text) in texts.enumerated() {
            let capture: Capture
            do throws(CaptureError) {
                capture = try CaptureJSON.read(Bytes(text: text))
                try capture.checkIsAsLongAsSignatures()
                // What cannot be compared later is refused now.
                _ = try PreparedSignature(capture, capture.tool == .pen ? .pen() : .touch())
            } catch {
                throw .badSignature(place: first + number, words: "\(error.words)")
            }
            _ = try model(for: capture.tool)
            if let tool = captures.first?.tool, capture.tool != tool { throw .otherTool }
            captures.append(capture)
        }
        return captures
    }

    /// Which of the captures, from 1, are not like the others.
    func strangers(_ captures: [Capture]) throws(HandSignatureError) -> [Int] {
        var prepared: [PreparedSignature] = []
        for (number, capture) in captures.enumerated() {
            prepared.append(try prepare(capture, place: number + 1))
        }
        return Consistency.strangers(among: prepared).map { $0 + 1 }
    }

    /// Compares a signature with a template.
    ///
    /// - Throws: `otherTool`, `noModel`, `badSignature`.
    func judge(_ capture: Capture, against template: SignatureTemplate) throws(HandSignatureError) -> Judgement {
        guard capture.tool == template.tool else { throw .otherTool }
        let judging = try model(for: capture.tool)
        let model = judging.model
        let enrolment: HandSignatures.Enrolment
        do throws(TemplateError) {
            enrolment = try template.enrolment(for: model)
        } catch {
            throw HandSignatureError(error, place: 1)
        }
        let probe = try prepare(capture, place: 1)
        let score = Self.millionths(model.score(probe, against: enrolment))
        let threshold = Self.millionths(model.threshold)
        return Judgement(
            comparison: Interface.Comparison(
                score: score, threshold: threshold, device: try device(of: capture, template, model)),
            plots: ChannelPlot.all(reference: enrolment.nearest(to: probe), probe: probe),
            model: judging)
    }

    /// The signature's device and those of the template: every recording takes part in the comparison.
    private func device(
        of capture: Capture, _ template: SignatureTemplate, _ model: SignatureModel
    ) throws(HandSignatureError) -> ComparedDevice {
        do throws(CaptureError) {
            let (fit, traits) = try model.fit(of: [capture] + template.references.map { $0.capture })
            return ComparedDevice(fit, traits)
        } catch {
            throw .badSignature(place: 1, words: "\(error.words)")
        }
    }

    private func prepare(_ capture: Capture, place: Int) throws(HandSignatureError) -> PreparedSignature {
        let preparation = try model(for: capture.tool).model.preparation
        do throws(CaptureError) {
            return try PreparedSignature(capture, preparation)
        } catch {
            throw .badSignature(place: place, words: "\(error.words)")
        }
    }

    /// Not a number means no match: it becomes the largest possible score.
    private static func millionths(_ value: Double) -> Int64 {
        value.isFinite ? Int64((min(max(value, -1e6), 1e6) * 1e6).rounded(.toNearestOrEven)) : 1_000_000_000_000
    }
}

extension Interface.Comparison {
    /// The meaning of both figures, decided in whole millionths, as they are shown and recorded.
    init(score: Int64, threshold: Int64, device: ComparedDevice?) {
        let isMatch = score <= threshold
        let sentence =
            if !isMatch {
                "No match: the movement is not like this client's other signatures."
            } else if threshold - score >= Self.strong {
                "Strong match: the movement is like this client's other signatures."
            } else {
                "Weak match: the movement is like this client's other signatures, but close to the threshold."
            }
        self.init(
            score: score, threshold: threshold, difference: score - threshold, isMatch: isMatch, sentence: sentence,
            device: device)
    }

    /// How far below the threshold a match is strong, in millionths.
    ///
    /// Scores are logarithms of odds: from here on the odds of a forgery are at most 1/2.7 of those at the threshold. A
    /// template learns from no closer signature.
    static let strong: Int64 = 1_000_000
}
