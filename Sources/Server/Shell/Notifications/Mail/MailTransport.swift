import Encodings
import Interface
import NIOPosix
import Storage

/// How messages leave this server.
///
/// Tests give their own.
package protocol MailTransport: Sendable {
    /// Hands over a message that is encoded already.
    ///
    /// - Throws: `MailFailure`.
    func deliver(_ message: [UInt8], to recipient: String, from sender: String, id: String) async throws
}

/// Why a message was not taken.
enum MailFailure: Error, Equatable, Sendable {
    /// For good, as the other side said.
    case refused(String)
    /// It may be taken later.
    case later(String)
}

/// Where this server's mail comes from, and how it leaves.
struct Mailer: Sendable {
    let sender: EmailAddress
    let transport: any MailTransport

    func deliver(_ message: MailMessage) async throws {
        try await transport.deliver(
            message.encoded(from: sender), to: message.to.text, from: sender.text, id: message.id)
    }
}

extension Mailer {
    /// The way that an operator has set; `nil` for none.
    ///
    /// - Parameter transport: replaces the way, in tests.
    /// - Throws: `NotificationSetUpError`, which says what to do.
    init?(_ settings: ServerConfiguration.MailSettings?, transport: (any MailTransport)?) throws {
        guard let settings, let sender = EmailAddress(settings.sender) else { return nil }
        self.sender = sender
        if let transport {
            self.transport = transport
            return
        }
        switch settings.place {
        case .folder(let path): self.transport = MailFolder(path: path)
        case .server(let place):
            let credentials = try settings.credentials.map { try MailCredentials(file: $0) }
            self.transport = SMTPTransport(place: place, credentials: credentials)
        }
    }
}

/// Sends notices by e-mail: that something waits, and the way there.
struct MailSender: NotificationSender {
    let mail: Mailer
    let database: any Database
    let publicURL: String

    func send(_ notice: OutgoingNotice) async -> NotificationOutcome {
        let item = notice.item
        // What is over is nothing to write about.
        guard !item.isOver else { return .delivered }
        guard let address = EmailAddress(item.address) else { return .gone }
        do {
            let letterhead = try await Letterhead.find(in: database, notice.words.catalogue, publicURL: publicURL)
            // Without the subject: the address in a letter says no more than its sentence.
            let message = MailMessage(
                to: address, subject: notice.words.sentence(notice.kind),
                text: notice.words.letter(item, notice.kind, address: publicURL + "/wallet"), letterhead: letterhead,
                id: item.id, time: item.created)
            try await mail.deliver(message)
            return .delivered
        } catch MailFailure.refused(let reason) {
            return .refused(reason)
        } catch {
            return .later("\(error)", after: nil)
        }
    }
}

/// Writes each message into a folder, for another program that sends it.
///
/// A file has its whole name only when it is whole; the same message again replaces it.
struct MailFolder: MailTransport {
    let path: String

    func deliver(_ message: [UInt8], to recipient: String, from sender: String, id: String) async throws {
        do {
            // Waits for the disk, so not on Swift's own threads.
            try await NIOThreadPool.singleton.runIfActive { [path] in
                try DurableFile.write("\(path)/\(id).eml", message)
            }
        } catch {
            throw MailFailure.later("\(error)")
        }
    }
}
