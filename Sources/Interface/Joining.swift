/// The first act: the main administrator names the organisation.
public struct SetUpRequest: Codable, Sendable {
    /// The one-time code that the server printed.
    public var code: String
    public var organisation: String
    public var username: String
    /// The main administrator's whole name; when it and `parts` are left out, the username.
    public var name: String?
    /// The name in its parts, which goes before `name`.
    public var parts: PersonName?
    /// At least one of passphrase and passkey.
    public var passphrase: String?
    public var passkey: PasskeyRegistration?
    public var device: DeviceRegistration
    /// The authority key of the wallet, which signs administrators' certificates: a P-256 point, base64url.
    public var authorityKey: String
    /// A `Statement.authority` signed by the authority key.
    public var authorityProof: String

    public init(
        code: String, organisation: String, username: String, name: String? = nil, parts: PersonName? = nil,
        passphrase: String? = nil, passkey: PasskeyRegistration? = nil, device: DeviceRegistration,
        authorityKey: String, authorityProof: String
    ) {
        self.code = code
        self.organisation = organisation
        self.username = username
        self.name = name
        self.parts = parts
        self.passphrase = passphrase
        self.passkey = passkey
        self.device = device
        self.authorityKey = authorityKey
        self.authorityProof = authorityProof
    }
}

/// The answer to `SetUpRequest`.
public struct SetUpResult: Codable, Sendable {
    public var session: NewSession
    public var organisation: Organisation
    /// The main administrator's certificate, DER, base64url.
    public var certificate: String
    public var receipt: Receipt

    public init(session: NewSession, organisation: Organisation, certificate: String, receipt: Receipt) {
        self.session = session
        self.organisation = organisation
        self.certificate = certificate
        self.receipt = receipt
    }
}

/// A new account: a member's, or the one that an invitation is for.
public struct SignUpRequest: Codable, Sendable {
    public var username: String
    /// The whole name; when it and `parts` are left out, the username.
    public var name: String?
    /// The name in its parts, which goes before `name`.
    public var parts: PersonName?
    /// At least one of passphrase and passkey.
    public var passphrase: String?
    public var passkey: PasskeyRegistration?
    public var device: DeviceRegistration
    /// The code of an invitation; without one the account is a member's.
    public var invitation: String?

    public init(
        username: String, name: String? = nil, parts: PersonName? = nil, passphrase: String? = nil,
        passkey: PasskeyRegistration? = nil, device: DeviceRegistration, invitation: String? = nil
    ) {
        self.username = username
        self.name = name
        self.parts = parts
        self.passphrase = passphrase
        self.passkey = passkey
        self.device = device
        self.invitation = invitation
    }
}
