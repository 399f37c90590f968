import Interface

/// A question that was asked, where it stands now.
public struct Approval: Equatable, Sendable {
    public enum State: String, Equatable, Sendable {
        case pending, approved, denied, expired, cancelled
    }
    /// 32 hexadecimal digits.
    public let id: String
    public let state: State
    /// Seconds since 1970.
    public let created: Int64
    /// When it can no longer be answered, in seconds since 1970.
    public let expires: Int64
    /// How many approvals are still needed.
    public let missing: Int
    /// What the asking page shows, while it is pending.
    public let code: String?
    /// The question as a link for the wallet, in the answer to asking, if it is short enough for one.
    public let link: String?
    /// The texts of QR codes that hold the question, in the answer to asking.
    ///
    /// One, or several for a question that is too long for it: show these in turn, about two a second, for a wallet that has
    /// no network. Its owner types ``code`` then.
    public let pictures: [String]
    /// Whether somebody denied because they had not asked: the account may be under attack.
    public let isNotMe: Bool

    /// The question with its code, to be shown as a QR code beside the code: a wallet that films it fills the code in.
    ///
    /// Never send it as a link. `nil` if the question has no code, or is too long for one QR code.
    public var scannable: String? {
        guard let link, let code else { return nil }
        return "\(link)#\(code)"
    }
}

extension Approval {
    init(_ challenge: ServiceChallenge) {
        id = challenge.id
        (created, expires, missing) = (challenge.created, challenge.expires, challenge.missing)
        (code, link) = (challenge.code, challenge.link)
        let whole = challenge.link.map { link in [challenge.code.map { "\(link)#\($0)" } ?? link] }
        pictures = whole ?? challenge.parts ?? []
        isNotMe = challenge.denial?.reason == .notMe
        state =
            switch challenge.state {
            case .pending: .pending
            case .approved: .approved
            case .denied: .denied
            case .expired: .expired
            case .cancelled: .cancelled
            }
    }
}

/// A user's device on its way to answering this service.
public struct Enrolment: Equatable, Sendable {
    public enum State: String, Equatable, Sendable {
        /// Show the link.
        case open
        /// A device has it: show the code, and have the person say that the device shows the same.
        case taken
        case completed, ended, expired
    }
    public let id: String
    public let state: State
    /// Seconds since 1970.
    public let expires: Int64
    /// For the wallet, as a link or a QR code.
    public let link: String?
    /// Six digits that both screens show.
    public let code: String?
    public let deviceName: String?
}

extension Enrolment {
    init(_ enrolment: ApprovalEnrolment) {
        (id, expires) = (enrolment.id, enrolment.expires)
        (link, code, deviceName) = (enrolment.link, enrolment.code, enrolment.deviceName)
        state =
            switch enrolment.state {
            case .open: .open
            case .taken: .taken
            case .completed: .completed
            case .ended: .ended
            case .expired: .expired
            }
    }
}
