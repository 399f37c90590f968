public import Encodings

/// One named part of the whole check, in the order of a report.
public enum CheckName: Sendable, Equatable, CaseIterable {
    /// The file and everything in it is well formed.
    case format
    /// Certificates lead to the pinned root, permit the act, and the issuer's signature is by the leaf's key.
    case chain
    /// Disclosed claims and the attached document are what the issuer signed.
    case digest
    /// The presenter holds the key that the credential is bound to.
    case holder
    /// The presentation was made for this verifier.
    case audience
    /// The presentation is recent, and the credential within its time.
    case freshness
    /// Neither the credential nor its signer was revoked.
    case revocation
    /// The transparency log holds the credential.
    case receipt

    /// The name that programs read.
    public var code: StaticString {
        switch self {
        case .format: "format"
        case .chain: "chain"
        case .digest: "digest"
        case .holder: "holder"
        case .audience: "audience"
        case .freshness: "freshness"
        case .revocation: "revocation"
        case .receipt: "receipt"
        }
    }
}

/// How a check ended.
public enum CheckResult: Sendable, Equatable, CaseIterable {
    /// It holds.
    case passed
    /// It does not hold.
    case failed
    /// It could not be told, and it should have been.
    case unknown
    /// It was not asked for, or there is nothing to check.
    case notIncluded

    /// The name that programs read.
    public var code: StaticString {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .unknown: "unknown"
        case .notIncluded: "not_included"
        }
    }
}

/// One line of a report.
public struct Check: Sendable, Equatable {
    /// What was checked.
    public let name: CheckName
    /// How it ended.
    public let result: CheckResult
    /// Why.
    public let reason: Reason
    /// What the reason is about: an audience, a claim's name, another check.
    ///
    /// UTF-8, from the file: show it as text.
    public let subject: Bytes

    init(_ name: CheckName, _ reason: Reason, about subject: Bytes = []) {
        self.name = name
        result = reason.result
        self.reason = reason
        self.subject = subject
    }

    /// The reason as a sentence, with what it is about behind it.
    public var detail: Bytes {
        let sentence = Bytes(text: reason.sentence)
        return subject.isEmpty ? sentence : sentence + [0x20, 0x28] + subject + [0x29]
    }
}

/// What a verifier should do with a presentation.
public enum Verdict: Sendable, Equatable {
    /// Every check that was asked for holds.
    case valid
    /// A check does not hold.
    case notValid
    /// No check fails, and one could not be made.
    case couldNotTell

    /// Fail closed: any failed check wins, then any unknown one.
    init(_ checks: [Check]) {
        if checks.contains(where: { $0.result == .failed }) {
            self = .notValid
        } else if checks.contains(where: { $0.result == .unknown }) || checks.count != CheckName.allCases.count {
            self = .couldNotTell
        } else {
            self = .valid
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
