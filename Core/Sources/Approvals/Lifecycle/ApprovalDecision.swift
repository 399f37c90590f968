public import Encodings

/// What a person decided about a challenge.
public enum ApprovalDecision: Sendable, Equatable {
    /// Allowed, with the code that the asking page shows; no code when the challenge asks for none.
    case allow(code: Bytes?)
    /// Denied, with consequences.
    case deny(DenialReason, DenialScope)
}

/// Why somebody denies.
public enum DenialReason: Sendable, Equatable {
    /// They asked for it themselves, and do not want it any more.
    case mistake
    /// Somebody else asked.
    case notMe

    /// Both.
    package static let all: [DenialReason] = [.mistake, .notMe]

    /// The name in the signed bytes.
    public var name: StaticString {
        switch self {
        case .mistake: "mistake"
        case .notMe: "not-me"
        }
    }
}

/// What a denial ends.
public enum DenialScope: Sendable, Equatable {
    /// This request.
    case request
    /// All requests of this service, for an hour.
    case service
    /// Everything that the account's devices can approve, until its owner unfreezes it.
    case account

    /// All three.
    package static let all: [DenialScope] = [.request, .service, .account]

    /// The name in the signed bytes.
    public var name: StaticString {
        switch self {
        case .request: "request"
        case .service: "service-for-an-hour"
        case .account: "account"
        }
    }
}
