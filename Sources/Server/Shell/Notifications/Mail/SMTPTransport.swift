import Encodings
import NIOCore
import NIOPosix
import NIOSSL

/// Hands messages to a mail server, one connection each (RFC 5321, RFC 3207, RFC 4954).
///
/// Without TLS nothing goes to another machine. The operator names the server, so its address may be a private one.
struct SMTPTransport: MailTransport {
    let place: SMTPPlace
    let credentials: MailCredentials?
    /// Who may vouch for the server; tests have their own.
    var roots = NIOSSLTrustRoots.default
    /// From the connection to the last reply.
    var patience: Duration = .seconds(30)

    func deliver(_ message: [UInt8], to recipient: String, from sender: String, id: String) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await connect(Letter(message: message, recipient: recipient, sender: sender)) }
                group.addTask { [patience] in
                    try await Task.sleep(for: patience)
                    throw MailFailure.later("the mail server did not answer in time")
                }
                defer { group.cancelAll() }
                _ = try await group.next()
            }
        } catch let failure as MailFailure {
            throw failure
        } catch {
            throw MailFailure.later("\(error)")
        }
    }

    private struct Letter: Sendable {
        let message: Bytes
        let recipient: String
        let sender: String
        /// By this name the server of the sender introduces itself.
        var domain: String { sender.split(separator: "@").last.map(String.init) ?? "localhost" }
    }

    private func connect(_ letter: Letter) async throws {
        // Reads the roots from a file, so not on an event loop.
        let tls = try context()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(10))
            .connect(host: place.host, port: place.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if place.security == .implicit { try addTLS(tls, to: channel) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var conversation = SMTPConversation(inbound, outbound)
            try await talk(letter, &conversation, channel.channel, tls)
        }
    }

    private func talk(
        _ letter: Letter, _ conversation: inout SMTPConversation, _ channel: any Channel, _ tls: NIOSSLContext
    ) async throws {
        try Self.expect(try await conversation.reply(), 220)
        var abilities = try await greet(letter, &conversation)
        var isEncrypted = place.security == .implicit
        if !isEncrypted, abilities.contains("STARTTLS") {
            try Self.expect(try await conversation.ask("STARTTLS"), 220)
            guard !conversation.hasUnread else { throw MailFailure.later("the mail server said more before TLS") }
            try await channel.eventLoop.submit { try addTLS(tls, to: channel) }.get()
            isEncrypted = true
            // What was said before TLS no longer counts.
            abilities = try await greet(letter, &conversation)
        }
        guard isEncrypted || place.isOwn else { throw MailFailure.later("the mail server offers no TLS") }
        if let credentials {
            let secret = Bytes(text: "\0\(credentials.user)\0\(credentials.password)")
            let text = String(decoding: Base64.encode(secret, .standard), as: UTF8.self)
            try Self.expect(try await conversation.ask("AUTH PLAIN \(text)"), 235)
        }
        try await hand(letter, to: &conversation)
        _ = try? await conversation.ask("QUIT")
    }

    private func hand(_ letter: Letter, to conversation: inout SMTPConversation) async throws {
        try Self.expect(try await conversation.ask("MAIL FROM:<\(letter.sender)>"), 250)
        try Self.require(try await conversation.ask("RCPT TO:<\(letter.recipient)>"), 250, 251)
        try Self.require(try await conversation.ask("DATA"), 354)
        try Self.require(try await conversation.send(letter.message), 250)
    }

    private func greet(_ letter: Letter, _ conversation: inout SMTPConversation) async throws -> Set<String> {
        let reply = try await conversation.ask("EHLO \(letter.domain)")
        try Self.expect(reply, 250)
        return Set(reply.lines.dropFirst().map { $0.prefix { $0 != " " }.uppercased() })
    }

    /// What is wrong before there is a recipient is not the letter's fault: the operator puts it right, and the letter goes
    /// then.
    private static func expect(_ reply: SMTPConversation.Reply, _ code: Int) throws(MailFailure) {
        guard reply.code == code else { throw .later(reply.words) }
    }

    private static func require(_ reply: SMTPConversation.Reply, _ codes: Int...) throws(MailFailure) {
        guard !codes.contains(reply.code) else { return }
        throw (500...599).contains(reply.code) ? .refused(reply.words) : .later(reply.words)
    }

    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = roots
        return try NIOSSLContext(configuration: configuration)
    }

    private func addTLS(_ context: NIOSSLContext, to channel: any Channel) throws {
        // An address in numbers is no name for the server to choose a certificate by.
        let handler = try NIOSSLClientHandler(
            context: context, serverHostname: place.host == "127.0.0.1" ? nil : place.host)
        try channel.pipeline.syncOperations.addHandler(handler, position: .first)
    }
}
