import Encodings
import Foundation
package import Interface
import ServiceLifecycle
package import Storage
import Synchronization

/// The recipients of a live update.
package enum EventAudience: Sendable {
    /// These accounts.
    case accounts([String])
    /// Every account whose role has the permission.
    case permission(Permission)
}

/// Hands live updates to the streams of those who listen (server-sent events).
///
/// Nothing waits for a slow listener. Its stream ends when `Limits.waitingEvents` are waiting. It then comes back and
/// fetches what it shows, as after any interruption. Processes that share a database tell each other of theirs.
package final class EventHub: Service, Sendable {
    /// What a stream carries.
    package enum Frame: Sendable {
        /// Something changed.
        case event(LiveEvent)
        /// Nothing did, but the connection should see some traffic.
        case heartbeat
    }

    private struct State {
        var next = 0
        var listeners = ListenerIndex()
        var isClosed = false
    }

    private let clock: ServerClock
    private let notices: (any Notices)?
    private let outbox: EventOutbox?
    private let permissions: [Permission]
    /// How many may listen at once.
    let most: Int
    private let onTouch: (@Sendable (Principal) -> Void)?
    private let state = Mutex(State())

    /// A hub without listeners.
    ///
    /// - Parameters:
    ///   - notices: to and from the hubs of other processes.
    ///   - permissions: those that other processes may name.
    ///   - most: how many may listen at once.
    ///   - onTouch: is told of every listener that an event or heartbeat costs anything, for tests.
    package init(
        clock: ServerClock, notices: (any Notices)? = nil, permissions: [Permission] = Slice.all.permissions,
        most: Int = Limits.streams, onTouch: (@Sendable (Principal) -> Void)? = nil
    ) {
        self.clock = clock
        self.permissions = permissions
        self.notices = notices
        outbox = notices.map { EventOutbox($0) }
        self.most = most
        self.onTouch = onTouch
    }

    /// Listens as `principal` to the events that `filter` wants.
    ///
    /// An account's `Limits.streamsPerAccount` + 1st stream ends its oldest. Dropping the stream ends it, too.
    /// - Throws: `Problem` `busy` when there are too many streams or the server is stopping.
    package func subscribe(
        _ principal: Principal, filter: @escaping @Sendable (LiveEvent) -> Bool = { _ in true }
    ) throws(Problem) -> AsyncStream<Frame> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Frame.self, bufferingPolicy: .bufferingOldest(Limits.waitingEvents))
        let (id, ended): (Int?, [ListenerIndex.Listener]) = state.withLock { state in
            guard !state.isClosed, state.listeners.count < most else { return (nil, []) }
            let own = state.listeners[.accounts([principal.account])]
            let surplus = own.prefix(max(0, own.count + 1 - Limits.streamsPerAccount))
            let ended = surplus.flatMap { state.listeners.remove(.one($0.id)) }
            state.next += 1
            state.listeners.add(
                .init(
                    id: state.next, principal: principal, wants: filter, continuation: continuation,
                    held: principal.held))
            return (state.next, ended)
        }
        ended.forEach { $0.continuation.finish() }
        guard let id else { throw Problem(.busy, "There are too many live-update streams.", cause: "streams") }
        continuation.onTermination = { [weak self] _ in self?.remove(.one(id)) }
        return stream
    }

    /// Tells everybody of the audience.
    package func publish(_ event: LiveEvent, to audience: EventAudience) {
        switch audience {
        case .accounts(let accounts): tell(.accounts(accounts, event))
        case .permission(let permission): tell(.permission(permission.rawValue, event))
        }
    }

    /// Says until when a session is open: its streams end with the first event or heartbeat after that time.
    ///
    /// Other processes are not told. A stream there ends when the time that it began with is over, and comes back.
    package func hold(session: String, until time: Int64) {
        state.withLock { $0.listeners.hold(session: session, until: time) }
    }

    /// Ends the streams of a session: call it when the session ends.
    package func end(session: String) { tell(.endSession(session)) }

    /// Ends the streams of a device: call it when the device is revoked.
    package func end(device: String) { tell(.endDevice(device)) }

    /// Ends the streams of an account: call it when the account's role changes or it is closed.
    package func end(account: String) { tell(.endAccount(account)) }

    /// Sends heartbeats, and passes on what other processes tell, until the server stops; then ends every stream.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var group = 0
                    while true {
                        try await self.clock.sleep(Limits.heartbeat / Limits.heartbeatGroups)
                        self.beat(.share(group, of: Limits.heartbeatGroups))
                        group = (group + 1) % Limits.heartbeatGroups
                    }
                }
                if let notices {
                    group.addTask { for await arrival in notices.arrivals() { self.take(arrival) } }
                }
                try await group.waitForAll()
            }
        }
        state.withLock { $0.isClosed = true }
        remove(.all)
    }

    /// What one process tells the others.
    enum Message: Codable {
        case accounts([String], LiveEvent)
        case permission(String, LiveEvent)
        case endSession(String)
        case endDevice(String)
        case endAccount(String)
        /// Several that came together (``EventOutbox``).
        case many([Message])

        /// Whether it ends no stream.
        var isEvent: Bool {
            switch self {
            case .accounts, .permission: true
            case .endSession, .endDevice, .endAccount, .many: false
            }
        }

        /// As `Codable` has it, which every version reads.
        ///
        /// Foundation's encoder takes many times as long, and every answer to a question is told.
        var json: JSON {
            switch self {
            case .accounts(let accounts, let event):
                Self.json("accounts", [.array(accounts.map { JSON.text($0) }), Self.json(event)])
            case .permission(let name, let event): Self.json("permission", [.text(name), Self.json(event)])
            case .endSession(let id): Self.json("endSession", [.text(id)])
            case .endDevice(let id): Self.json("endDevice", [.text(id)])
            case .endAccount(let id): Self.json("endAccount", [.text(id)])
            case .many(let messages): Self.json("many", [.array(messages.map(\.json))])
            }
        }

        private static func json(_ name: String, _ values: [JSON]) -> JSON {
            .members([(name, .members(values.enumerated().map { ("_\($0.offset)", $0.element) }))])
        }

        private static func json(_ event: LiveEvent) -> JSON {
            .members([("kind", .text(event.kind)), ("id", .text(event.id)), ("state", .text(event.state))])
        }
    }

    private func tell(_ message: Message) {
        carryOut(message)
        if let outbox {
            let text = String(decoding: message.json.serialized(), as: UTF8.self)
            outbox.send(EventOutbox.Item(text: text, isEvent: message.isEvent))
        }
    }

    private func take(_ arrival: NoticeArrival) {
        switch arrival {
        case .message(let text):
            guard let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8)) else { return }
            carryOut(message)
        // A listener that comes back fetches what it shows.
        case .interrupted: remove(.all)
        }
    }

    private func carryOut(_ message: Message) {
        switch message {
        case .accounts(let accounts, let event): deliver(.event(event), to: .accounts(accounts))
        case .permission(let name, let event):
            guard let permission = permissions.first(where: { $0.rawValue == name }) else { return }
            deliver(.event(event), to: .roles(Role.allCases.filter { permission.isGranted(to: $0) }))
        case .endSession(let session): remove(.session(session))
        case .endDevice(let device): remove(.device(device))
        case .endAccount(let account): remove(.accounts([account]))
        case .many(let messages): messages.forEach(carryOut)
        }
    }

    /// One heartbeat to each, but the end to those whose session is over or locked.
    func beat(_ group: ListenerIndex.Group = .all) { deliver(.heartbeat, to: group) }

    /// How many streams there are.
    package var count: Int { state.withLock { $0.listeners.count } }

    /// A listener whose session is over or locked gets its end instead.
    private func deliver(_ frame: Frame, to group: ListenerIndex.Group) {
        let now = clock.now()
        for listener in state.withLock({ $0.listeners[group] }) {
            onTouch?(listener.principal)
            if listener.principal.expires <= now || listener.held ?? now < now {
                remove(.one(listener.id))
                continue
            }
            if case .event(let event) = frame, !listener.wants(event) { continue }
            if case .dropped = listener.continuation.yield(frame) { remove(.one(listener.id)) }
        }
    }

    /// Finishing runs `onTermination`, which locks: so never while holding the lock.
    private func remove(_ group: ListenerIndex.Group) {
        state.withLock { $0.listeners.remove(group) }.forEach { $0.continuation.finish() }
    }
}
