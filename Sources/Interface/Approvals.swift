/// Where a request for approval stands.
public enum ApprovalState: String, Codable, Sendable, CaseIterable {
    case pending, approved, denied, expired, cancelled
}

/// What is asked for.
public enum ApprovalActionName: String, Codable, Sendable, CaseIterable {
    case signIn = "sign-in"
    case pay, change, agree
}

/// One thing that is shown before anybody answers.
public struct ApprovalField: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case amount, payee, account, place, time, device, text
    }
    public var type: Kind
    /// What a `payee`, `account`, `place`, `device` or `text` says; the others have none.
    public var text: String?
    /// An `amount` in the smallest unit of its currency, or a `time` in seconds since 1970.
    public var value: Int64?
    /// Of an `amount`: a code of ISO 4217.
    public var currency: String?
    public init(_ type: Kind, text: String? = nil, value: Int64? = nil, currency: String? = nil) {
        self.type = type
        self.text = text
        self.value = value
        self.currency = currency
    }
}

/// A service asks for an approval.
public struct NewApprovalChallenge: Codable, Sendable {
    /// 1 to 200 bytes that the service makes for each question: sent again, it asks nothing a second time.
    public var idempotencyKey: String
    public var action: ApprovalActionName
    /// 1 to 256, shown in this order.
    public var fields: [ApprovalField]
    /// What the service calls the users who may answer, 1 to 16.
    public var approvers: [String]
    /// How many of them have to approve; when left out, as many as the service's quorum says, and 1 without one.
    public var need: Int?
    /// For how many seconds it can be answered: 10 to 604,800.
    public var lifetime: Int64
    /// How many digits the code has that the asking page shows: 2 to 12, 4 when left out, 0 for no code.
    ///
    /// A sign-in needs a code.
    public var matchDigits: Int?
    /// What the service calls the browser that asks, 16 to 200 bytes: for a sign-in, and for nothing else.
    public var browser: String?
    public init(
        idempotencyKey: String, action: ApprovalActionName, fields: [ApprovalField], approvers: [String],
        need: Int? = nil, lifetime: Int64, matchDigits: Int? = nil, browser: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.action = action
        self.fields = fields
        self.approvers = approvers
        self.need = need
        self.lifetime = lifetime
        self.matchDigits = matchDigits
        self.browser = browser
    }
}

/// Why and how widely somebody denied.
public struct ApprovalDenial: Codable, Sendable, Equatable {
    public enum Reason: String, Codable, Sendable, CaseIterable {
        case mistake
        case notMe = "not-me"
    }
    public enum Scope: String, Codable, Sendable, CaseIterable {
        case request
        case service = "service-for-an-hour"
        case account
    }
    public var reason: Reason
    public var scope: Scope
    public init(reason: Reason, scope: Scope) {
        self.reason = reason
        self.scope = scope
    }
}

/// A request for approval, as the service sees it that asked.
public struct ServiceChallenge: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    public var id: String
    public var state: ApprovalState
    public var created: Int64
    public var expires: Int64
    /// How many approvals are still needed.
    public var missing: Int
    /// The code for the asking page to show, while the request is pending.
    public var code: String?
    /// When it was decided.
    public var decided: Int64?
    /// Why it was denied.
    public var denial: ApprovalDenial?
    /// The signed question as a link, if it fits one; only in the answer to the request that made it.
    public var link: String?
    /// Else the same as the texts of several QR codes, which the page shows in turn.
    public var parts: [String]?
    public init(
        id: String, state: ApprovalState, created: Int64, expires: Int64, missing: Int, code: String? = nil,
        decided: Int64? = nil, denial: ApprovalDenial? = nil, link: String? = nil, parts: [String]? = nil
    ) {
        self.id = id
        self.state = state
        self.created = created
        self.expires = expires
        self.missing = missing
        self.code = code
        self.decided = decided
        self.denial = denial
        self.link = link
        self.parts = parts
    }
}

/// A request for approval, as somebody sees it who was asked: never with the code.
public struct MemberChallenge: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    public var id: String
    /// The service's id, most often its domain.
    public var domain: String
    public var state: ApprovalState
    public var created: Int64
    public var expires: Int64
    /// Whether the account has answered: `true` for allowed, `false` for denied.
    public var isAllowed: Bool?
    /// When the account put it aside unanswered.
    public var discarded: Int64?
    /// The signed question, Bencode in base64url; lists leave it out.
    public var message: String?
    /// Whether wrong match codes ended it; lists leave it out.
    public var endedByCodes: Bool?
    public init(
        id: String, domain: String, state: ApprovalState, created: Int64, expires: Int64, isAllowed: Bool? = nil,
        discarded: Int64? = nil, message: String? = nil, endedByCodes: Bool? = nil
    ) {
        self.id = id
        self.domain = domain
        self.state = state
        self.created = created
        self.expires = expires
        self.isAllowed = isAllowed
        self.discarded = discarded
        self.message = message
        self.endedByCodes = endedByCodes
    }
}

/// What an answer did.
public struct AnsweredChallenge: Codable, Sendable {
    public var id: String
    public var state: ApprovalState
    /// How many approvals are still needed.
    public var missing: Int
    /// The log's receipt of the answer.
    public var receipt: Receipt
    public init(id: String, state: ApprovalState, missing: Int, receipt: Receipt) {
        self.id = id
        self.state = state
        self.missing = missing
        self.receipt = receipt
    }
}

/// Everything that a third party needs to check an approval or a denial without any server.
public struct ApprovalReceiptFile: Codable, Sendable {
    /// Bencode in base64url (`docs/approvals.md`, "Receipts").
    public var receipt: String
    public init(receipt: String) { self.receipt = receipt }
}

/// How often somebody lets services ask them, and whether they let nobody.
public struct ApprovalSettings: Codable, Sendable, Equatable {
    /// Requests of one service in an hour, 1 to 60.
    public var perService: Int
    /// Requests of all services in an hour, 1 to 240.
    public var together: Int
    /// Since when nothing can be asked, if the account is frozen.
    public var frozen: Int64?
    public init(perService: Int, together: Int, frozen: Int64? = nil) {
        self.perService = perService
        self.together = together
        self.frozen = frozen
    }
}

/// Another prompt budget.
public struct ApprovalBudget: Codable, Sendable {
    /// Requests of one service in an hour, 1 to 60.
    public var perService: Int
    /// Requests of all services in an hour, 1 to 240.
    public var together: Int
    public init(perService: Int, together: Int) {
        self.perService = perService
        self.together = together
    }
}
