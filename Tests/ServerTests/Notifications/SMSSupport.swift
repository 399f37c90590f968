import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// Phones behind a gateway that remembers what it was given.
struct TestPhones: Sendable {
    static let address = "http://127.0.0.1:9/send"
    let service = FakePushService()

    /// What the gateway was asked to send.
    struct Message: Sendable, Equatable { let to, text, id: String }

    /// A server whose SMS go to such a gateway.
    static func serve(
        perHour: Int = Limits.smsPerHour, prefixes: PhonePrefixes = .all,
        _ body: @escaping @Sendable (TestOrganisation, TestClient, TestPhones) async throws -> Void
    ) async throws {
        let phones = TestPhones()
        let settings = ServerConfiguration.SMSSettings(
            place: try #require(SMSPlace(address)), prefixes: prefixes, perHour: perHour)
        let organisation = try await TestOrganisation(push: phones.service, sms: settings)
        try await organisation.serve { client in try await body(organisation, client, phones) }
    }

    var messages: [Message] {
        service.posts.filter { $0.address == Self.address }.compactMap { post in
            guard let json = try? JSON.parse(post.message.body), let to = json.text("to"), let text = json.text("text"),
                let id = json.text("id")
            else { return nil }
            return Message(to: to, text: text, id: id)
        }
    }

    /// The code in the newest message.
    func code() throws -> String {
        let text = try #require(messages.last?.text)
        return String(try #require(text.firstMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/)).output)
    }
}

extension TestClient {
    func addPhone(_ number: String, _ session: NewSession) async throws -> Answer {
        try await send(.post, "/api/notifications/phone", NewPhoneNumber(number: number), token: session.token)
    }

    func confirmPhone(_ way: NotificationWay, _ code: String, _ session: NewSession) async throws -> Answer {
        try await send(
            .post, "/api/notifications/phone/\(way.id)/confirm", NotificationCode(code: code), token: session.token)
    }

    /// A phone number, confirmed.
    func confirmedPhone(
        _ number: String, _ session: NewSession, _ phones: TestPhones
    ) async throws -> NotificationWay {
        let way = try await addPhone(number, session).decode(NotificationWay.self)
        return try await confirmPhone(way, phones.code(), session).decode(NotificationWay.self)
    }
}
