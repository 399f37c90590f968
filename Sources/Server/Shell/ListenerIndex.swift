import Interface

/// Those who listen to live updates, found by what events and ends name, so that one costs only those whom it concerns.
struct ListenerIndex: Sendable {
    /// One stream.
    struct Listener: Sendable {
        /// Higher than those of all who came before.
        let id: Int
        let principal: Principal
        let wants: @Sendable (LiveEvent) -> Bool
        let continuation: AsyncStream<EventHub.Frame>.Continuation
        /// Until when its session is open, if somebody has to say so again and again.
        var held: Int64?
    }

    /// Some of them.
    enum Group: Sendable {
        case all
        /// One of several groups of roughly the same size, from 0.
        case share(Int, of: Int)
        case accounts([String])
        case roles([Role])
        case session(String)
        case device(String)
        case one(Int)
    }

    private var listeners: [Int: Listener] = [:]
    private var ofRole: [Role: Set<Int>] = [:]
    // An account has a few at most, and a session or device is one account's. In the order of arrival.
    private var ofAccount: [String: [Int]] = [:]
    private var ofSession: [String: [Int]] = [:]
    private var ofDevice: [String: [Int]] = [:]

    /// How many there are.
    var count: Int { listeners.count }

    /// Those of a group; of one account, session or device the oldest first.
    subscript(group: Group) -> [Listener] {
        switch group {
        case .all: Array(listeners.values)
        case .share(let number, let count): found(listeners.keys.filter { $0 % count == number })
        case .accounts(let accounts): Set(accounts).flatMap { found(ofAccount[$0] ?? []) }
        case .roles(let roles): Set(roles).flatMap { found(ofRole[$0] ?? []) }
        case .session(let session): found(ofSession[session] ?? [])
        case .device(let device): found(ofDevice[device] ?? [])
        case .one(let id): found([id])
        }
    }

    mutating func add(_ listener: Listener) {
        let (id, principal) = (listener.id, listener.principal)
        listeners[id] = listener
        ofRole[principal.role, default: []].insert(id)
        ofAccount[principal.account, default: []].append(id)
        ofSession[principal.session, default: []].append(id)
        if let device = principal.device { ofDevice[device, default: []].append(id) }
    }

    /// Notes until when a session is open.
    mutating func hold(session: String, until time: Int64) {
        for id in ofSession[session] ?? [] { listeners[id]?.held = time }
    }

    /// - Returns: those who were still there.
    mutating func remove(_ group: Group) -> [Listener] {
        let ended = self[group]
        for listener in ended {
            let (id, principal) = (listener.id, listener.principal)
            listeners[id] = nil
            ofRole[principal.role]?.remove(id)
            Self.remove(id, from: &ofAccount, principal.account)
            Self.remove(id, from: &ofSession, principal.session)
            if let device = principal.device { Self.remove(id, from: &ofDevice, device) }
        }
        return ended
    }

    private func found(_ ids: some Sequence<Int>) -> [Listener] { ids.compactMap { listeners[$0] } }

    /// Nothing stays of a key that is no longer used: accounts, sessions and devices come and go.
    private static func remove(_ id: Int, from index: inout [String: [Int]], _ key: String) {
        index[key]?.removeAll { $0 == id }
        if index[key]?.isEmpty == true { index[key] = nil }
    }
}
