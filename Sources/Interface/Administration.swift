/// How much there is of everything: a row of figures for the console.
public struct Statistics: Codable, Sendable, Equatable {
    /// Accounts of the role member.
    public var members: Int64
    /// Members whom an administrator has checked face to face.
    public var verifiedMembers: Int64
    public var administrators: Int64
    public var operators: Int64
    public var pendingRequests: Int64
    public var acceptedRequests: Int64
    /// Without identity credentials, which come from checks, and without revoked ones.
    public var issuedDocuments: Int64
    public var revokedDocuments: Int64

    public init(
        members: Int64, verifiedMembers: Int64, administrators: Int64, operators: Int64, pendingRequests: Int64,
        acceptedRequests: Int64, issuedDocuments: Int64, revokedDocuments: Int64
    ) {
        self.members = members
        self.verifiedMembers = verifiedMembers
        self.administrators = administrators
        self.operators = operators
        self.pendingRequests = pendingRequests
        self.acceptedRequests = acceptedRequests
        self.issuedDocuments = issuedDocuments
        self.revokedDocuments = revokedDocuments
    }
}

/// What a certified administrator may sign.
public enum Capability: String, Codable, Sendable, CaseIterable {
    /// Check members face to face and sign their identity credentials.
    case identifyMembers = "identify_members"
    /// Sign documents.
    case signDocuments = "sign_documents"
}

/// An administrator's wallet asks the main administrator to certify its authority key.
public struct DelegationRequest: Codable, Sendable {
    /// A P-256 point, base64url.
    public var authorityKey: String
    /// A `Statement.authority` signed by the authority key.
    public var proof: String
    public init(authorityKey: String, proof: String) {
        self.authorityKey = authorityKey
        self.proof = proof
    }
}

/// An administrator's certification, from request to revocation.
public struct Delegation: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable { case pending, certified, revoked }
    public var id: String
    public var account: Account
    /// A P-256 point, base64url.
    public var authorityKey: String
    public var state: State
    public var capabilities: [Capability]
    /// Leaf first, without the root: DER, base64url.
    ///
    /// Empty while pending.
    public var chain: [String]
    /// The place in the status list that the certificate names.
    public var status: StatusReference?
    public var created: Int64
    public var revoked: Int64?

    public init(
        id: String, account: Account, authorityKey: String, state: State, capabilities: [Capability], chain: [String],
        status: StatusReference?, created: Int64, revoked: Int64?
    ) {
        self.id = id
        self.account = account
        self.authorityKey = authorityKey
        self.state = state
        self.capabilities = capabilities
        self.chain = chain
        self.status = status
        self.created = created
        self.revoked = revoked
    }
}

/// The certificate that the main administrator's wallet signed for a delegation.
public struct Certification: Codable, Sendable {
    /// DER, base64url.
    public var certificate: String
    public var capabilities: [Capability]
    public init(certificate: String, capabilities: [Capability]) {
        self.certificate = certificate
        self.capabilities = capabilities
    }
}

/// The main administrator asks the root to certify their authority key again, or to certify another one instead.
public struct AuthorityRenewal: Codable, Sendable {
    /// The key to be certified, 65 bytes, base64url.
    public var authorityKey: String
    /// A `Statement.renewal` by the key that is certified now.
    public var proof: String
    /// The same by the key to be certified, when it is another one.
    public var possession: String?
    public init(authorityKey: String, proof: String, possession: String? = nil) {
        self.authorityKey = authorityKey
        self.proof = proof
        self.possession = possession
    }
}

/// The main administrator's new certificate.
public struct RenewedAuthority: Codable, Sendable {
    /// DER, base64url.
    public var certificate: String
    /// Of the log's entry `certificate.renewed`.
    public var receipt: Receipt
    public init(certificate: String, receipt: Receipt) {
        self.certificate = certificate
        self.receipt = receipt
    }
}

/// A main administrator who has lost their keys comes back with new ones; `SetUpResult` answers.
public struct OwnerRecovery: Codable, Sendable {
    /// The one-time code that `countersign admin owner recover` printed.
    public var code: String
    public var username: String
    public var passphrase: String
    public var device: DeviceRegistration
    /// 65 bytes, base64url.
    public var authorityKey: String
    /// A `Statement.authority` signed by the authority key.
    public var authorityProof: String
    public init(
        code: String, username: String, passphrase: String, device: DeviceRegistration, authorityKey: String,
        authorityProof: String
    ) {
        self.code = code
        self.username = username
        self.passphrase = passphrase
        self.device = device
        self.authorityKey = authorityKey
        self.authorityProof = authorityProof
    }
}

/// The member's wallet opens a face-to-face check.
public struct EnrolmentRequest: Codable, Sendable {
    /// SHA-256 of the holder's nonce, base64url: the nonce is shown only after the administrator's is known, so that
    /// neither side can choose the six digits.
    public var commitment: String
    public init(commitment: String) { self.commitment = commitment }
}

/// A face-to-face check.
///
/// The holder's code (QR) carries `id`, key thumbprint and commitment past the server.
public struct Enrolment: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable { case open, claimed, answered, completed, abandoned }
    /// Who ended a check before it was completed, or a note that the holder has shown a newer code.
    public enum Ending: String, Codable, Sendable, CaseIterable {
        case holder, administrator
        case newerCode = "newer_code"
    }
    public var id: String
    public var state: State
    public var holder: Account
    public var device: Device
    public var commitment: String
    /// The administrator who claimed it.
    public var administrator: Account?
    /// 32 bytes, base64url.
    public var administratorNonce: String?
    /// 32 bytes, base64url.
    public var holderNonce: String?
    /// The holder's `Statement.enrolment`.
    public var statement: String?
    /// Where the identity credential's status will be, reserved when claimed.
    public var status: StatusReference?
    public var expires: Int64
    /// Only for abandoned checks; `nil` for those that ended before the server kept it.
    public var endedBy: Ending?

    public init(
        id: String, state: State, holder: Account, device: Device, commitment: String, administrator: Account?,
        administratorNonce: String?, holderNonce: String?, statement: String?, status: StatusReference?, expires: Int64,
        endedBy: Ending? = nil
    ) {
        self.endedBy = endedBy
        self.id = id
        self.state = state
        self.holder = holder
        self.device = device
        self.commitment = commitment
        self.administrator = administrator
        self.administratorNonce = administratorNonce
        self.holderNonce = holderNonce
        self.statement = statement
        self.status = status
        self.expires = expires
    }
}

/// Eight characters that find a face-to-face check, for an administrator without a camera.
public struct TypedCode: Codable, Sendable {
    /// In two groups of four; shown this once.
    public var code: String
    /// When they stop working, in seconds since 1970; they work once.
    public var expires: Int64
    public init(code: String, expires: Int64) {
        self.code = code
        self.expires = expires
    }
}

/// An administrator has typed what a member read out.
public struct TypedCodeEntry: Codable, Sendable {
    /// Eight characters; case, spaces and hyphens do not matter.
    public var code: String
    public init(code: String) { self.code = code }
}

/// The check that characters have found.
public struct FoundCheck: Codable, Sendable {
    /// The code that the member's device shows as text: public values, this time from the server, so that only the six
    /// digits show whether it exchanged them.
    public var text: String
    public init(text: String) { self.text = text }
}

/// The administrator's wallet takes the holder's code.
public struct EnrolmentClaim: Codable, Sendable {
    /// 32 random bytes, base64url.
    public var nonce: String
    public init(nonce: String) { self.nonce = nonce }
}

/// The holder's wallet answers the administrator's nonce.
public struct EnrolmentAnswer: Codable, Sendable {
    /// 32 bytes, base64url, whose SHA-256 is the commitment.
    public var nonce: String
    /// A `Statement.enrolment` signed by the device's signing key.
    public var statement: String
    public init(nonce: String, statement: String) {
        self.nonce = nonce
        self.statement = statement
    }
}

/// Which identity paper the administrator saw.
public enum IdentityPaper: String, Codable, Sendable, CaseIterable {
    case passport
    case identityCard = "identity_card"
    case drivingLicence = "driving_licence"
    case residencePermit = "residence_permit"
    case studentCard = "student_card"
}

/// The administrator has checked the person; the credential is sealed to the person's key.
public struct EnrolmentCompletion: Codable, Sendable {
    public var paper: IdentityPaper
    /// The name as the paper has it: from now on the account's.
    public var name: PersonName
    public var issuance: Issuance

    public init(paper: IdentityPaper, name: PersonName, issuance: Issuance) {
        self.paper = paper
        self.name = name
        self.issuance = issuance
    }
}

/// Which lines of the server's log.
public enum ServerLogPart: String, Codable, Sendable, CaseIterable {
    /// One line for each request: method, template of the address, status and time.
    case requests
    /// Everything else.
    case events
}

/// A line of the server's log.
public struct ServerLogLine: Codable, Sendable, Equatable {
    /// In seconds since 1970.
    public var time: Int64
    /// `trace` to `critical`.
    public var level: String
    public var message: String
    public var details: [ServerLogDetail]

    public init(time: Int64, level: String, message: String, details: [ServerLogDetail]) {
        self.time = time
        self.level = level
        self.message = message
        self.details = details
    }
}

/// The further values of a line of the server's log.
public struct ServerLogDetail: Codable, Sendable, Equatable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
