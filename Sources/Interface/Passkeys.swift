/// An authenticator's answer when it made a passkey (WebAuthn Level 3 section 5.1), field by field, base64url.
///
/// Nothing else: results of extensions never travel, for one of them opens the wallet. A body with more is refused.
public struct PasskeyRegistration: Codable, Sendable {
    /// The credential id.
    public var id: String
    /// The client data, JSON as it was signed.
    public var clientData: String
    public var attestationObject: String
    /// How the authenticator is reached, for example by `internal` or `usb`, as the browser says.
    public var transports: [String]

    public init(id: String, clientData: String, attestationObject: String, transports: [String]) {
        self.id = id
        self.clientData = clientData
        self.attestationObject = attestationObject
        self.transports = transports
    }
}

/// An authenticator's answer when it was asked for a signature, field by field, base64url.
public struct PasskeyAssertion: Codable, Sendable {
    /// The credential id.
    public var id: String
    /// The client data, JSON as it was signed.
    public var clientData: String
    public var authenticatorData: String
    /// DER, as authenticators give it.
    public var signature: String
    /// The passkey's owner, when the authenticator says so.
    public var userHandle: String?

    public init(
        id: String, clientData: String, authenticatorData: String, signature: String, userHandle: String? = nil
    ) {
        self.id = id
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }
}

/// Names a passkey to a browser.
public struct PasskeyDescriptor: Codable, Sendable, Equatable {
    /// The credential id, base64url.
    public var id: String
    public var transports: [String]

    public init(id: String, transports: [String]) {
        self.id = id
        self.transports = transports
    }
}

/// Asks for what a browser needs to make a passkey.
///
/// The answer does not tell whether the account exists.
public struct PasskeyRegistrationRequest: Codable, Sendable {
    public var username: String
    public init(username: String) { self.username = username }
}

/// The options with which a browser makes a passkey; the challenge works once.
public struct RegistrationOptions: Codable, Sendable {
    /// 32 random bytes, base64url.
    public var challenge: String
    public var expires: Int64
    /// The host of the public URL.
    public var rpID: String
    /// The organisation's name.
    public var rpName: String
    /// 32 random bytes, base64url: the passkey belongs to the account that has them.
    public var userID: String
    public var username: String
    /// COSE numbers, the preferred one first.
    public var algorithms: [Int]
    /// Passkeys that the account has already.
    public var exclude: [PasskeyDescriptor]
    /// `none`, or `direct` where the operator has named makers of authenticators whose word counts.
    public var attestation: String

    public init(
        challenge: String, expires: Int64, rpID: String, rpName: String, userID: String, username: String,
        algorithms: [Int], exclude: [PasskeyDescriptor], attestation: String
    ) {
        self.challenge = challenge
        self.expires = expires
        self.rpID = rpID
        self.rpName = rpName
        self.userID = userID
        self.username = username
        self.algorithms = algorithms
        self.exclude = exclude
        self.attestation = attestation
    }
}

/// The options with which a browser asks an authenticator for a signature; the challenge works once.
public struct AssertionOptions: Codable, Sendable {
    /// 32 random bytes, base64url.
    public var challenge: String
    public var expires: Int64
    /// The host of the public URL.
    public var rpID: String
    /// Which passkeys may answer; empty for any that the browser has for this host.
    public var credentials: [PasskeyDescriptor]
    /// Until when the session that asks is confirmed already.
    ///
    /// After a lost answer a later time tells that the challenge was accepted.
    public var confirmedUntil: Int64?

    public init(
        challenge: String, expires: Int64, rpID: String, credentials: [PasskeyDescriptor], confirmedUntil: Int64? = nil
    ) {
        self.challenge = challenge
        self.expires = expires
        self.rpID = rpID
        self.credentials = credentials
        self.confirmedUntil = confirmedUntil
    }
}

/// Signing in with a passkey: alone, or as a device of the account.
public struct PasskeySignInRequest: Codable, Sendable {
    public var assertion: PasskeyAssertion
    /// The device's id, when this browser holds its keys.
    public var device: String?
    /// A `Statement.signIn` by the device's signing key, whose nonce is the assertion's challenge.
    public var proof: String?

    public init(assertion: PasskeyAssertion, device: String? = nil, proof: String? = nil) {
        self.assertion = assertion
        self.device = device
        self.proof = proof
    }
}

/// A passkey, as its owner sees it.
public struct Passkey: Codable, Sendable, Equatable {
    /// The credential id, base64url.
    public var id: String
    /// What the person calls it.
    public var name: String
    public var created: Int64
    public var lastUsed: Int64?
    /// Whether a copy of it exists elsewhere, as the authenticator says.
    public var isBackedUp: Bool
    public var transports: [String]
    /// Whether a manufacturer whom this server trusts certified that it cannot leave its hardware.
    public var isHardwareBound: Bool

    public init(
        id: String, name: String, created: Int64, lastUsed: Int64?, isBackedUp: Bool, transports: [String],
        isHardwareBound: Bool
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
        self.isBackedUp = isBackedUp
        self.transports = transports
        self.isHardwareBound = isHardwareBound
    }
}

/// One more passkey for the account.
public struct NewPasskey: Codable, Sendable {
    public var name: String
    public var registration: PasskeyRegistration

    public init(name: String, registration: PasskeyRegistration) {
        self.name = name
        self.registration = registration
    }
}

/// Shows that the person is there: an assertion, or passphrase and proof.
public struct ConfirmationRequest: Codable, Sendable {
    /// Over a challenge that belongs to this session.
    public var assertion: PasskeyAssertion?
    public var passphrase: String?
    /// A `Statement.signIn` by the session's device over a challenge from `POST /api/sign-in`.
    public var proof: String?

    public init(assertion: PasskeyAssertion) { self.assertion = assertion }

    public init(passphrase: String, proof: String) {
        self.passphrase = passphrase
        self.proof = proof
    }
}

/// The person was there.
public struct Confirmation: Codable, Sendable {
    /// Until when the session may do what needs it.
    public var confirmedUntil: Int64
    public init(confirmedUntil: Int64) { self.confirmedUntil = confirmedUntil }
}

/// A page tells that the authenticator did not answer this challenge: refused, cancelled, timed out.
public struct CeremonyFailureReport: Codable, Sendable {
    public var challenge: String
    public init(challenge: String) { self.challenge = challenge }
}

/// How many more failures the session survives.
///
/// At 0 it is ended.
public struct CeremonyFailure: Codable, Sendable {
    public var remaining: Int
    public init(remaining: Int) { self.remaining = remaining }
}

/// A body without members.
public struct NoMembers: Codable, Sendable {
    private enum CodingKeys: CodingKey {}

    public init() {}

    public init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }

    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }
}
