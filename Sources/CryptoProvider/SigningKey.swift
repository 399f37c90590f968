internal import Crypto
public import Encodings
internal import Foundation

/// A P-256 private key that signs.
///
/// It has no textual description, so that no log can hold it.
public struct SigningKey: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The public half.
    public let publicKey: P256PublicKey

    /// Makes a new key from the system's random source.
    public init() throws(KeyError) {
        try self.init(P256.Signing.PrivateKey(compactRepresentable: false))
    }

    /// Takes a key back from its sealed form.
    ///
    /// - Parameter rawRepresentation: the secret number, 32 bytes, big-endian.
    public init(rawRepresentation: Bytes) throws(KeyError) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation) else { throw .malformed }
        try self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) throws(KeyError) {
        guard let publicKey = P256PublicKey(x963: Bytes(key.publicKey.x963Representation)) else { throw .malformed }
        self.key = key
        self.publicKey = publicKey
    }

    /// The secret number, 32 bytes, big-endian: for sealing, and for nothing else.
    public var rawRepresentation: Bytes { Bytes(key.rawRepresentation) }

    /// Signs with ECDSA and SHA-256.
    ///
    /// - Returns: r and s, 32 bytes each, as in JOSE (RFC 7518 section 3.4); s is the smaller of the two possible.
    public func sign(_ message: Bytes) throws(KeyError) -> Bytes {
        guard let signature = try? key.signature(for: message) else { throw .failed }
        return ECDSASignature.lowS(Bytes(signature.rawRepresentation))
    }

    /// Makes a compact JWS with ES256.
    ///
    /// - Parameters:
    ///   - type: becomes `typ`: the purpose that the signature covers.
    ///   - header: further protected members, such as `x5c`.
    public func signJWS(type: String, header: [JSON.Member] = [], payload: JSON) throws(KeyError) -> String {
        let input = CompactJWS.signingInput(type: type, header: header, payload: payload)
        let text = CompactJWS.text(signingInput: input, signature: try sign(input))
        return String(decoding: text, as: UTF8.self)
    }
}
