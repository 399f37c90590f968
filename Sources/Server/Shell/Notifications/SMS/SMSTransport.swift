import Encodings
import Interface
import NIOPosix
import Storage

/// One text for one phone.
struct SMSMessage: Sendable, Equatable {
    let to: PhoneNumber
    let text: String
    /// The same on each attempt: a gateway that has taken it once does nothing the second time.
    let id: String

    /// What a gateway gets, and what is in a file of a folder: `id`, `text` and `to`.
    var encoded: Bytes {
        JSON.members([("id", .text(id)), ("text", .text(text)), ("to", .text(to.text))]).serialized()
    }
}

/// How SMS leave this server.
protocol SMSTransport: Sendable {
    /// Hands a message over; whatever goes wrong is an outcome.
    func deliver(_ message: SMSMessage, now: Int64) async -> NotificationOutcome
}

/// Posts messages to the operator's gateway (docs/notifications.md, "SMS").
struct SMSGateway: SMSTransport {
    let egress: Egress
    let address: EgressAddress
    let credentials: SMSCredentials?

    func deliver(_ message: SMSMessage, now: Int64) async -> NotificationOutcome {
        var fields: [(name: String, value: String)] = [("content-type", "application/json")]
        if let credentials { fields.append(("authorization", credentials.field)) }
        do {
            let answer = try await egress.send(
                EgressMessage(fields: fields, body: message.encoded), toOperators: address)
            return Self.outcome(of: answer, now: now)
        } catch {
            return .later("the SMS gateway cannot be reached: \(error)", after: nil)
        }
    }

    /// What the answer of a gateway means.
    static func outcome(of answer: EgressAnswer, now: Int64) -> NotificationOutcome {
        switch answer.status {
        case 200..<300: .delivered
        // A wrong token is the operator's to put right, and loses no notice.
        case 401, 408, 425, 429, 500...599:
            .later(
                "the SMS gateway answered \(answer.status)",
                after: answer.retryAfter.flatMap { RetryAfter.seconds($0, now: now) })
        default: .refused("the SMS gateway answered \(answer.status)")
        }
    }
}

/// Writes each message into a folder, for another program that sends it and removes the file.
///
/// A file has its whole name only when it is whole; the same message again replaces it.
struct SMSFolder: SMSTransport {
    let path: String

    func deliver(_ message: SMSMessage, now: Int64) async -> NotificationOutcome {
        do {
            // Waits for the disk, so not on Swift's own threads.
            try await NIOThreadPool.singleton.runIfActive { [path] in
                try DurableFile.write("\(path)/\(message.id).json", message.encoded)
            }
            return .delivered
        } catch {
            return .later("\(error)", after: nil)
        }
    }
}
