import CryptoProvider
import Encodings

extension ServerKey {
    /// Makes the key with which each service's questions are signed, and what services know accounts by.
    static let approvalSecret = ServerKey(name: "approval-secret", kind: .secret)
}

/// What the secret of approvals makes, each for one purpose.
struct ApprovalKeys: Sendable {
    private let secret: Bytes

    init(_ keys: SliceKeys) { secret = keys.secret(.approvalSecret) }

    /// The key that signs everything of one service.
    ///
    /// Devices keep its public half from their enrolment on. A service that is added again gets another id, and so
    /// another key.
    func signingKey(ofService id: String) throws -> SigningKey {
        // One number in four thousand million is no secret key of P-256; the next one is.
        for attempt in 0..<8 as Range<UInt8> {
            let number = signingNumber(ofService: id, attempt)
            if let key = try? SigningKey(rawRepresentation: number) { return key }
        }
        throw KeyError.malformed
    }

    /// What that key is made of; as secret as the key.
    func signingNumber(ofService id: String, _ attempt: UInt8 = 0) -> Bytes { made("service key", id, [attempt]) }

    /// Seals the RSA key of a service that speaks version 1.
    ///
    /// An RSA key cannot be made from a secret as the others are, so it is kept.
    func originalBox(ofService id: String) throws -> SecretBox {
        try SecretBox(key: made("box of the version 1 key", id, []))
    }

    /// What a service's user is called in challenges, offers and receipts: 32 bytes that say nothing about the person.
    ///
    /// - Parameter user: what the service itself calls them; it is not stored.
    func label(ofUser user: String, atService id: String) -> Bytes { made("user label", id, Bytes(text: user)) }

    /// The stored form of something that a service tells apart and nobody has to read: a session, a browser.
    func mark(_ text: String, of kind: String, atService id: String) -> String {
        made("mark of a \(kind)", id, Bytes(text: text)).base64URL
    }

    private func made(_ purpose: String, _ id: String, _ bytes: Bytes) -> Bytes {
        HMACSHA256.authenticate(
            Bytes(text: "countersign approvals v1 \(purpose)") + [0] + Bytes(text: id) + [0] + bytes, key: secret,
            suite: SwiftCryptoSuite())
    }
}
