/// A new device asks an account's first device to add it.
public struct PairingRequest: Codable, Sendable {
    public var username: String
    /// How the new device will sign in; at least one of passkey and passphrase.
    public var passkey: PasskeyRegistration?
    /// The account's passphrase, or its first one when it has none.
    public var passphrase: String?
    public var device: DeviceRegistration

    public init(
        username: String, passkey: PasskeyRegistration? = nil, passphrase: String? = nil, device: DeviceRegistration
    ) {
        self.username = username
        self.passkey = passkey
        self.passphrase = passphrase
        self.device = device
    }
}

/// How far a pairing is.
public enum PairingState: String, Codable, Sendable, CaseIterable { case open, endorsed, refused, expired }

/// A pairing, as the new device sees it.
public struct Pairing: Codable, Sendable {
    public var id: String
    public var expires: Int64
    /// Fetches the session once the pairing is endorsed; it is in this one answer only.
    public var token: String
    public var state: PairingState

    public init(id: String, expires: Int64, token: String, state: PairingState) {
        self.id = id
        self.expires = expires
        self.token = token
        self.state = state
    }
}

/// A pairing, as the account's devices see it.
///
/// Compare both keys with the code that the new device shows.
public struct PairingDetails: Codable, Sendable {
    public var id: String
    public var username: String
    public var deviceName: String
    /// An uncompressed P-256 point, base64url.
    public var signingKey: String
    /// An uncompressed P-256 point, base64url.
    public var encryptionKey: String
    /// The credential id of the new device's passkey.
    public var passkey: String?
    public var created: Int64
    public var expires: Int64
    public var state: PairingState

    public init(
        id: String, username: String, deviceName: String, signingKey: String, encryptionKey: String, passkey: String?,
        created: Int64, expires: Int64, state: PairingState
    ) {
        self.id = id
        self.username = username
        self.deviceName = deviceName
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.passkey = passkey
        self.created = created
        self.expires = expires
        self.state = state
    }
}

/// A device of the account vouches for the new one.
public struct PairingEndorsement: Codable, Sendable {
    /// A `Statement.pairing` by the endorsing device's signing key.
    public var statement: String
    public init(statement: String) { self.statement = statement }
}

/// The new device fetches its session.
public struct PairingSessionRequest: Codable, Sendable {
    public var token: String
    public init(token: String) { self.token = token }
}

/// One step from a device back to the one that endorsed it.
public struct DeviceEndorsement: Codable, Sendable, Equatable {
    /// The endorsing device's signing key, an uncompressed P-256 point, base64url.
    public var signingKey: String
    /// Its `Statement.pairing`.
    public var statement: String

    public init(signingKey: String, statement: String) {
        self.signingKey = signingKey
        self.statement = statement
    }
}
