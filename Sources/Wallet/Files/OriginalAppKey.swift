import CryptoProvider
import Encodings

extension WalletSecrets {
    /// A key that this wallet has made for one site that speaks version 1, and what it keeps of the site since then.
    struct OriginalAppKey: Codable, Sendable, Equatable {
        /// The RSA key that signs the site's challenges, PEM: given by the person, and never by a challenge.
        var serverKey: String
        /// What the site called itself at the enrolment.
        var service: String
        /// 32 bytes, base64url.
        var key: String
        /// Whether the site has accepted the key.
        var isEnrolled: Bool
    }
}
