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
    static let pauses: [Int64] = [15, 60, 300, 1_800, longestPause]
    /// The most seconds, also if the other side asks for more.
    static let longestPause: Int64 = 7_200
    /// Seconds for which a notice is tried.
    static let patience: Int64 = 86_400
    /// Most notices under way at once, of all services and of one.
    private static let (together, ofOne) = (64, 4)
    /// The longest sleep: of what other servers store, nobody may have told this one.
    private static let rest: Int64 = 60
    /// By services.
    private let underWay = UnderWay()

    init(environment: Environment, logger: Logger) { (self.environment, self.logger) = (environment, logger) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let bell = NotificationBell()
            await withDiscardingTaskGroup { group in
                group.addTask { await listen(bell) }
                while !Task.isCancelled {
                    let (deliveries, next) = await look()
                    for delivery in deliveries {
                        group.addTask {
                            do {
                                try await finish(delivery)
                            } catch {
                                // It is due again after its pause.
                                logger.error("what came of a webhook could not be stored: \(error)")
                            }
                            bell.ring()
                        }
                    }
                    let now = environment.now()
                    let seconds = min(Self.rest, max(1, (next ?? now + Self.rest) - now))
                    _ = await bell.wait(atMost: .seconds(seconds), environment.clock)
                }
            }
        }
    }

    /// Rings when something may be due.
    private func listen(_ bell: NotificationBell) async {
        while !Task.isCancelled {
            let frames = try? environment.events.subscribe(
                Principal(account: Self.listener, role: .member, session: Self.listener, device: nil))
            // It listens before anybody looks, so that nothing is stored in between.
            bell.ring()
            if let frames {
                for await frame in frames { if case .event = frame { bell.ring() } }
            }
            try? await environment.clock.sleep(.seconds(1))
        }
    }

    /// Takes what is due.
    ///
    /// What cannot be read or stored now is tried again in a minute: a full disk must not stop the server.
    private func look() async -> ([Delivery], next: Int64?) {
        do {
            return try await claim()
        } catch {
            if !Task.isCancelled { logger.error("webhooks that are due could not be looked for: \(error)") }
            return ([], nil)
        }
    }

    /// Sends everything that is due.
    ///
    /// A service that is slow keeps no other waiting.
    ///
    /// - Returns: when the next notice is due; `nil` if there is none.
    @discardableResult
    func deliver() async throws -> Int64? {
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                let (deliveries, next) = try await claim()
                for delivery in deliveries { group.addTask { try await finish(delivery) } }
                if deliveries.isEmpty, try await group.next() == nil { return next }
            }
        }
    }

    /// Sends one, and stores what came of it.
    private func finish(_ delivery: Delivery) async throws {
        defer { underWay.end(delivery.service.id) }
        let failure = await send(delivery)
        let now = environment.now()
        try await environment.database.write { transaction in
            try settle(delivery, failure, in: transaction, now: now)
        }
    }

    private func settle(
        _ delivery: Delivery, _ failure: Failure?, in transaction: Transaction, now: Int64
    ) throws {
        let store = WebhookNoticeStore(transaction: transaction)
        let states = WebhookStateStore(transaction: transaction)
        let service = delivery.service.id
        guard let failure else {
            try store.remove(delivery.notice)
            return try states.succeeded(service, at: now)
        }
        try states.failed(service, failure.reason, at: now)
        // One that does not answer must not keep the others waiting.
        try store.pause(service: service, until: now + Self.pauses[0], now: now)
        if let wait = failure.after {
            // A lie about the time must not make its notices stay for ever.
            try store.hold(service: service, until: now + min(wait, Self.longestPause), now: now)
        }
    }

    /// Why a notice was not taken.
    private struct Failure: Sendable {
        /// As administrators see it.
        let reason: String
        /// Seconds until it wants to be asked again.
        var after: Int64?
    }

    /// A notice that this server alone sends now.
    private struct Delivery: Sendable {
        let notice: ApprovalNotice
        let service: ApprovalServiceInfo
    }

    /// Takes what is due, for this server alone: of each service so much that a slow one takes no other's place.
    ///
    /// - Returns: what was taken, and when the next is due.
    private func claim() async throws -> ([Delivery], next: Int64?) {
        let now = environment.now()
        let next = try await environment.database.read { try WebhookNoticeStore(transaction: $0).nextDue() }
        guard let next, next <= now else { return ([], next) }
        let (deliveries, late, later) = try await environment.database.write { transaction in
            let store = WebhookNoticeStore(transaction: transaction)
            var (deliveries, late): ([Delivery], [String]) = ([], [])
            var services: [String: ApprovalServiceInfo] = [:]
            for stored in try store.due(at: now, ofEach: Self.ofOne, limit: Self.together) {
                let known =
                    try services[stored.service]
                    ?? ApprovalServiceStore(transaction: transaction).find(id: stored.service)?.info
                guard let service = known, service.webhook != nil, now - stored.notice.time <= Self.patience else {
                    try store.remove(stored.notice)
                    if let known { late.append("\(known.domain) \(stored.notice.idempotencyKey)") }
                    continue
                }
                services[service.id] = service
                let own = deliveries.count { $0.service.id == service.id } + underWay.count(of: service.id)
                guard own < Self.ofOne, deliveries.count + underWay.count < Self.together else { continue }
                let pause = Self.pauses[min(Int(stored.attempts), Self.pauses.count - 1)]
                try store.attempt(stored.notice, next: now + pause)
                deliveries.append(Delivery(notice: stored.notice, service: service))
            }
            return (deliveries, late, try store.nextDue())
        }
        for delivery in deliveries { underWay.begin(delivery.service.id) }
        for notice in late { logger.warning("a webhook took no notice for a day: \(notice) is given up") }
        // Of what was given up more may be due.
        return deliveries.isEmpty && !late.isEmpty ? try await claim() : (deliveries, later)
    }

    /// Why the service has not taken it; `nil` if it has.
    private func send(_ delivery: Delivery) async -> Failure? {
        do {
            let answer = try await environment.egress.send(
                try message(delivery), to: try address(delivery), isAdministrators: true)
            guard !(200..<300).contains(answer.status) else { return nil }
            logger.info("the webhook of \(delivery.service.domain) answered \(answer.status)")
            let after = answer.retryAfter.flatMap { RetryAfter.seconds($0, now: environment.now()) }
            return Failure(reason: "status-\(answer.status)", after: after)
        } catch {
            logger.info("the webhook of \(delivery.service.domain) cannot be reached: \(error)")
            return switch error as? Egress.Failure {
            case .unknownName: Failure(reason: "unknown-name")
            case .notPublic: Failure(reason: "not-public")
            default: Failure(reason: "unreachable")
            }
        }
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
