import Encodings

/// What only the passphrase opens.
package struct WalletSecrets: Codable, Sendable {
    /// Signs as this device: sign-in, key binding of presentations, the face-to-face check.
    ///
    /// 32 bytes, base64url.
    var signingKey: String
    /// Opens what is sealed to this device.
    ///
    /// 32 bytes, base64url.
    var encryptionKey: String
    /// Signs certificates, credentials and documents: administrators only.
    ///
    /// 32 bytes, base64url.
    var authorityKey: String?
    /// The key that the root is asked to certify instead of `authorityKey`: the main administrator only.
    ///
    /// 32 bytes, base64url.
    var nextAuthorityKey: String?
    /// The organisation's name as the pinned root gives it.
    package var organisation: String
    /// The root certificate that was pinned at first contact, DER, base64url.
    ///
    /// Empty until the organisation is set up.
    var root: String
    /// The log's verifier key that was pinned at first contact, or the text of the log policy that came after it.
    package var logKey: String
    /// The version of that policy; none while it is a key.
    var policyVersion: Int64?
    /// From when on the certificate holds that signed it, in seconds since 1970: an older one signs no later version.
    var policyCertified: Int64?
    /// The newest checkpoint that was seen and found consistent, a signed note.
    var checkpoint: String?
    /// Keys of members whom this wallet has checked face to face: later documents are for the same keys only.
    var holders: [CheckedHolder]
    /// Keys for services that ask for approvals; none in wallets of earlier versions.
    var approvals: [ApprovalKey]?
    /// Keys for sites that speak version 1; none in wallets of earlier versions.
    var originals: [OriginalAppKey]?
    /// Accounts at services that are signed in to with a scan; none in wallets of earlier versions.
    var pico: [PicoAccount]?

    /// Opens this device's slot of the vault; none before the vault was opened here.
    ///
    /// 32 random bytes, base64url: no other key has this purpose.
    var vault: String?

    /// A member whom this administrator has met.
    struct CheckedHolder: Codable, Sendable, Equatable {
        var account: String
        /// Thumbprints, base64url.
        var signingKey: String
        var encryptionKey: String
    }
}
