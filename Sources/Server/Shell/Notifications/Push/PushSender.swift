import CryptoProvider
import Encodings
import Foundation
import Interface

/// Sends notices through the push services of browsers (RFC 8030), signed (RFC 8292) and encrypted (RFC 8291).
///
/// The push service learns that this server tells this browser something, when, and how urgent it is.
struct PushSender: NotificationSender {
    let egress: Egress
    let keys: PushKeys
    /// Who asks, for the operators of the push service.
    let publicURL: String
    let random: RandomSource
    let suite = SwiftCryptoSuite()

    /// A statement for a push service, in seconds: it must end within a day (RFC 8292 section 2).
    private static let statementTime: Int64 = 12 * 3_600
    /// All messages are as long as this, so that their lengths tell nothing.
    private static let messageLength = 1_024

    func send(_ notice: OutgoingNotice) async -> NotificationOutcome {
        let item = notice.item
        guard let key = item.pushKey, let auth = item.pushAuth,
            let subscription = PushSubscription(endpoint: item.address, key: key, auth: auth, suite: suite)
        else { return .gone }
        do {
            let message = try message(notice, to: subscription)
            return Self.outcome(
                of: try await egress.send(message, to: subscription.address, isAdministrators: false), now: notice.now)
        } catch Egress.Failure.notPublic {
            return .later("the push service's name leads to an address that is not public", after: nil)
        } catch {
            return .later("\(error)", after: nil)
        }
    }

    /// The request of RFC 8030 section 5.
    private func message(_ notice: OutgoingNotice, to subscription: PushSubscription) throws -> EgressMessage {
        let body = try WebPushEncryption.encrypt(
            payload(of: notice), for: subscription.key, auth: subscription.auth, with: EncryptionKey(),
            salt: random.bytes(WebPushEncryption.saltLength), paddedTo: Self.messageLength)
        let signing = try keys.signingKey()
        let statement = try signing.signJWS(
            type: "JWT",
            payload: .members([
                ("aud", .text(subscription.origin)), ("exp", .integer(notice.now + Self.statementTime)),
                ("sub", .text(publicURL)),
            ]))
        return EgressMessage(
            fields: [
                ("authorization", "vapid t=\(statement), k=\(signing.publicKey.x963.base64URL)"),
                ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"),
                ("ttl", String(max(0, notice.item.expires - notice.now))),
                ("urgency", notice.item.isOver ? "normal" : notice.kind.urgency.rawValue), ("topic", tag(of: notice)),
            ], body: body)
    }

    /// Points at what waits, and says no more of it than the person wants.
    private func payload(of notice: OutgoingNotice) -> Bytes {
        JSON.members([
            ("kind", .text(notice.kind.name)), ("path", .text(notice.kind.path(notice.item.subject))),
            ("tag", .text(tag(of: notice))), ("over", .bool(notice.item.isOver)),
            ("text", .text(notice.words.text(notice.item, notice.kind))),
            ("language", .text(notice.words.catalogue.code)), ("direction", .text(notice.words.catalogue.direction)),
        ]).serialized()
    }

    /// A later notice about the same replaces an earlier one, at the push service and on the screen.
    ///
    /// 32 characters, the most that a topic may have (RFC 8030 section 5.4).
    private func tag(of notice: OutgoingNotice) -> String {
        let text = [notice.item.account, notice.kind.name, notice.item.subject].joined(separator: " ")
        return Array(suite.sha256(Bytes(text: text)).prefix(24)).base64URL
    }

    /// What the answer of a push service means (RFC 8030 sections 5 and 7.3, RFC 8292 section 4.2).
    static func outcome(of answer: EgressAnswer, now: Int64) -> NotificationOutcome {
        switch answer.status {
        case 200, 201, 202, 204: .delivered
        case 404, 410: .gone
        case 408, 425, 429, 500...599:
            .later(
                "status \(answer.status)", after: answer.retryAfter.flatMap { RetryAfter.seconds($0, now: now) })
        default: .refused("status \(answer.status)")
        }
    }
}
