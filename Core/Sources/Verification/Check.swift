public import Encodings

/// One named part of the whole check, in the order of a report.
public enum CheckName: Sendable, Equatable, CaseIterable {
    /// The file and everything in it is well formed.
    case format
    /// Certificates lead to the pinned root, permit the act, and the issuer's signature is by the leaf's key.
    case chain
    /// Disclosed claims and the attached document are what the issuer signed.
    case digest
    /// The transparency log holds the credential.
    case receipt
    /// The credential is within the time for which it was issued.
    case validity
    /// Neither the credential nor its signer was revoked.
    case revocation
    /// The presenter holds the key that the credential is bound to.
    case holder
    /// The presentation was made for this verifier.
    case audience
    /// The presentation is within the time for which its holder made it, and answers the verifier's nonce.
    case freshness

    /// What this check is a part of.
    public var question: Question {
        switch self {
        case .format, .chain, .digest, .receipt: .genuine
        case .validity, .revocation: .holds
        case .holder, .audience, .freshness: .shown
        }
    }

    /// The name that programs read.
    public var code: StaticString {
        switch self {
        case .format: "format"
        case .chain: "chain"
        case .digest: "digest"
        case .receipt: "receipt"
        case .validity: "validity"
        case .revocation: "revocation"
        case .holder: "holder"
        case .audience: "audience"
        case .freshness: "freshness"
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
    /// The subject of the reason: an audience, a claim's name, another check.
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
