/// What a person may do here (DESIGN section 2).
///
/// A client and a verifier have no account.
public enum Role: String, Codable, Sendable, CaseIterable {
    /// The main administrator.
    case owner
    case administrator
    case `operator`
    case member
}

/// A person's account, as its owner and administrators see it.
public struct Account: Codable, Sendable, Equatable {
    public var id: String
    /// A username or e-mail address: a label, not verified.
    public var username: String
    /// The person's name: the one on the paper if `isVerified`, otherwise the one given at sign-up.
    public var name: String
    /// The name in its parts, or `nil` where only the whole is known.
    public var parts: PersonName?
    public var role: Role
    /// Whether an administrator has checked the person face to face.
    ///
    /// Only the server sets it.
    public var isVerified: Bool
    /// Seconds since 1970.
    public var created: Int64

    public init(
        id: String, username: String, name: String, parts: PersonName? = nil, role: Role, isVerified: Bool,
        created: Int64
    ) {
        self.id = id
        self.username = username
        self.name = name
        self.parts = parts
        self.role = role
        self.isVerified = isVerified
        self.created = created
    }
}

/// The public keys of a wallet that is being registered, and the proof that it holds the signing key.
public struct DeviceRegistration: Codable, Sendable {
    /// What the person calls the device.
    public var name: String
    /// The signing key, an uncompressed P-256 point, base64url.
    public var signingKey: String
    /// The encryption key, an uncompressed P-256 point, base64url.
    public var encryptionKey: String
    /// A `Statement.device` signed by the signing key.
    public var proof: String

    public init(name: String, signingKey: String, encryptionKey: String, proof: String) {
        self.name = name
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.proof = proof
    }
}

/// A set of keys on one wallet.
public struct Device: Codable, Sendable, Equatable {
    public var id: String
    public var name: String
    /// An uncompressed P-256 point, base64url.
    public var signingKey: String
    /// An uncompressed P-256 point, base64url.
    public var encryptionKey: String
    public var created: Int64
    /// When it was revoked, or `nil` while it may be used.
    public var revoked: Int64?
    /// The `Statement.pairing` that added it, or `nil` for an account's first device.
    public var endorsement: String?
    /// The id of the device that signed the endorsement.
    public var endorsedBy: String?

    public init(
        id: String, name: String, signingKey: String, encryptionKey: String, created: Int64, revoked: Int64?,
        endorsement: String? = nil, endorsedBy: String? = nil
    ) {
        self.id = id
        self.name = name
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.created = created
        self.revoked = revoked
        self.endorsement = endorsement
        self.endorsedBy = endorsedBy
    }
}

/// What the server says about itself to anybody.
///
/// A verifier must not take its trust anchor from here.
public struct Organisation: Codable, Sendable {
    /// Empty until set-up.
    public var name: String
    public var publicURL: String
    public var isSetUp: Bool
    /// The root certificate, PEM; empty until set-up.
    public var rootCertificate: String
    /// SHA-256 of the root certificate's DER, lower-case hexadecimal.
    public var rootFingerprint: String
    /// The log's verifier key (C2SP signed-note).
    public var logKey: String
    /// The log policy in force, which takes precedence over the key, or `nil`.
    public var logPolicy: LogPolicyStatement?

    public init(
        name: String, publicURL: String, isSetUp: Bool, rootCertificate: String, rootFingerprint: String,
        logKey: String, logPolicy: LogPolicyStatement? = nil
    ) {
        self.name = name
        self.publicURL = publicURL
        self.isSetUp = isSetUp
        self.rootCertificate = rootCertificate
        self.rootFingerprint = rootFingerprint
        self.logKey = logKey
        self.logPolicy = logPolicy
    }
}

/// Asks for a nonce to sign in with.
///
/// The answer does not tell whether the account exists.
public struct SignInNonceRequest: Codable, Sendable {
    public var username: String
    public init(username: String) { self.username = username }
}

/// A nonce that a device key signs, once.
public struct SignInNonce: Codable, Sendable {
    /// 32 random bytes, base64url.
    public var nonce: String
    public var expires: Int64
    public init(nonce: String, expires: Int64) {
        self.nonce = nonce
        self.expires = expires
    }
}

/// Signing in: passphrase and a proof by the device key.
public struct SignInRequest: Codable, Sendable {
    public var username: String
    public var passphrase: String
    public var device: String
    /// A `Statement.signIn` signed by the device's signing key.
    public var proof: String

    public init(username: String, passphrase: String, device: String, proof: String) {
        self.username = username
        self.passphrase = passphrase
        self.device = device
        self.proof = proof
    }
}

/// A session just made.
///
/// The token is shown this once; the server keeps its hash only.
public struct NewSession: Codable, Sendable {
    public var token: String
    public var expires: Int64
    public var account: Account
    /// `nil` for a session without device: it can look, name and revoke things, and do nothing that takes device keys.
    public var device: Device?
    /// The receipt of the device's enrolment, when this call enrolled it.
    public var receipt: Receipt?
    /// The language of pages that the account keeps; `nil` when it keeps none.
    public var language: String?

    public init(
        token: String, expires: Int64, account: Account, device: Device?, receipt: Receipt? = nil,
        language: String? = nil
    ) {
        self.token = token
        self.expires = expires
        self.account = account
        self.device = device
        self.receipt = receipt
        self.language = language
    }
}

/// A session, as its owner sees it.
public struct SessionInfo: Codable, Sendable {
    public var id: String
    public var device: String?
    public var created: Int64
    public var expires: Int64
    public var isCurrent: Bool

    public init(id: String, device: String?, created: Int64, expires: Int64, isCurrent: Bool) {
        self.id = id
        self.device = device
        self.created = created
        self.expires = expires
        self.isCurrent = isCurrent
    }
}

/// The calling session and whose it is.
public struct CurrentSession: Codable, Sendable {
    public var account: Account
    /// The names of what the account's role allows (`docs/permissions.md`): necessary, never sufficient.
    public var permissions: [String]
    /// `nil` for a session without device.
    public var device: Device?
    public var session: SessionInfo
    public var hasPassphrase: Bool
    /// How many passkeys the account has.
    public var passkeys: Int
    /// Until when it counts as confirmed; `nil` when it does not.
    public var confirmedUntil: Int64?
    /// The language of pages that the account keeps; `nil` when it keeps none.
    public var language: String?

    public init(
        account: Account, permissions: [String], device: Device?, session: SessionInfo, hasPassphrase: Bool,
        passkeys: Int, confirmedUntil: Int64?, language: String? = nil
    ) {
        self.account = account
        self.permissions = permissions
        self.device = device
        self.session = session
        self.hasPassphrase = hasPassphrase
        self.passkeys = passkeys
        self.confirmedUntil = confirmedUntil
        self.language = language
    }
}

/// Another name for the account, until an administrator has checked the name.
///
/// One of the two.
public struct AccountRename: Codable, Sendable {
    /// The whole name.
    public var name: String?
    /// The name in its parts.
    public var parts: PersonName?

    public init(name: String) { self.name = name }

    public init(parts: PersonName) { self.parts = parts }
}

/// The language of pages that the account keeps, on all its devices.
public struct AccountLanguage: Codable, Sendable, Equatable {
    /// A language tag such as `de`; empty for none, and then each browser shows its own.
    public var language: String
    public init(language: String) { self.language = language }
}

/// Another passphrase for the account.
public struct PassphraseChange: Codable, Sendable {
    public var passphrase: String
    public init(passphrase: String) { self.passphrase = passphrase }
}

/// A new name for a passkey.
public struct PasskeyRename: Codable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
}

/// A new name for a device.
public struct DeviceRename: Codable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
}

/// Why something is cancelled or revoked, in words the person concerned will read.
public struct Reason: Codable, Sendable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// The main administrator erases an account.
public struct Erasure: Codable, Sendable {
    /// The account's username, typed or read again.
    public var username: String
    /// Whether the documents issued to this person stay valid; nobody can revoke them afterwards.
    public var keepsDocuments: Bool
    public init(username: String, keepsDocuments: Bool) {
        self.username = username
        self.keepsDocuments = keepsDocuments
    }
}
