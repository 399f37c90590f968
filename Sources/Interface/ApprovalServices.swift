/// Registers a service that may ask members for approvals.
public struct NewApprovalService: Codable, Sendable {
    /// Its id for ever, most often its domain: `a-z`, `0-9`, dot and hyphen, at most 253.
    public var domain: String
    /// The name that people know, at most 200 bytes.
    public var name: String
    /// Where it is told that something is over, at most 500 bytes; https.
    public var webhook: String?
    public init(domain: String, name: String, webhook: String? = nil) {
        self.domain = domain
        self.name = name
        self.webhook = webhook
    }
}

/// Where a service is told from now on that something is over.
public struct ApprovalWebhook: Codable, Sendable {
    /// At most 500 bytes; https.
    public var url: String
    public init(url: String) { self.url = url }
}

/// Whether a service's webhook works, as administrators see it: nothing of what is sent, and nothing of the answers but
/// their status.
public struct ApprovalWebhookState: Codable, Sendable, Equatable {
    /// When it last took a notice.
    public var lastSuccess: Int64?
    /// When an attempt last failed.
    public var lastFailure: Int64?
    /// Why: `status-` with the HTTP status, `unknown-name`, `not-public` or `unreachable`.
    public var failure: String?
    /// Notices that it should have and has not, counted up to 10,000.
    public var waiting: Int64
    /// When the next attempt is, if one waits.
    public var nextAttempt: Int64?
    public init(
        lastSuccess: Int64? = nil, lastFailure: Int64? = nil, failure: String? = nil, waiting: Int64 = 0,
        nextAttempt: Int64? = nil
    ) {
        self.lastSuccess = lastSuccess
        self.lastFailure = lastFailure
        self.failure = failure
        self.waiting = waiting
        self.nextAttempt = nextAttempt
    }

    /// Whether the newest attempt failed.
    public var isFailing: Bool { lastFailure.map { $0 >= lastSuccess ?? .min } ?? false }
}

/// A service that may ask members for approvals, as administrators see it.
public struct ApprovalServiceInfo: Codable, Sendable, Equatable {
    public var id: String
    public var domain: String
    public var name: String
    /// The key that signs its questions, an uncompressed point of P-256, base64url: wallets and verifiers keep it.
    public var publicKey: String
    public var created: Int64
    /// When its API key was last replaced, if it ever was.
    public var rotated: Int64?
    /// The RSA key that signs what it asks in version 1, PEM; absent unless an administrator lets it speak version 1.
    public var originalKey: String?
    /// Where it is told that something is over.
    public var webhook: String?
    /// Whether that works; absent without a webhook, and in the answer to the service itself.
    public var webhookState: ApprovalWebhookState?
    /// How many people have to approve what it asks, by amount; absent if it decides that itself.
    public var quorum: ApprovalQuorum?
    public init(
        id: String, domain: String, name: String, publicKey: String, created: Int64, rotated: Int64? = nil,
        originalKey: String? = nil, webhook: String? = nil, webhookState: ApprovalWebhookState? = nil,
        quorum: ApprovalQuorum? = nil
    ) {
        self.id = id
        self.domain = domain
        self.name = name
        self.publicKey = publicKey
        self.created = created
        self.rotated = rotated
        self.originalKey = originalKey
        self.webhook = webhook
        self.webhookState = webhookState
        self.quorum = quorum
    }
}

/// A service and its new API key, which is in this answer only.
public struct ApprovalServiceKey: Codable, Sendable {
    public var service: ApprovalServiceInfo
    /// What the service sends as `Authorization: Bearer`.
    public var apiKey: String
    public var receipt: Receipt
    public init(service: ApprovalServiceInfo, apiKey: String, receipt: Receipt) {
        self.service = service
        self.apiKey = apiKey
        self.receipt = receipt
    }
}
