import Approvals
import CryptoProvider
import Encodings

extension WalletSecrets {
    /// A key that this wallet has made for one service, and what it keeps of the service since then.
    struct ApprovalKey: Codable, Sendable, Equatable {
        /// The id of the offer that it was made for.
        var offer: String
        /// The service's id.
        var domain: String
        var serviceName: String
        /// The key that signs the service's questions, base64url.
        var serverKey: String
        /// What the service knows the account by, base64url.
        var label: String
        /// 32 bytes, base64url.
        var key: String
        /// The message by which the offer was taken: a lost answer is asked for again with the same.
        var message: String
        /// Whether the service has confirmed it.
        var isEnrolled: Bool

        /// Whether an older device's word is in the message.
        var hasVoucher: Bool {
            message.fromBase64URL.flatMap { try? DeviceEnrolment.read($0) }?.voucher != nil
        }

        /// The public half, an uncompressed point, base64url; `nil` for a key that is none.
        var publicKey: String? {
            key.fromBase64URL.flatMap { try? SigningKey(rawRepresentation: $0) }?.publicKey.x963.base64URL
        }
    }
}
