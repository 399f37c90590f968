import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// Services that ask for approvals: added, listed, given another API key, and removed, by administrators.
struct ApprovalServiceRegistry {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// All services, with the states of their webhooks.
    func list() async throws -> [ApprovalServiceInfo] {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let states = try WebhookStateStore(transaction: transaction).list(at: now)
            return try ApprovalServiceStore(transaction: transaction).list().map { service in
                var service = service
                service.webhookState = states[service.id]
                return service
            }
        }
    }

    /// The service that is calling.
    func find(_ program: CallingProgram) async throws -> ApprovalServiceInfo {
        let stored = try await environment.database.pointRead("approval service \(program.id)") { transaction in
            try ApprovalServiceStore(transaction: transaction).find(id: program.id)
        }
        guard let stored else { throw ApprovalServiceError.notFound }
        return stored.info
    }

    /// Adds a service.
    ///
    /// - Returns: its API key, which nobody is told again.
    func add(_ request: NewApprovalService, _ principal: Principal) async throws -> ApprovalServiceKey {
        let name: String
        do { name = try AccountRules.name(request.name) } catch { throw ApprovalServiceError.invalidName }
        guard (try? ApprovalService(id: Bytes(text: request.domain), name: Bytes(text: name))) != nil else {
            throw ApprovalServiceError.invalidDomain
        }
        let webhook = try request.webhook.map { try address($0) }
        let (id, now) = (environment.newIdentifier(), environment.now())
        let apiKey = ApprovalAPIKey(service: id, random: environment.random)
        let info = ApprovalServiceInfo(
            id: id, domain: request.domain, name: name,
            publicKey: try keys.signingKey(ofService: id).publicKey.x963.base64URL, created: now,
            webhook: webhook)
        let index = try await environment.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            guard try store.find(domain: info.domain) == nil else { throw ApprovalServiceError.taken }
            guard try store.count() < Limits.approvalServices else { throw ApprovalServiceError.tooMany }
            try store.insert(ApprovalServiceStore.Stored(info: info, keyHash: apiKey.hash))
            return try record(
                .serviceAdded, info, principal, webhook == nil ? [] : [webhookMember(webhook)], in: transaction,
                now: now)
        }
        return ApprovalServiceKey(
            service: info, apiKey: apiKey.text, receipt: try await environment.log.receipt(index))
    }

    /// Gives a service another API key; the old one opens nothing from now on.
    func rotate(_ id: String, _ principal: Principal) async throws -> ApprovalServiceKey {
        let now = environment.now()
        let apiKey = ApprovalAPIKey(service: id, random: environment.random)
        let (info, index) = try await environment.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            guard var info = try store.find(id: id)?.info else { throw ApprovalServiceError.notFound }
            try store.setKey(id, hash: apiKey.hash, at: now)
            info.rotated = now
            return (info, try record(.serviceRotated, info, principal, in: transaction, now: now))
        }
        return ApprovalServiceKey(
            service: info, apiKey: apiKey.text, receipt: try await environment.log.receipt(index))
    }

    /// Changes where a service is told that something is over; `nil` for nowhere, and then nothing waits to be told.
    ///
    /// The record says which, by its digest: nobody turns the notices elsewhere unseen.
    func setWebhook(_ id: String, _ url: String?, _ principal: Principal) async throws -> ApprovalServiceChange {
        let now = environment.now()
        let webhook = try url.map { try address($0) }
        let (info, index) = try await environment.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            guard var info = try store.find(id: id)?.info else { throw ApprovalServiceError.notFound }
            try store.setWebhook(id, webhook)
            if webhook != info.webhook { try WebhookStateStore(transaction: transaction).forget(id) }
            if webhook == nil { try WebhookNoticeStore(transaction: transaction).removeAll(service: id) }
            info.webhook = webhook
            return (
                info,
                try record(
                    .serviceChanged, info, principal, [webhookMember(webhook)], in: transaction, now: now)
            )
        }
        environment.ringWebhooks()
        return ApprovalServiceChange(service: info, receipt: try await environment.log.receipt(index))
    }

    private func webhookMember(_ url: String?) -> (String, JSON) {
        ("webhook", url.map { .text(environment.suite.sha256(Bytes(text: $0)).base64URL) } ?? .null)
    }

    private func address(_ text: String) throws -> String {
        guard Limits.webhookAddress.contains(text.utf8.count),
            let address = EgressAddress(text, allowsPrivate: environment.egress.allowsPrivate)
        else {
            throw ApprovalServiceError.invalidWebhook
        }
        return address.text
    }

    /// Removes a service: it asks nothing any more.
    func remove(_ id: String, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let (index, open) = try await environment.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            guard let info = try store.find(id: id)?.info else { throw ApprovalServiceError.notFound }
            try store.remove(id, at: now)
            try WebhookNoticeStore(transaction: transaction).removeAll(service: id)
            try ApprovalOfferStore(transaction: transaction).endAll(service: id)
            let challenges = ApprovalChallengeStore(transaction: transaction)
            let open = try challenges.open(service: id, now: now)
            try challenges.cancelAll(service: id)
            for prompt in open {
                try environment.endNotice(
                    .approval, prompt.account, about: prompt.id, until: prompt.expires, in: transaction, now: now)
            }
            return (try record(.serviceRemoved, info, principal, in: transaction, now: now), open)
        }
        for prompt in open {
            environment.publishApproval(prompt.id, state: .cancelled, to: [prompt.account])
        }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    private func record(
        _ kind: TrustEvent.Kind, _ service: ApprovalServiceInfo, _ principal: Principal,
        _ members: [(String, JSON)] = [], in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        try environment.log.record(
            TrustEvent(
                kind, account: principal.account,
                [("domain", .text(service.domain)), ("public_key", .text(service.publicKey))] + members),
            in: transaction, now: now)
    }
}
