import Encodings
import Synchronization

/// Joins two programs that can both only ask: what one writes waits until the other reads it.
///
/// A channel is one slot for both directions, and exists while somebody waits at it: one that nobody uses costs nothing, and
/// none can be left behind. Nothing is stored. Pico protocol, section 3.1.
final class Rendezvous: Sendable {
    /// What became of a request.
    enum Outcome: Equatable, Sendable {
        /// A reader has the bytes.
        case taken
        /// The bytes that were written.
        case message(Bytes)
        /// Somebody closed the channel.
        case closed
        /// Nobody came in time; bytes that were written are lost.
        case timedOut
    }

    /// Why a request does not wait.
    enum Refusal: Error, Equatable {
        /// Somebody else waits at the channel, on the same side.
        case occupied
        /// The address, or all together, wait at as many channels as they may.
        case full
    }

    /// How much may wait at once.
    struct Bounds {
        /// Requests of one address.
        var ofAddress = Limits.channelsOfAddress
        /// Requests.
        var requests = Limits.channels
        /// Bytes of one address that wait to be read.
        var bytesOfAddress = Limits.channelBytesOfAddress
        /// Bytes that wait to be read.
        var bytes = Limits.channelBytes
    }

    private struct Waiter {
        let id: UInt64
        /// What is to be read, or nothing if it is a reader that waits.
        let message: Bytes?
        let network: String
        let continuation: CheckedContinuation<Result<Outcome, Refusal>, Never>
    }

    /// What waits, of one network or altogether.
    private struct Load {
        var requests = 0
        var bytes = 0

        mutating func add(_ waiter: Waiter) {
            requests += 1
            bytes += waiter.message?.count ?? 0
        }

        mutating func remove(_ waiter: Waiter) {
            requests -= 1
            bytes -= waiter.message?.count ?? 0
        }
    }

    private struct State {
        var waiters: [String: Waiter] = [:]
        /// One host may use a whole network of IPv6 at will.
        var ofNetwork: [String: Load] = [:]
        var all = Load()
        var lastID: UInt64 = 0

        mutating func add(_ waiter: Waiter, to name: String) {
            waiters[name] = waiter
            ofNetwork[waiter.network, default: Load()].add(waiter)
            all.add(waiter)
        }

        mutating func remove(_ name: String) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: name) else { return nil }
            ofNetwork[waiter.network]?.remove(waiter)
            if ofNetwork[waiter.network]?.requests == 0 { ofNetwork[waiter.network] = nil }
            all.remove(waiter)
            return waiter
        }
    }

    private let bounds: Bounds
    private let clock: ServerClock
    private let state = Mutex(State())

    init(bounds: Bounds = Bounds(), clock: ServerClock) { (self.bounds, self.clock) = (bounds, clock) }

    /// How many wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Meets the one who waits on the other side now.
    ///
    /// - Parameter message: what to write, or `nil` to read.
    /// - Returns: `nil` if one has to wait.
    /// - Throws: `Refusal`.
    func meet(_ name: String, writing message: Bytes?, from address: String) throws(Refusal) -> Outcome? {
        let network = ClientAddress.network(of: address)
        return try state.withLock { state in
            meet(name, message, in: &state) ?? refusal(message, network, state)
        }?.get()
    }

    /// The same, as soon as somebody comes.
    ///
    /// A task that is cancelled no longer waits, and what it wrote is lost.
    ///
    /// - Parameter time: the longest wait.
    /// - Throws: `Refusal`.
    func wait(
        at name: String, writing message: Bytes?, from address: String, for time: Duration = Limits.channelTime
    ) async throws(Refusal) -> Outcome {
        try await withTaskGroup(of: Result<Outcome, Refusal>?.self) { [clock] group in
            group.addTask { await self.waiting(name, message, address) }
            group.addTask {
                try? await clock.sleep(time)
                return nil
            }
            var result = await group.next() ?? nil
            group.cancelAll()
            // Who was met in the moment in which the time ended was met.
            if result == nil { result = await group.next() ?? nil }
            return result ?? .success(.timedOut)
        }.get()
    }

    /// Ends the wait of the one who waits at the channel.
    func close(_ name: String) {
        state.withLock { $0.remove(name) }?.continuation.resume(returning: .success(.closed))
    }

    /// Waits at a channel until somebody comes, or the task is cancelled.
    private func waiting(_ name: String, _ message: Bytes?, _ address: String) async -> Result<Outcome, Refusal> {
        let network = ClientAddress.network(of: address)
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    // Others may have come since.
                    if let met = meet(name, message, in: &state) ?? refusal(message, network, state) {
                        return continuation.resume(returning: met)
                    }
                    // A task that was cancelled before has had its handler called, which found nobody.
                    if Task.isCancelled { return continuation.resume(returning: .success(.timedOut)) }
                    state.add(Waiter(id: id, message: message, network: network, continuation: continuation), to: name)
                }
            }
        } onCancel: {
            state.withLock { state in state.waiters[name]?.id == id ? state.remove(name) : nil }?
                .continuation.resume(returning: .success(.timedOut))
        }
    }

    /// Meets the one who waits on the other side; nothing, if nobody waits.
    private func meet(_ name: String, _ message: Bytes?, in state: inout State) -> Result<Outcome, Refusal>? {
        guard let other = state.waiters[name] else { return nil }
        let outcomes: (theirs: Outcome, own: Outcome)
        switch (other.message, message) {
        case (nil, let message?): outcomes = (.message(message), .taken)
        case (let message?, nil): outcomes = (.taken, .message(message))
        default: return .failure(.occupied)
        }
        state.remove(name)?.continuation.resume(returning: .success(outcomes.theirs))
        return .success(outcomes.own)
    }

    private func refusal(_ message: Bytes?, _ network: String, _ state: State) -> Result<Outcome, Refusal>? {
        let (own, bytes) = (state.ofNetwork[network, default: Load()], message?.count ?? 0)
        let isFree =
            state.all.requests < bounds.requests && own.requests < bounds.ofAddress
            && own.bytes + bytes <= bounds.bytesOfAddress && state.all.bytes + bytes <= bounds.bytes
        return isFree ? nil : .failure(.full)
    }
}
