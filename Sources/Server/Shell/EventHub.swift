package import Interface
import ServiceLifecycle
import Synchronization

/// Who is told of a live update.
package enum EventAudience: Sendable {
    /// These accounts.
    case accounts([String])
    /// Every account whose role has the permission.
    case permission(Permission)
}

/// Hands live updates to the streams of those who listen (server-sent events).
///
/// Nobody waits for a slow listener: its stream ends when `Limits.waitingEvents` are waiting, and it comes back and
/// fetches what it shows, as after any interruption. With several processes this is where NOTIFY comes in.
package final class EventHub: Service, Sendable {
    /// What a stream carries.
    package enum Frame: Sendable {
        /// Something changed.
        case event(LiveEvent)
        /// Nothing did, but the connection should see some traffic.
        case heartbeat
    }

    private struct Listener {
        let principal: Principal
        let wants: @Sendable (LiveEvent) -> Bool
        let continuation: AsyncStream<Frame>.Continuation
    }

    private struct State {
        var next = 0
        /// In the order of arrival.
        var listeners: [(id: Int, listener: Listener)] = []
        var isClosed = false
    }

    private let clock: ServerClock
    private let state = Mutex(State())

    /// A hub without listeners.
    package init(clock: ServerClock) { self.clock = clock }

    /// Listens as `principal` to the events that `filter` wants.
    ///
    /// An account's `Limits.streamsPerAccount` + 1st stream ends its oldest. Dropping the stream ends it, too.
    /// - Throws: `Problem` `busy` when there are too many streams or the server is stopping.
    package func subscribe(
        _ principal: Principal, filter: @escaping @Sendable (LiveEvent) -> Bool = { _ in true }
    ) throws(Problem) -> AsyncStream<Frame> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Frame.self, bufferingPolicy: .bufferingOldest(Limits.waitingEvents))
        let listener = Listener(principal: principal, wants: filter, continuation: continuation)
        let (id, ended): (Int?, [Listener]) = state.withLock { state in
            guard !state.isClosed, state.listeners.count < Limits.streams else { return (nil, []) }
            let own = state.listeners.filter { $0.listener.principal.account == principal.account }
            let surplus = own.prefix(max(0, own.count + 1 - Limits.streamsPerAccount))
            state.listeners.removeAll { entry in surplus.contains { $0.id == entry.id } }
            state.next += 1
            state.listeners.append((state.next, listener))
            return (state.next, surplus.map(\.listener))
        }
        ended.forEach { $0.continuation.finish() }
        guard let id else { throw Problem(.busy, "There are too many live-update streams.", cause: "streams") }
        continuation.onTermination = { [weak self] _ in self?.remove { $0.id == id } }
        return stream
    }

    /// Tells everybody of the audience.
    package func publish(_ event: LiveEvent, to audience: EventAudience) {
        deliver(.event(event)) { listener in
            guard listener.wants(event) else { return false }
            return switch audience {
            case .accounts(let accounts): accounts.contains(listener.principal.account)
            case .permission(let permission): permission.isGranted(to: listener.principal.role)
            }
        }
    }

    /// Ends the streams of a session: call it when the session ends.
    package func end(session: String) { remove { $0.listener.principal.session == session } }

    /// Ends the streams of a device: call it when the device is revoked.
    package func end(device: String) { remove { $0.listener.principal.device == device } }

    /// Ends the streams of an account: call it when the account's role changes or it is closed.
    package func end(account: String) { remove { $0.listener.principal.account == account } }

    /// Sends heartbeats until the server stops, then ends every stream.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [clock] in
            while true {
                try await clock.sleep(Limits.heartbeat)
                self.beat()
            }
        }
        state.withLock { $0.isClosed = true }
        remove { _ in true }
    }

    /// One heartbeat to everybody.
    func beat() { deliver(.heartbeat) { _ in true } }

    /// How many streams there are.
    package var count: Int { state.withLock { $0.listeners.count } }

    private func deliver(_ frame: Frame, where isMeant: (Listener) -> Bool) {
        let listeners = state.withLock(\.listeners)
        for entry in listeners where isMeant(entry.listener) {
            if case .dropped = entry.listener.continuation.yield(frame) { remove { $0.id == entry.id } }
        }
    }

    /// Finishing runs `onTermination`, which locks: so never while holding the lock.
    private func remove(where isMeant: ((id: Int, listener: Listener)) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.listeners.filter(isMeant)
            if !ended.isEmpty { state.listeners.removeAll(where: isMeant) }
            return ended
        }
        ended.forEach { $0.listener.continuation.finish() }
    }
}
