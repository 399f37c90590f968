extension SignatureTemplate {
    /// How many signatures a second visit gives: all but the lasting ones.
    public static let secondSitting = Enrolment.size - lasting

    /// Replaces all but the lasting signatures with those of another visit: nobody writes the same on two days.
    ///
    /// They are confirmed face to face, as the lasting ones: what is learnt from then on is measured by them.
    ///
    /// - Parameters:
    ///   - captures: `secondSitting` of them, each found to be like the template before.
    ///   - time: of the visit, in seconds since 1970.
    /// - Throws: `wrongCount`, `mixedTools`; `replayed` when one was made from an earlier one; `capture`.
    public mutating func addSitting(_ captures: [Capture], time: Int64) throws(TemplateError) {
        guard captures.count == Self.secondSitting else { throw .wrongCount(captures.count) }
        var changed = self
        for (number, capture) in captures.enumerated() {
            guard capture.tool == tool else { throw .mixedTools }
            guard try !changed.remember(capture) else { throw .replayed(number) }
            changed.references[Self.lasting + number] = Reference(capture: capture, time: time)
        }
        changed.confirmed = changed.references
        changed.lessons = Lessons()
        self = changed
    }
}
