import CryptoProvider
import Encodings
import EllipticCurves

/// Who this wallet is to those with whom its owner shares.
package struct VaultSharer: Sendable {
    /// The id of the account.
    let account: String
    /// The server's public URL: what is signed for one server counts at no other.
    let audience: String
    private let signingKey: SigningKey
    private let encryptionKey: EncryptionKey

    /// A device with its keys.
    init(account: String, audience: String, signingKey: SigningKey, encryptionKey: EncryptionKey) {
        self.account = account
        self.audience = audience
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
    }

    /// The fingerprint of this device, which others compare.
    package var print: String { VaultPrint.text(signing: signingKey.publicKey, encryption: encryptionKey.publicKey) }

    /// Signs a statement.
    func sign(_ statement: JSON, type: StaticString) throws -> String {
        try signingKey.signJWS(type: "\(type)", payload: statement)
    }

    /// Opens what was sealed to this device.
    func openingKey() throws -> ECPrivateKey {
        try ECPrivateKey(.p256, scalar: encryptionKey.rawRepresentation)
    }
}
