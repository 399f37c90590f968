public import Encodings

/// One channel of a rendezvous point: one slot, shared by both directions (section 3.1).
///
/// It joins a reader and a writer, who can both only make outgoing requests. It keeps bytes only while their writer waits.
/// Anybody who knows the name can read, write and close (section 13, number 11); so nothing on it is believed, and a server
/// limits how many wait.
///
/// Times are milliseconds on any clock that only goes forward.
public struct RendezvousChannel: Sendable {
    /// How long a request waits: less than the 60 seconds of common proxies.
    public static let patience: Int64 = 40_000
    /// When a channel closes after its first use.
    public static let lifetime: Int64 = 1_800_000

    /// A request.
    public enum Request: Sendable, Equatable {
        /// GET.
        case read
        /// POST with this body.
        case write(Bytes)
        /// DELETE.
        case close
    }

    /// An answer, and to which request.
    public struct Delivery: Sendable, Equatable {
        /// The number that the caller gave the request.
        public let request: UInt64
        /// What it gets.
        public let answer: RendezvousAnswer
    }

    private enum Slot: Sendable {
        case idle
        case reader(UInt64, until: Int64)
        case writer(UInt64, Bytes, until: Int64)
    }

    private var slot = Slot.idle
    private let end: Int64

    /// A channel that is used for the first time.
    public init(at now: Int64) { end = now + Self.lifetime }

    /// Whether nobody waits, so that a server may forget it.
    public var isIdle: Bool {
        guard case .idle = slot else { return false }
        return true
    }

    /// Whether its time is over; then close it.
    public func hasEnded(at now: Int64) -> Bool { now >= end }

    /// Takes a request.
    ///
    /// - Parameter number: names the request; no two that wait have the same.
    /// - Returns: whom to answer what. A request that is not in it waits.
    public mutating func handle(_ request: Request, number: UInt64, at now: Int64) -> [Delivery] {
        let late = expire(at: now)
        return late + answer(request, number, now)
    }

    private mutating func answer(_ request: Request, _ number: UInt64, _ now: Int64) -> [Delivery] {
        if case .write(let body) = request, body.count > PicoLimits.message + 4 {
            return [Delivery(request: number, answer: .tooLarge)]
        }
        switch (request, slot) {
        case (.read, .idle):
            slot = .reader(number, until: now + Self.patience)
            return []
        case (.write(let body), .idle):
            slot = .writer(number, body, until: now + Self.patience)
            return []
        case (.read, .writer(let writer, let body, _)):
            slot = .idle
            return [Delivery(request: number, answer: .data(body)), Delivery(request: writer, answer: .taken)]
        case (.write(let body), .reader(let reader, _)):
            slot = .idle
            return [Delivery(request: reader, answer: .data(body)), Delivery(request: number, answer: .taken)]
        case (.read, .reader), (.write, .writer): return [Delivery(request: number, answer: .busy)]
        case (.close, _): return close() + [Delivery(request: number, answer: .taken)]
        }
    }

    /// Closes the channel for the one who waits.
    public mutating func close() -> [Delivery] {
        defer { slot = .idle }
        switch slot {
        case .idle: return []
        case .reader(let waiting, _), .writer(let waiting, _, _):
            return [Delivery(request: waiting, answer: .closed)]
        }
    }

    /// A client has gone: what it wrote is lost, and the slot is free.
    public mutating func disconnect(_ number: UInt64) {
        switch slot {
        case .reader(number, _), .writer(number, _, _): slot = .idle
        case .idle, .reader, .writer: break
        }
    }

    /// Answers a request that has waited too long.
    public mutating func expire(at now: Int64) -> [Delivery] {
        switch slot {
        case .reader(let waiting, let until) where now >= until, .writer(let waiting, _, let until) where now >= until:
            slot = .idle
            return [Delivery(request: waiting, answer: .timedOut)]
        case .idle, .reader, .writer: return []
        }
    }
}
