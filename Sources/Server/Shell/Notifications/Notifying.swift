import Interface
import Storage

extension Environment {
    /// Puts a notice into the outbox, in the transaction of the act that it tells of: neither is stored without the other.
    ///
    /// - Parameters:
    ///   - subject: an id that the notice's page finds by its fragment; empty for none.
    ///   - detail: what it is about, for those ways whose owner wants it said.
    ///   - expires: from when on it is not worth delivering; the kind's own time, if `nil`.
    func notify(
        _ kind: NotificationKind, _ account: String, about subject: String = "", saying detail: NotificationDetail,
        until expires: Int64? = nil, in transaction: Transaction, now: Int64
    ) throws {
        let ways = try NotificationWayStore(transaction: transaction).wanted(kind, of: account)
        guard !ways.isEmpty else { return }
        let store = NotificationOutboxStore(transaction: transaction)
        // A push service that is away for days must not fill the disk.
        guard try kind.isSecurity || !store.hasWaiting(Limits.waitingNotifications, of: account) else { return }
        for way in ways {
            var item = item(kind, about: subject, for: way, until: expires ?? now + kind.lifetime, now: now)
            if way.saysContent { item.detail = detail.stored }
            // It would say the same: anyone who looks sees both acts.
            guard try !store.hasFresh(like: item) else { continue }
            try store.insert(item)
        }
        bell.ring()
    }

    /// Takes a notice back: nothing waits any more, because it was decided elsewhere.
    ///
    /// A browser replaces what it shows; e-mail stays as it is.
    func endNotice(
        _ kind: NotificationKind, _ account: String, about subject: String, until expires: Int64,
        in transaction: Transaction, now: Int64
    ) throws {
        let ways = NotificationWayStore(transaction: transaction)
        let told = try ways.told(kind, about: subject, of: account).filter { $0.kind == .push }
        let store = NotificationOutboxStore(transaction: transaction)
        try store.withdraw(kind, about: subject, of: account)
        guard !told.isEmpty, expires > now else { return }
        for way in told {
            var item = item(kind, about: subject, for: way, until: expires, now: now)
            item.isOver = true
            try store.insert(item)
        }
        bell.ring()
    }

    private func item(
        _ kind: NotificationKind, about subject: String, for way: NotificationWayStore.Stored, until expires: Int64,
        now: Int64
    ) -> NotificationOutboxStore.Stored {
        NotificationOutboxStore.Stored(
            id: newIdentifier(), account: way.account, way: way.id, wayKind: way.kind, address: way.address,
            pushKey: way.pushKey, pushAuth: way.pushAuth, kind: kind.name, subject: subject, created: now,
            expires: expires, due: now)
    }
}
