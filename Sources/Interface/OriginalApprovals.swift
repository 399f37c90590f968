/// Says whether a service may speak version 1, the original's protocol.
public struct OriginalAcceptance: Codable, Sendable {
    /// Off until an administrator switches it on.
    public var accepts: Bool
    /// The RSA key that the site's apps know already, PEM; without it the service gets a new one, once.
    public var key: String?
    public init(accepts: Bool, key: String? = nil) {
        self.accepts = accepts
        self.key = key
    }
}

/// A service as it is after an administrator changed it, and the log's receipt.
public struct ApprovalServiceChange: Codable, Sendable {
    public var service: ApprovalServiceInfo
    public var receipt: Receipt
    public init(service: ApprovalServiceInfo, receipt: Receipt) {
        self.service = service
        self.receipt = receipt
    }
}

/// A service begins to enrol an app that speaks version 1.
public struct NewOriginalEnrolment: Codable, Sendable {
    /// What the service calls the user.
    public var user: String
    /// What the service calls the browser session that began, 16 to 200 bytes that nobody guesses: it goes on, too.
    public var session: String
    /// For how many seconds it can be finished: 10 to 600; 600 when left out.
    public var lifetime: Int64?
    public init(user: String, session: String, lifetime: Int64? = nil) {
        self.user = user
        self.session = session
        self.lifetime = lifetime
    }
}

/// The enrolment of an app that speaks version 1, as the service sees it that began it.
public struct OriginalEnrolment: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// No app has answered the first link yet.
        case open
        /// An app has answered it, and has to answer the second one, which only the session that began shows.
        case taken
        /// The same app has answered both. Now a device that the person has enrolled before must agree.
        case proven
        /// The app is enrolled.
        case completed
        /// Another app answered the second link, the person refused, or the service ended it.
        case ended
        /// It was not finished in time.
        case expired
    }

    /// 32 hexadecimal digits.
    public var id: String
    public var state: State
    public var expires: Int64
    /// The number of the challenge that the app has to answer next.
    public var messageID: Int64?
    /// That challenge as a link, which a page also shows as a QR code.
    public var link: String?
    /// Six digits that follow from the app's key: the person types them into the wallet that agrees.
    public var code: String?
    /// What the wallet is asked, once the service has asked: a challenge of version 2.
    public var question: String?
    public init(
        id: String, state: State, expires: Int64, messageID: Int64? = nil, link: String? = nil, code: String? = nil,
        question: String? = nil
    ) {
        self.id = id
        self.state = state
        self.expires = expires
        self.messageID = messageID
        self.link = link
        self.code = code
        self.question = question
    }
}

/// A service asks an app that speaks version 1.
public struct NewOriginalChallenge: Codable, Sendable {
    /// What the service calls the user.
    public var user: String
    /// What it is about, in one line of at most 100 bytes.
    public var title: String
    /// The text, line by line: 1 to 20 lines of visible text, at most 2,000 bytes together.
    ///
    /// The service never joins them itself, so that nothing a user typed begins a line of its own.
    public var lines: [String]
    /// For how many seconds it can be answered: 10 to 3,600.
    public var lifetime: Int64
    public init(user: String, title: String, lines: [String], lifetime: Int64) {
        self.user = user
        self.title = title
        self.lines = lines
        self.lifetime = lifetime
    }
}

/// What a service asked an app that speaks version 1.
public struct OriginalRequest: Codable, Sendable, Equatable {
    /// Its number: random, below 2^31, because old apps read no larger one.
    public var messageID: Int64
    public var state: ApprovalState
    public var expires: Int64
    /// The challenge as a link, which a page also shows as a QR code; only in the answer to the request that made it.
    public var link: String?
    /// The same as the JSON dictionary of a push message.
    public var payload: String?
    public init(
        messageID: Int64, state: ApprovalState, expires: Int64, link: String? = nil, payload: String? = nil
    ) {
        self.messageID = messageID
        self.state = state
        self.expires = expires
        self.link = link
        self.payload = payload
    }
}

/// Whether a challenge of version 1 was allowed.
public struct OriginalSigned: Codable, Sendable, Equatable {
    public var signed: Bool
    public init(signed: Bool) { self.signed = signed }
}
