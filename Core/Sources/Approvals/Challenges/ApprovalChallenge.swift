public import Encodings

/// Why a challenge cannot be made.
public enum ChallengeProblem: Error, Equatable, Sendable {
    /// The texts together are longer than 64 KiB. They are never cut.
    case textTooLong
    /// No field, or more than 256.
    case fieldCount
    /// The field of this index has no text, no UTF-8, or a number out of range.
    case field(Int)
    /// It lives no second, or longer than a week.
    case lifetime
    /// No approver, more than 16, one of them twice, or more approvals needed than there are approvers.
    case quorum
    /// An id that is not 16 bytes, a nonce that is not 32, or an address that is empty, too long or not ASCII.
    case form
}

/// A question of a service to the people who may answer it; `docs/approvals.md` has the bytes.
public struct ApprovalChallenge: Sendable, Equatable {
    /// The longest that the texts of a challenge may be together, in bytes.
    public static let maximumText = 1 << 16
    /// The most fields.
    public static let maximumFields = 256
    /// The most accounts that may answer.
    public static let maximumApprovers = 16
    /// The longest life, in seconds: a week.
    public static let longestLife: Int64 = 604_800
    /// The longest statement that is read, in bytes.
    static let maximumLength = 1 << 17

    /// 16 random bytes: nobody can count or guess challenges.
    public let id: Bytes
    /// 32 random bytes.
    public let nonce: Bytes
    /// Who asks.
    public let service: ApprovalService
    /// The key with which this service signs; devices keep it from their enrolment on.
    public let serverKey: P256PublicKey
    /// The labels of the accounts that may answer, 32 bytes each, in ascending order.
    public let approvers: [Bytes]
    /// How many of them have to approve.
    public let need: Int
    /// What is asked for.
    public let action: ApprovalAction
    /// What is shown, in this order.
    public let fields: [DisplayField]
    /// Whether a code is to be typed, and which commitment it has to meet.
    public let match: MatchRequirement?
    /// When it was made, in seconds since 1970.
    public let created: Int64
    /// Until when an answer counts, in seconds since 1970; this second still counts.
    public let expires: Int64
    /// Where the answer goes: printable ASCII, at most 2,048 bytes.
    public let replyURL: Bytes

    /// A challenge of these values.
    ///
    /// - Parameter approvers: in any order.
    /// - Throws: what is wrong with them.
    public init(
        id: Bytes, nonce: Bytes, service: ApprovalService, serverKey: P256PublicKey, approvers: [Bytes], need: Int = 1,
        action: ApprovalAction, fields: [DisplayField], match: MatchRequirement?, created: Int64, expires: Int64,
        replyURL: Bytes
    ) throws(ChallengeProblem) {
        let sorted = approvers.sorted { $0.precedes($1) }
        guard id.count == 16, nonce.count == 32, Self.isAddress(replyURL) else { throw .form }
        guard !fields.isEmpty, fields.count <= Self.maximumFields else { throw .fieldCount }
        var length = service.name.count
        for (index, field) in fields.enumerated() {
            guard field.isValid else { throw .field(index) }
            length += field.text?.count ?? 0
        }
        guard length <= Self.maximumText else { throw .textTooLong }
        guard created >= 0, expires > created, expires - created <= Self.longestLife, expires <= CivilTime.latest
        else { throw .lifetime }
        guard Self.isQuorum(sorted, need) else { throw .quorum }
        self.id = id
        self.nonce = nonce
        self.service = service
        self.serverKey = serverKey
        self.approvers = sorted
        self.need = need
        self.action = action
        self.fields = fields
        self.match = match
        self.created = created
        self.expires = expires
        self.replyURL = replyURL
    }

    /// The lines that are shown before anybody answers.
    public var lines: [RenderedLine] { ApprovalRendering.lines(self) }

    /// A hash of what is shown, 32 bytes: every answer covers it.
    public func shown<Suite: CryptoSuite>(suite: Suite) -> Bytes {
        suite.sha256(ApprovalRendering.text(lines))
    }

    static func isAddress(_ address: Bytes) -> Bool {
        !address.isEmpty && address.count <= 2_048 && address.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func isQuorum(_ approvers: [Bytes], _ need: Int) -> Bool {
        guard !approvers.isEmpty, approvers.count <= maximumApprovers, need >= 1, need <= approvers.count,
            approvers.allSatisfy({ $0.count == 32 })
        else { return false }
        for index in 1..<approvers.count where !approvers[index - 1].precedes(approvers[index]) { return false }
        return true
    }
}
