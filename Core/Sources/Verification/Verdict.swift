/// One of the three questions of a person who is shown a document.
public enum Question: Sendable, Equatable, CaseIterable {
    /// Is it genuine? The issuer has signed what is shown, and the log knows it.
    case genuine
    /// Does it still hold? It has neither ended nor been revoked.
    case holds
    /// Was it shown to me, and lately? The holder has made this file, for me.
    case shown

    /// The name that programs read.
    public var code: StaticString {
        switch self {
        case .genuine: "genuine"
        case .holds: "holds"
        case .shown: "shown"
        }
    }
}

extension Question {
    /// The answer to a question.
    public enum Answer: Sendable, Equatable, CaseIterable {
        /// Every check that it takes holds.
        case yes
        /// A check does not hold.
        case no
        /// No check fails, and one could not be made or was not asked for: the verifier has to say or to look first.
        case open

        /// Fail closed: any failed check wins, then any that could not be made.
        ///
        /// - Parameter checks: all that belong to the question.
        init(_ checks: [Check]) {
            if checks.contains(where: { $0.result == .failed }) {
                self = .no
            } else if checks.isEmpty || checks.contains(where: { $0.result == .unknown }) {
                self = .open
            } else {
                self = .yes
            }
        }

        /// The name that programs read.
        public var code: StaticString {
            switch self {
            case .yes: "yes"
            case .no: "no"
            case .open: "open"
            }
        }
    }
}

/// What a verifier should do with a presentation.
public enum Verdict: Sendable, Equatable {
    /// All three questions are answered with yes.
    case valid
    /// One is answered with no.
    case notValid
    /// None is answered with no, and one is open.
    case couldNotTell

    /// Fail closed: any no wins, then any open question.
    init(_ answers: [Question.Answer]) {
        if answers.contains(.no) {
            self = .notValid
        } else if answers.count == Question.allCases.count, answers.allSatisfy({ $0 == .yes }) {
            self = .valid
        } else {
            self = .couldNotTell
        }
    }

    /// The name that programs read.
    public var code: StaticString {
        switch self {
        case .valid: "valid"
        case .notValid: "not_valid"
        case .couldNotTell: "could_not_tell"
        }
    }

    /// The exit code of `countersign verify`.
    public var exitCode: Int32 {
        switch self {
        case .valid: 0
        case .notValid: 1
        case .couldNotTell: 2
        }
    }
}
