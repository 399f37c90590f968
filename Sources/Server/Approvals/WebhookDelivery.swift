import CryptoProvider
import Encodings
import Interface
import Logging
import ServiceLifecycle
import Storage

/// Tells services that something is over: what is due, until the service has taken it or a day is over.
///
/// Before a notice is sent, its next attempt is stored. So a server that is killed at any moment sends it again, and of
/// several servers one sends it. The idempotency key stays the same.
struct WebhookDelivery: Service {
    let environment: Environment
    let logger: Logger

    /// The name by which it listens; no account has it.
    static let listener = "webhooks"
    /// Seconds from an attempt to the next: longer than an attempt takes, and then longer and longer.
    static let pauses: [Int64] = [15, 60, 300, 1_800, 7_200]
    /// Seconds for which a notice is tried.
    static let patience: Int64 = 86_400
    /// Most notices under way at once, of all services and of one.
    private static let (together, ofOne) = (64, 4)
    /// The longest sleep: of what other servers store, nobody may have told this one.
    private static let rest: Int64 = 60

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Listens before it looks, so that nothing is stored in between.
                let bell = try? environment.events.subscribe(
                    Principal(account: Self.listener, role: .member, session: Self.listener, device: nil))
                // What cannot be read or stored now is tried again in a minute: a full disk must not stop the server.
                let next = try? await deliver()
                let now = environment.now()
                let seconds = min(Self.rest, max(1, (next ?? now + Self.rest) - now))
                try await sleep(.seconds(seconds), or: bell)
            }
        }
    }

    /// Waits until the time is over or the bell rings.
    private func sleep(_ duration: Duration, or bell: AsyncStream<EventHub.Frame>?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [clock = environment.clock] in try await clock.sleep(duration) }
            if let bell {
                group.addTask { for await frame in bell { if case .event = frame { return } } }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Sends everything that is due.
    ///
    /// - Returns: when the next notice is due; `nil` if there is none.
    @discardableResult
    func deliver() async throws -> Int64? {
        while true {
            let now = environment.now()
            let next = try await environment.database.read { try WebhookNoticeStore(transaction: $0).nextDue() }
            guard let next, next <= now else { return next }
            let deliveries = try await claim(at: now)
            let results = await withTaskGroup(
                of: (Delivery, Bool).self, returning: [(delivery: Delivery, isTaken: Bool)].self
            ) { group in
                for delivery in deliveries { group.addTask { (delivery, await send(delivery)) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try await environment.database.write { transaction in
                let store = WebhookNoticeStore(transaction: transaction)
                for result in results where result.isTaken { try store.remove(result.delivery.notice) }
                // One that does not answer must not keep the others waiting.
                for service in Set(results.filter { !$0.isTaken }.map(\.delivery.service.id)) {
                    try store.pause(service: service, until: now + Self.pauses[0], now: now)
                }
            }
        }
    }

    /// A notice that this server alone sends now.
    private struct Delivery: Sendable {
        let notice: ApprovalNotice
        let service: ApprovalServiceInfo
    }

    private func claim(at now: Int64) async throws -> [Delivery] {
        let (deliveries, late) = try await environment.database.write { transaction in
            let store = WebhookNoticeStore(transaction: transaction)
            var (deliveries, late): ([Delivery], [String]) = ([], [])
            var services: [String: ApprovalServiceInfo] = [:]
            for stored in try store.due(at: now, limit: Self.together) {
                let known =
                    try services[stored.service]
                    ?? ApprovalServiceStore(transaction: transaction).find(id: stored.service)?.info
                guard let service = known, service.webhook != nil, now - stored.notice.time <= Self.patience else {
                    try store.remove(stored.notice)
                    if let known { late.append("\(known.domain) \(stored.notice.idempotencyKey)") }
                    continue
                }
                services[service.id] = service
                guard deliveries.count(where: { $0.service.id == service.id }) < Self.ofOne else { continue }
                let pause = Self.pauses[min(Int(stored.attempts), Self.pauses.count - 1)]
                try store.attempt(stored.notice, next: now + pause)
                deliveries.append(Delivery(notice: stored.notice, service: service))
            }
            return (deliveries, late)
        }
        for notice in late { logger.warning("a webhook took no notice for a day: \(notice) is given up") }
        return deliveries
    }

    /// Whether the service has taken it.
    private func send(_ delivery: Delivery) async -> Bool {
        do {
            let status = try await environment.egress.send(
                try message(delivery), to: try address(delivery), isAdministrators: true
            ).status
            guard !(200..<300).contains(status) else { return true }
            logger.info("the webhook of \(delivery.service.domain) answered \(status)")
        } catch {
            logger.info("the webhook of \(delivery.service.domain) cannot be reached: \(error)")
        }
        return false
    }

    private func address(_ delivery: Delivery) throws -> EgressAddress {
        guard let text = delivery.service.webhook,
            let address = EgressAddress(text, allowsPrivate: environment.egress.allowsPrivate)
        else { throw Egress.Failure.notPublic }
        return address
    }

    private func message(_ delivery: Delivery) throws -> EgressMessage {
        let body = try StrictEncoder.bytes(delivery.notice)
        let signature = NoticeSignature(
            url: try address(delivery).text, body: body, key: delivery.notice.idempotencyKey,
            domain: delivery.service.domain, created: environment.now())
        let key = try ApprovalKeys(environment.keys).signingKey(ofService: delivery.service.id)
        let signed = String(decoding: Base64.encode(try key.sign(signature.base), .standard), as: UTF8.self)
        return EgressMessage(
            fields: [
                ("content-type", NoticeSignature.contentType), ("content-digest", signature.contentDigest),
                ("idempotency-key", signature.idempotencyKey),
                ("signature-input", "\(NoticeSignature.label)=\(signature.parameters)"),
                ("signature", "\(NoticeSignature.label)=:\(signed):"),
            ], body: body)
    }
}

extension Environment {
    /// Something is over, and a service may be waiting to be told.
    func ringWebhooks() {
        events.publish(
            LiveEvent(.approval, id: "", state: ""), to: .accounts([WebhookDelivery.listener]))
    }
}
