/// What a check of a deployment found.
package struct Finding: Sendable, Equatable {
    /// How it is.
    package enum Result: String, Sendable, CaseIterable {
        /// As it should be.
        case good
        /// Works, and will not for ever.
        case warning
        /// Wrong: the operator has to do something.
        case bad
        /// Could not be told.
        case unknown
    }

    /// What was looked at, one or two words.
    package let name: String
    /// How it is.
    package let result: Result
    /// What was found.
    package let detail: String
    /// What to do; empty when nothing needs doing.
    package let advice: String

    /// A finding.
    package init(_ name: String, _ result: Result, _ detail: String, _ advice: String = "") {
        self.name = name
        self.result = result
        self.detail = detail
        self.advice = advice
    }
}

/// One thing to look at.
protocol DoctorCheck: Sendable {
    /// What it looks at, one or two words.
    var name: String { get }
    /// Looks at it, and changes nothing.
    func run(_ deployment: Deployment) async throws -> [Finding]
}

extension DoctorCheck {
    func good(_ detail: String) -> Finding { Finding(name, .good, detail) }
    func warning(_ detail: String, _ advice: String) -> Finding { Finding(name, .warning, detail, advice) }
    func bad(_ detail: String, _ advice: String) -> Finding { Finding(name, .bad, detail, advice) }
}
