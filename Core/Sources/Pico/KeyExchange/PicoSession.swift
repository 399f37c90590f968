import EllipticCurves
public import Encodings

/// What both sides keep after Status 1: the shared session key and the session id (section 6).
public struct PicoSession: Sendable {
    /// The service's number for the session.
    public let sessionID: Int32
    /// kSH.
    let key: SecretBytes

    init(sessionID: Int32, key: SecretBytes) {
        self.sessionID = sessionID
        self.key = key
    }

    /// A session that was kept.
    ///
    /// - Throws: `malformed` unless the key has 16 bytes.
    public init(sessionID: Int32, key: Bytes) throws(PicoError) {
        guard key.count == 16 else { throw .malformed }
        self.init(sessionID: sessionID, key: SecretBytes(key))
    }

    /// The key, 16 bytes: a secret, for keeping the session.
    public var secretKey: Bytes { key.bytes }
}
