package import Approvals
import Certificates
import CryptoProvider
import Encodings
package import Interface

/// Services that ask members for approvals, for administrators.
extension WalletClient {
    /// The services.
    package func approvalServices() async throws -> [ApprovalServiceInfo] {
        try await session().approvalServices()
    }

    /// Adds a service.
    ///
    /// - Returns: its API key, which is shown this once, and the logged act.
    package func addApprovalService(
        domain: String, name: String, webhook: String? = nil
    ) async throws -> LoggedServiceKey {
        try await checked(
            session().addApprovalService(NewApprovalService(domain: domain, name: name, webhook: webhook)),
            "service.added")
    }

    /// Changes where a service is told that something is over; `nil` for nowhere.
    ///
    /// The receipt is checked to say the address that the answer says.
    package func setWebhook(ofApprovalService id: String, _ url: String?) async throws -> LoggedServiceChange {
        let answer = try await session().setWebhook(ofApprovalService: id, url.map(ApprovalWebhook.init))
        guard (answer.service.webhook == nil) == (url == nil) else {
            throw WalletError.unexpectedAnswer("another webhook")
        }
        let digest = answer.service.webhook.map { SwiftCryptoSuite().sha256(Bytes(text: $0)).base64URL }
        let act = try await check(
            answer.receipt, "service.changed",
            [("public_key", .text(answer.service.publicKey)), ("webhook", digest.map { .text($0) } ?? .null)])
        return LoggedServiceChange(service: answer.service, act: act)
    }

    /// Says how many people have to approve what a service asks, by amount; `nil` lets the service decide.
    ///
    /// The receipt is checked to say this rule.
    package func setQuorum(
        ofApprovalService service: ApprovalServiceInfo, _ rule: QuorumRule?
    ) async throws -> LoggedServiceChange {
        let quorum = rule.map { rule in
            ApprovalQuorum(
                currency: String(decoding: rule.currency.code, as: UTF8.self),
                steps: rule.steps.map { .init(from: $0.from, need: $0.need) })
        }
        let answer = try await session().setQuorum(ofApprovalService: service.id, quorum)
        let act = try await check(
            answer.receipt, "service.changed",
            [("public_key", .text(service.publicKey)), ("quorum", rule.map { .string($0.text) } ?? .null)])
        return LoggedServiceChange(service: answer.service, act: act)
    }

    /// Gives a service another API key; the old one ends at once.
    package func rotateApprovalService(_ id: String) async throws -> LoggedServiceKey {
        try await checked(session().rotateApprovalService(id), "service.rotated")
    }

    /// Lets a service speak version 1, or no longer.
    ///
    /// - Parameter key: the RSA key that the site's apps know already, PEM.
    package func setOriginal(_ id: String, accepts: Bool, key: String? = nil) async throws -> LoggedServiceChange {
        let answer = try await session().setOriginal(id, OriginalAcceptance(accepts: accepts, key: key))
        var members: [(StaticString, JSON)] = [
            ("public_key", .text(answer.service.publicKey)), ("version_1", .bool(accepts)),
        ]
        // The server shows the key only while it is used.
        if let pem = answer.service.originalKey, let der = try? PEM.decode(Bytes(text: pem), label: "PUBLIC KEY").first
        {
            members.append(("original_key", .text(SwiftCryptoSuite().sha256(der).base64URL)))
        } else if accepts {
            throw WalletError.unexpectedAnswer("no RSA key")
        }
        let act = try await check(answer.receipt, "service.changed", members)
        return LoggedServiceChange(service: answer.service, act: act)
    }

    /// Removes a service.
    package func removeApprovalService(_ service: ApprovalServiceInfo) async throws -> LoggedAct {
        try await check(
            try await session().removeApprovalService(service.id).receipt, "service.removed",
            [("public_key", .text(service.publicKey))])
    }

    private func checked(_ answer: ApprovalServiceKey, _ type: String) async throws -> LoggedServiceKey {
        let act = try await check(answer.receipt, type, [("public_key", .text(answer.service.publicKey))])
        return LoggedServiceKey(service: answer.service, apiKey: answer.apiKey, act: act)
    }
}

/// A service's new API key, and the act that made it.
package struct LoggedServiceKey: Codable, Sendable {
    /// Whose it is.
    package let service: ApprovalServiceInfo
    /// The key: nobody is told it again.
    package let apiKey: String
    /// The act.
    package let act: LoggedAct
}

/// A service that an administrator changed, and the act.
package struct LoggedServiceChange: Codable, Sendable {
    /// As it is now.
    package let service: ApprovalServiceInfo
    /// The act.
    package let act: LoggedAct
}

extension ServerClient {
    package func approvalServices() async throws -> [ApprovalServiceInfo] { try await list("/api/services") }
    package func addApprovalService(_ service: NewApprovalService) async throws -> ApprovalServiceKey {
        try await post("/api/services", service)
    }
    package func rotateApprovalService(_ id: String) async throws -> ApprovalServiceKey {
        try await post("/api/services/\(Self.segment(id))/key")
    }
    package func setOriginal(_ id: String, _ request: OriginalAcceptance) async throws -> ApprovalServiceChange {
        try await put("/api/services/\(Self.segment(id))/version-1", request)
    }
    package func setWebhook(
        ofApprovalService id: String, _ webhook: ApprovalWebhook?
    ) async throws -> ApprovalServiceChange {
        let path = try "/api/services/\(Self.segment(id))/webhook"
        guard let webhook else { return try await delete(path) }
        return try await put(path, webhook)
    }
    package func setQuorum(
        ofApprovalService id: String, _ quorum: ApprovalQuorum?
    ) async throws -> ApprovalServiceChange {
        let path = try "/api/services/\(Self.segment(id))/quorum"
        guard let quorum else { return try await delete(path) }
        return try await put(path, quorum)
    }
    package func removeApprovalService(_ id: String) async throws -> Acknowledgement {
        try await delete("/api/services/\(Self.segment(id))")
    }
}
