import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Logging
import Storage
import Synchronization
import Testing

@testable import Server

/// Everybody's names lead to one public address, or to those that a test gives.
struct SettledLookup: NameLookup {
    var addresses = ["93.184.215.14"]
    func addresses(of name: String) async throws -> [String] { addresses }
}

/// Fetches nothing.
private struct NoTransport: EgressTransport {
    func get(
        _ path: String, of name: String, at address: String, limit: Int
    ) async throws -> (status: Int, body: [UInt8]) { throw Egress.Failure.off }
}

/// A push service that remembers what was posted, and answers as it is told.
final class FakePushService: EgressSender {
    /// What was posted, and where.
    struct Post: Sendable {
        let address: String
        let message: EgressMessage

        func header(_ name: String) -> String? { message.fields.first { $0.name == name }?.value }
    }

    private struct State {
        var posts: [Post] = []
        var answers: [EgressAnswer] = []
    }
    private let state = Mutex(State())

    var posts: [Post] { state.withLock { $0.posts } }

    /// Answers the next posts with these, and all further ones with 201.
    func answer(_ answers: EgressAnswer...) { state.withLock { $0.answers = answers } }

    func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> EgressAnswer {
        state.withLock { state in
            state.posts.append(Post(address: address.text, message: message))
            return state.answers.isEmpty ? EgressAnswer(status: 201) : state.answers.removeFirst()
        }
    }

    /// Returns once there were so many posts, or throws when the test is cancelled: else its time limit would end nothing.
    func waitForPosts(_ count: Int) async throws { try await until { self.posts.count >= count } }
}

/// Remembers letters, and refuses on demand.
final class FakeMail: MailTransport {
    struct Letter: Sendable { let message, recipient, id: String }
    private let state = Mutex<(letters: [Letter], failure: MailFailure?)>(([], nil))
    var letters: [Letter] { state.withLock { $0.letters } }

    func fail(_ failure: MailFailure?) { state.withLock { $0.failure = failure } }

    func deliver(_ message: [UInt8], to recipient: String, from sender: String, id: String) async throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.letters.append(
                Letter(message: String(decoding: message, as: UTF8.self), recipient: recipient, id: id))
        }
    }

    /// The code in the newest letter's text.
    func code() throws -> String {
        let text = try #require(letters.last?.text)
        let match = try #require(text.firstMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/))
        return String(match.output)
    }
}

extension FakeMail.Letter {
    /// The body, which is base64.
    var text: String? {
        let parts = message.components(separatedBy: "\r\n\r\n")
        guard parts.count == 2, let data = Data(base64Encoded: parts[1].replacing("\r\n", with: "")) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

extension Environment {
    /// A notice of whose detail a test has nothing to say.
    func notify(
        _ kind: NotificationKind, _ account: String, about subject: String = "", in transaction: Transaction, now: Int64
    ) throws {
        try notify(
            kind, account, about: subject, saying: NotificationDetail(.unfrozen), in: transaction, now: now)
    }
}

extension TestOrganisation {
    /// A server whose notices go to fakes.
    convenience init(
        push: any EgressSender, mail: (any MailTransport)? = nil, sms: ServerConfiguration.SMSSettings? = nil,
        lookup: SettledLookup = .init(), slices: [Slice] = Slice.all
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.sms = sms
        if mail != nil {
            configuration.mail = .init(place: .folder("/nowhere"), sender: "countersign@sign.example")
        }
        try await self.init(
            egress: Egress(isOn: false, lookup: lookup, transport: NoTransport(), sender: push), mail: mail,
            configuration: configuration, slices: slices)
    }

    /// What delivers its notices.
    func delivery() -> NotificationDelivery {
        let environment = server.environment.with(keys: [.notificationSecret])
        return NotificationDelivery(
            environment: environment, senders: environment.notificationSenders,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Delivers what is due now.
    ///
    /// - Returns: how many were tried.
    @discardableResult
    func deliver() async throws -> Int {
        let delivery = delivery()
        let taken = try await delivery.claim(100, ofEach: 100).taken
        for item in taken { await delivery.deliver(item) }
        return taken.count
    }

    /// What waits, as "kind way", in order.
    func outbox() async throws -> [String] {
        try await server.environment.database.read { transaction in
            try transaction.rows("SELECT kind, way_kind, is_over FROM notification_outbox ORDER BY kind, way_kind, id")
                .map {
                    "\(try $0.text("kind")) \(try $0.text("way_kind"))"
                        + (try $0.integer("is_over") == 1 ? " over" : "")
                }
        }
    }
}

extension TestClient {
    static let pushPath = "/api/notifications/push"

    /// A browser's subscription, with its own keys.
    func subscription(_ name: String, host: String = "push.example") throws -> NewPushSubscription {
        NewPushSubscription(
            endpoint: "https://\(host)/send/\(name)?v=1", key: try EncryptionKey().publicKey.x963.base64URL,
            auth: [UInt8](repeating: 7, count: 16).base64URL)
    }

    @discardableResult
    func subscribe(
        _ session: NewSession, _ name: String = "ada", host: String = "push.example"
    ) async throws
        -> NotificationWay
    {
        try await send(.put, Self.pushPath, subscription(name, host: host), token: session.token)
            .decode(NotificationWay.self)
    }

    func notifications(_ session: NewSession) async throws -> NotificationSettings {
        try await send(.get, "/api/notifications", token: session.token).decode(NotificationSettings.self)
    }

    func choose(
        _ way: NotificationWay.Kind, _ kind: String, _ isOn: Bool, _ session: NewSession
    ) async throws
        -> Answer
    {
        try await send(
            .put, "/api/notifications/choices", NotificationSwitch(way: way, kind: kind, isOn: isOn),
            token: session.token)
    }

    /// An e-mail address, confirmed.
    func addEmail(_ address: String, _ session: NewSession, _ mail: FakeMail) async throws -> NotificationWay {
        let way = try await send(
            .post, "/api/notifications/email", NewEmailAddress(address: address), token: session.token
        ).decode(NotificationWay.self)
        return try await send(
            .post, "/api/notifications/email/\(way.id)/confirm", NotificationCode(code: mail.code()),
            token: session.token
        ).decode(NotificationWay.self)
    }
}

/// A program in Python of `Tests/Interop/notifications`, which says what it sees in lines of JSON.
final class PythonProgram: Sendable {
    private let process: Process
    private let lines: AsyncStream<String>

    struct Missing: Error, CustomStringConvertible { let description: String }

    init(_ script: String, _ arguments: String...) throws {
        let repository = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let python =
            ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? repository + "/.build-tools/python/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Missing(description: "needs TEST_PYTHON with http-ece and aiosmtpd (./test installs them)")
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["\(repository)/Tests/Interop/notifications/\(script)"] + arguments
        let output = Pipe()
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try OtherProgram.start(process)
        Thread.detachNewThread {
            var text = ""
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                text += String(decoding: data, as: UTF8.self)
                while let end = text.firstIndex(of: "\n") {
                    continuation.yield(String(text[..<end]))
                    text = String(text[text.index(after: end)...])
                }
            }
            continuation.finish()
        }
    }

    /// The next line.
    func next() async throws -> JSON {
        for await line in lines { return try JSON.parse(Bytes(text: line)) }
        throw Missing(description: "the program ended: are http-ece and aiosmtpd installed?")
    }

    /// Ends it.
    ///
    /// Nobody waits for that: Foundation's waiting keeps a thread that other tests need. It may have got our mask of
    /// signals, which blocks all but this one.
    func stop() { kill(process.processIdentifier, SIGKILL) }
}

extension JSON {
    /// A member's text.
    func text(_ name: String) -> String? {
        members?.first { $0.name == Bytes(text: name) }?.value.string.map { String(decoding: $0, as: UTF8.self) }
    }
}
