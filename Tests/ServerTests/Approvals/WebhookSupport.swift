import Encodings
import Foundation
import HTTPTypes
import Interface
import Logging
import Storage
import Synchronization
import Testing
import WebhookReceiver

@testable import Server

extension TestOrganisation {
    /// A server whose operator allows private addresses.
    static func inside() async throws -> TestOrganisation {
        var configuration = ServerConfiguration()
        configuration.allowsPrivateAddresses = true
        return try await TestOrganisation(configuration: configuration)
    }

    /// What brings the server's notices.
    ///
    /// - Parameters:
    ///   - egress: another way out than the server's own.
    ///   - patience: how long a receiver may take; a busy machine needs more than a moment for one that answers.
    func webhooks(
        _ egress: Egress? = nil, notes: Notes = Notes(), patience: Duration = .seconds(30)
    ) -> WebhookDelivery {
        var environment = server.environment.with(keys: [.approvalSecret])
        environment.egress =
            egress
            ?? Egress(
                isOn: true, allowsPrivate: true, lookup: SystemNameLookup.messages, transport: HTTPEgressTransport(),
                sender: HTTPEgressSender(patience: patience))
        let logger = Logger(label: "test") { _ in
            LineLogHandler(format: .text) { notes.add(String(decoding: $0, as: UTF8.self)) }
        }
        return WebhookDelivery(environment: environment, logger: logger)
    }

    /// How many notices wait.
    func waitingNotices() async throws -> Int64 {
        try await server.environment.database.read { transaction in
            try transaction.row("SELECT COUNT(*) AS total FROM approval_notices", [])?.integer("total") ?? 0
        }
    }
}

/// What was logged.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

extension TestBank {
    @discardableResult
    func setWebhook(_ url: String?) async throws -> TestClient.Answer {
        try await client.send(
            url == nil ? .delete : .put, "/api/services/\(key.service.id)/webhook", url.map(ApprovalWebhook.init),
            token: owner.token)
    }
}

extension WebhookReceiver.Delivery {
    func notice() throws -> ApprovalNotice { try StrictDecoder.decode(ApprovalNotice.self, from: JSON.parse(body)) }

    /// As an independent program reads it.
    func question(_ url: String, _ key: ApprovalServiceKey) -> JSON {
        .members([
            ("method", .text(method)), ("url", .text(url)), ("body", .string(Base64.encode(body, .url))),
            ("public_key", .text(key.service.publicKey)), ("domain", .text(key.service.domain)),
            ("fields", .members(fields.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })),
        ])
    }
}
