extension SignatureTemplate {
    /// The outcome of a lesson.
    public enum Lesson: Sendable, Equatable {
        /// The signature is one of the five now.
        case learnt
        /// Nothing has changed. The last change was less than a day ago, or the signature is by another tool, or was
        /// compared with signatures that are no longer the confirmed ones.
        case passedOver
        /// The signature is accepted today and would not have been when the client was last there face to face.
        case strayed
        /// Nothing is learnt before another visit.
        case visitNeeded
    }

    /// How far a template has gone since an operator last looked at a paper.
    struct Lessons: Sendable, Equatable {
        /// Signatures that were learnt.
        var learnt = 0
        /// Accepted signatures in a row that had strayed.
        var strays = 0
    }

    /// An accepted signature, compared with those that were confirmed face to face.
    public struct Candidate: Sendable {
        fileprivate let capture: Capture
        fileprivate let confirmed: [Reference]
        fileprivate let isLikeConfirmed: Bool
    }

    /// How much below the threshold a score with the confirmed signatures must be.
    ///
    /// Scores are logarithms of odds: at the threshold the odds of a forgery are 2.7 times as high.
    static let margin = 1.0
    /// Between two changes, in seconds.
    static let rest: Int64 = 86_400
    /// The most signatures that are learnt between two visits.
    static let mostLearnt = 60
    /// Accepted signatures in a row, as far apart as changes, that have strayed: then the hand has changed, or is another.
    static let mostStrays = 5

    /// Whether the template learns nothing before another visit.
    ///
    /// Either it has learnt as much as it may, or the hand has gone too far from the confirmed signatures, or version
    /// 0.3 learnt and kept no record of that.
    public var needsVisit: Bool {
        confirmed.isEmpty || lessons.learnt >= Self.mostLearnt || lessons.strays >= Self.mostStrays
    }

    /// Compares an accepted signature with those that were confirmed face to face; that takes a while.
    ///
    /// - Returns: `nil` when there are none.
    /// - Throws: `mixedTools`, `capture`.
    public func candidate(_ capture: Capture, by model: SignatureModel) throws(TemplateError) -> Candidate? {
        guard !confirmed.isEmpty else { return nil }
        let score = model.score(
            try Self.prepared(capture, for: model), against: try Self.enrolment(confirmed, for: model))
        return Candidate(
            capture: capture, confirmed: confirmed,
            isLikeConfirmed: score.isFinite && score <= model.threshold - Self.margin)
    }

    /// Replaces the oldest signature that may go with an accepted one, if the last change was a day ago and the
    /// signature is also like the confirmed ones, with a margin.
    ///
    /// So a template cannot be walked to another hand, one blend a day: every step is measured from the same five.
    public mutating func learn(_ candidate: Candidate, time: Int64) -> Lesson {
        guard !needsVisit else { return .visitNeeded }
        var oldest = Self.lasting
        var newest = references[0].time
        for (place, reference) in references.enumerated() {
            newest = max(newest, reference.time)
            if place > oldest, reference.time < references[oldest].time { oldest = place }
        }
        guard candidate.capture.tool == tool, candidate.confirmed == confirmed, time >= newest,
            time - newest >= Self.rest
        else { return .passedOver }
        guard candidate.isLikeConfirmed else {
            lessons.strays += 1
            return needsVisit ? .visitNeeded : .strayed
        }
        references[oldest] = Reference(capture: candidate.capture, time: time)
        lessons.learnt += 1
        lessons.strays = 0
        return needsVisit ? .visitNeeded : .learnt
    }
}
