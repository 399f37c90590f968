import Interface
import Logging
import ServiceLifecycle
import Storage

/// Delivers what waits in the outbox, and tries again what fails.
///
/// What is under way has a lease: if the process dies, the notice is due again when the lease ends. So a notice may come
/// twice, and is never lost. Browsers and mail programs show two of the same as one.
struct NotificationDelivery: Service {
    let environment: Environment
    let senders: [NotificationWay.Kind: any NotificationSender]
    let logger: Logger
    /// By accounts, for each kind of way: what is slow at push services keeps no letter waiting.
    private let underWay: [NotificationWay.Kind: UnderWay]

    init(environment: Environment, senders: [NotificationWay.Kind: any NotificationSender], logger: Logger) {
        (self.environment, self.senders, self.logger) = (environment, senders, logger)
        underWay = Dictionary(uniqueKeysWithValues: NotificationWay.Kind.allCases.map { ($0, UnderWay()) })
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // On PostgreSQL it may ring before the act is committed: the next looks find what the first did not.
                var again: ArraySlice<Duration> = []
                while !Task.isCancelled {
                    let wait = await begin(in: &group)
                    let pause = min(again.popFirst() ?? wait, wait)
                    if await environment.bell.wait(atMost: pause, environment.clock) {
                        again = Limits.notificationLooks[...]
                    }
                }
            }
        }
    }

    /// Begins as many deliveries as there is room for.
    ///
    /// - Returns: how long until the next is due.
    private func begin(in group: inout DiscardingTaskGroup) async -> Duration {
        do {
            let (taken, next) = try await claim(Limits.deliveries)
            for item in taken {
                let underWay = underWay[item.wayKind]
                underWay?.begin(item.account)
                group.addTask {
                    await deliver(item)
                    underWay?.end(item.account)
                    // There may be more for the same account.
                    environment.bell.ring()
                }
            }
            // Of what is due something may have to wait for a place; whatever ends rings.
            let seconds = next.map { max(1, $0 - environment.now()) } ?? .max
            return min(.seconds(min(seconds, 86_400)), Limits.notificationWatch)
        } catch {
            logger.error("notices could not be looked for", metadata: ["error": "\(error)"])
            return Limits.notificationWatch
        }
    }

    /// Takes what is due; a look that finds nothing writes nothing.
    ///
    /// - Parameters:
    ///   - most: of each kind of way, with what is under way.
    ///   - ofEach: of one account by one kind of way, with what is under way.
    func claim(
        _ most: Int, ofEach: Int = Limits.deliveriesOfAccount
    ) async throws -> (taken: [NotificationOutboxStore.Stored], next: Int64?) {
        let now = environment.now()
        let next = try await environment.database.read { try NotificationOutboxStore(transaction: $0).nextDue() }
        guard let next, next <= now else { return ([], next) }
        return try await environment.database.write { transaction in
            let store = NotificationOutboxStore(transaction: transaction)
            let taken = try underWay.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, underWay in
                try store.claim(most - underWay.count, by: kind, at: now, until: now + Limits.deliveryLease) {
                    ofEach - underWay.count(of: $0)
                }
            }
            return (taken, try store.nextDue())
        }
    }

    /// Sends one notice, and stores what came of it.
    func deliver(_ item: NotificationOutboxStore.Stored) async {
        let now = environment.now()
        let outcome = await outcome(of: item, now: now)
        do {
            try await environment.database.write { transaction in
                try settle(item, outcome, in: transaction, now: now)
            }
        } catch {
            // Its lease ends, and it is tried again.
            logger.error("what came of a notice could not be stored", metadata: ["error": "\(error)"])
        }
    }

    private func outcome(of item: NotificationOutboxStore.Stored, now: Int64) async -> NotificationOutcome {
        guard item.expires > now else { return .refused("expired") }
        guard let kind = environment.slices.notifications.first(where: { $0.name == item.kind }),
            let sender = senders[item.wayKind]
        else { return .refused("this server sends no such notices") }
        do {
            let words = try await NotificationWords.of(item.account, environment)
            return await sender.send(OutgoingNotice(item: item, kind: kind, words: words, now: now))
        } catch {
            return .later("\(error)", after: nil)
        }
    }

    /// The names of the kinds that are about the protection of accounts.
    private var security: Set<String> {
        Set(environment.slices.notifications.filter(\.isSecurity).map(\.name))
    }

    private func settle(
        _ item: NotificationOutboxStore.Stored, _ outcome: NotificationOutcome, in transaction: Transaction, now: Int64
    ) throws {
        let store = NotificationOutboxStore(transaction: transaction)
        switch outcome {
        case .delivered:
            try store.delete(item.id)
            // Others that wait for the same phone would say the same sentence, and each would cost money.
            if item.wayKind == .sms { try store.deleteSaid(by: item, began: now, security: security) }
        case .gone:
            try NotificationWayStore(transaction: transaction).delete(item.way)
            try store.delete(way: item.way)
            try store.delete(item.id)
        case .refused(let reason):
            logger.warning(
                "a notice was refused", metadata: ["way": "\(item.wayKind.rawValue)", "reason": "\(reason)"])
            try store.delete(item.id)
        case .later(let reason, let after):
            let due = now + Self.pause(attempts: item.attempts, after: after)
            guard due < item.expires else {
                logger.warning(
                    "a notice expired undelivered",
                    metadata: ["way": "\(item.wayKind.rawValue)", "reason": "\(reason)"])
                return try store.delete(item.id)
            }
            // What came since says the same, and has its own attempts.
            guard try !store.hasFresh(like: item) else { return try store.delete(item.id) }
            try store.postpone(item.id, to: due)
        }
    }

    /// Seconds until the next attempt: twice as long after each, and never earlier than the other side has said.
    static func pause(attempts: Int64, after: Int64?) -> Int64 {
        let own = Limits.deliveryPause.lowerBound << min(max(0, attempts - 1), 12)
        return max(min(own, Limits.deliveryPause.upperBound), after ?? 0)
    }
}
