import Encodings
import Pico
import Synchronization

/// Joins two programs that can both only ask: what one writes waits until the other reads it.
///
/// Who meets whom is the rule of `RendezvousChannel`. This holds those who wait, with their continuations, their time and
/// the bounds of all. A channel is here while somebody waits at it: one that nobody uses costs nothing, and none can be
/// left behind. Nothing is stored. Pico protocol, section 3.1.
final class Rendezvous: Sendable {
    /// The address, or all together, wait at as many channels as they may.
    struct Full: Error {}

    /// How much may wait at once.
    struct Bounds {
        /// Requests of one address.
        var ofAddress = Limits.channelsOfAddress
        /// Requests.
        var requests = Limits.channels
        /// Bytes that wait to be read.
        var bytes = Limits.channelBytes
        /// Bytes of one address that wait to be read.
        var bytesOfAddress = Limits.channelBytesOfAddress
    }

    private typealias Answer = Result<RendezvousAnswer, Full>

    private let bounds: Bounds
    private let clock: ServerClock
    private let state = Mutex(State())

    init(bounds: Bounds = Bounds(), clock: ServerClock) { (self.bounds, self.clock) = (bounds, clock) }

    /// How many wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Meets the one who waits at the channel now.
    ///
    /// - Parameter message: what to write, or `nil` to read.
    /// - Returns: `nil` if one has to wait.
    /// - Throws: `Full` if one would have to, and may not.
    func meet(_ name: String, writing message: Bytes?, from address: String) throws(Full) -> RendezvousAnswer? {
        let network = ClientAddress.network(of: address)
        return try change { state in
            meet(name, message, in: &state) ?? refusal(message, network, state)
        }?.get()
    }

    /// The same, as soon as somebody comes.
    ///
    /// A task that is cancelled no longer waits, and what it wrote is lost.
    ///
    /// - Parameters:
    ///   - time: the longest wait.
    ///   - isWanted: asked when one takes one's place. Who changes the answer, and then closes the channel, ends the wait
    ///     whether it has begun or not.
    /// - Throws: `Full`.
    func wait(
        at name: String, writing message: Bytes?, from address: String, for time: Duration = Limits.channelTime,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(Full) -> RendezvousAnswer {
        try await withTaskGroup(of: Answer?.self) { [clock] group in
            group.addTask { await self.waiting(name, message, address, isWanted) }
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
        change { state in
            guard state.channels[name] != nil else { return }
            _ = state.handle(.close, at: name, number: state.newNumber())
        }
    }

    /// Waits at a channel until somebody comes, or the task is cancelled.
    private func waiting(
        _ name: String, _ message: Bytes?, _ address: String, _ isWanted: @Sendable () -> Bool
    ) async -> Answer {
        let (number, network) = (state.withLock { $0.newNumber() }, ClientAddress.network(of: address))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Answer? = change { state in
                    guard isWanted() else { return .success(.closed) }
                    // Others may have come since.
                    if let met = meet(name, message, in: &state) ?? refusal(message, network, state) { return met }
                    // A task that was cancelled before has had its handler called, which found nobody.
                    if Task.isCancelled { return .success(.timedOut) }
                    state.add(
                        Waiter(network: network, bytes: message?.count ?? 0, continuation: continuation), number: number
                    )
                    if let answer = state.handle(Self.request(message), at: name, number: number) {
                        state.answer(number, answer)
                    }
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            change { $0.leave(number, name) }
        }
    }

    /// Works on the state, and then tells those who have an answer.
    ///
    /// Never under the lock: the runtime calls `onCancel` of a task under a lock of its own, which telling that task takes
    /// as well. Two threads would each hold the lock that the other waits for, and with them the whole process.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, told) = state.withLock { state in
            let value = body(&state)
            defer { state.told = [] }
            return (value, state.told)
        }
        for (continuation, answer) in told { continuation.resume(returning: .success(answer)) }
        return value
    }

    /// Meets the one who waits on the other side; nothing, if nobody waits.
    private func meet(_ name: String, _ message: Bytes?, in state: inout State) -> Answer? {
        guard state.channels[name] != nil else { return nil }
        return state.handle(Self.request(message), at: name, number: state.newNumber()).map { .success($0) }
    }

    private func refusal(_ message: Bytes?, _ network: String, _ state: State) -> Answer? {
        let (own, bytes) = (state.ofNetwork[network, default: Load()], message?.count ?? 0)
        let isFree =
            state.all.requests < bounds.requests && own.requests < bounds.ofAddress
            && own.bytes + bytes <= bounds.bytesOfAddress && state.all.bytes + bytes <= bounds.bytes
        return isFree ? nil : .failure(Full())
    }

    private static func request(_ message: Bytes?) -> RendezvousChannel.Request { message.map { .write($0) } ?? .read }

    /// What waits, of one network or altogether.
    private struct Load {
        var requests = 0
        var bytes = 0

        mutating func add(_ waiter: Waiter) {
            requests += 1
            bytes += waiter.bytes
        }

        mutating func remove(_ waiter: Waiter) {
            requests -= 1
            bytes -= waiter.bytes
        }
    }

    private struct Waiter {
        let network: String
        let bytes: Int
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        /// Those at which somebody waits.
        var channels: [String: RendezvousChannel] = [:]
        /// By the number of their request.
        var waiters: [UInt64: Waiter] = [:]
        /// One host may use a whole network of IPv6 at will.
        var ofNetwork: [String: Load] = [:]
        var all = Load()
        /// Those who wait no longer, and are to be told once the lock is free.
        var told: [(CheckedContinuation<Answer, Never>, RendezvousAnswer)] = []
        private var lastNumber: UInt64 = 0

        mutating func newNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        /// Gives a channel a request, and those who waited their answers.
        ///
        /// - Returns: the answer to the request; `nil` if it waits.
        mutating func handle(
            _ request: RendezvousChannel.Request, at name: String, number: UInt64
        ) -> RendezvousAnswer? {
            var own: RendezvousAnswer?
            for delivery in channels[name, default: RendezvousChannel()].handle(request, number: number) {
                if delivery.request == number {
                    own = delivery.answer
                } else {
                    answer(delivery.request, delivery.answer)
                }
            }
            forget(name)
            return own
        }

        mutating func add(_ waiter: Waiter, number: UInt64) {
            waiters[number] = waiter
            ofNetwork[waiter.network, default: Load()].add(waiter)
            all.add(waiter)
        }

        /// One who waits gets an answer, and waits no longer.
        mutating func answer(_ number: UInt64, _ answer: RendezvousAnswer) {
            guard let waiter = waiters.removeValue(forKey: number) else { return }
            ofNetwork[waiter.network]?.remove(waiter)
            if ofNetwork[waiter.network]?.requests == 0 { ofNetwork[waiter.network] = nil }
            all.remove(waiter)
            told.append((waiter.continuation, answer))
        }

        mutating func leave(_ number: UInt64, _ name: String) {
            guard waiters[number] != nil else { return }
            channels[name]?.leave(number)
            forget(name)
            answer(number, .timedOut)
        }

        private mutating func forget(_ name: String) {
            if channels[name]?.isIdle == true { channels[name] = nil }
        }
    }
}
