/// A service begins to enrol a device of one of its users.
public struct NewApprovalEnrolment: Codable, Sendable {
    /// What the service calls the user, at most 200 bytes; the server stores nothing that leads back to it.
    public var user: String
    /// What the service calls the browser session that began, 16 to 200 bytes that nobody guesses: it confirms, too.
    public var session: String
    public init(user: String, session: String) {
        self.user = user
        self.session = session
    }
}

/// An enrolment, as the service sees it that began it.
public struct ApprovalEnrolment: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// No device has taken the offer yet.
        case open
        /// A device has taken it; the codes are still to be compared.
        case taken
        /// The device is enrolled.
        case completed
        /// The codes differed, the service ended it, or began another for the same user.
        case ended
        /// Nobody took or confirmed it in time.
        case expired
    }

    /// The id of the offer, 32 hexadecimal digits.
    public var id: String
    public var state: State
    public var expires: Int64
    /// The offer as a link for the member's wallet, which a page also shows as a QR code.
    public var link: String?
    /// Six digits, once a device has taken the offer; the device shows the same.
    public var code: String?
    /// What the device is called, once it has taken the offer.
    public var deviceName: String?
    public init(
        id: String, state: State, expires: Int64, link: String? = nil, code: String? = nil, deviceName: String? = nil
    ) {
        self.id = id
        self.state = state
        self.expires = expires
        self.link = link
        self.code = code
        self.deviceName = deviceName
    }
}

/// Both screens showed the same code: the person says so in the session that began.
public struct ApprovalEnrolmentConfirmation: Codable, Sendable {
    /// As in `NewApprovalEnrolment`.
    public var session: String
    /// The code that the person compared or typed.
    public var code: String
    public init(session: String, code: String) {
        self.session = session
        self.code = code
    }
}

/// The session that began an enrolment ends it.
public struct ApprovalEnrolmentEnd: Codable, Sendable {
    /// As in `NewApprovalEnrolment`.
    public var session: String
    public init(session: String) { self.session = session }
}

/// A message of the protocol of approvals, Bencode in base64url (`docs/approvals.md`).
public struct ApprovalMessage: Codable, Sendable {
    public var message: String
    public init(message: String) { self.message = message }
}

/// An enrolment, as the member sees it whose device took the offer.
public struct MemberEnrolment: Codable, Sendable, Equatable {
    /// The id of the offer.
    public var id: String
    public var state: ApprovalEnrolment.State
    public var expires: Int64
    /// The device, once it is enrolled.
    public var device: ApprovalDevice?
    /// How far this device's request for another one's word has come, if it has asked.
    public var handover: OwnApprovalHandover?
    public init(
        id: String, state: ApprovalEnrolment.State, expires: Int64, device: ApprovalDevice? = nil,
        handover: OwnApprovalHandover? = nil
    ) {
        self.id = id
        self.state = state
        self.expires = expires
        self.device = device
        self.handover = handover
    }
}

/// A device that may answer a service's questions, as its owner sees it.
public struct ApprovalDevice: Codable, Sendable, Equatable {
    public var id: String
    /// The service's id, most often its domain.
    public var domain: String
    /// The service's name.
    public var service: String
    public var name: String
    /// The key that it made for this service, an uncompressed point, base64url.
    public var publicKey: String
    /// The account's device whose wallet has it.
    public var device: String
    public var created: Int64
    /// The server's word that it is enrolled, as receipts have it, base64url; empty for an app of version 1.
    public var confirmation: String
    /// The service's signature over it, base64url; empty for an app of version 1.
    public var signature: String
    public init(
        id: String, domain: String, service: String, name: String, publicKey: String, device: String, created: Int64,
        confirmation: String, signature: String
    ) {
        self.id = id
        self.domain = domain
        self.service = service
        self.name = name
        self.publicKey = publicKey
        self.device = device
        self.created = created
        self.confirmation = confirmation
        self.signature = signature
    }
}
