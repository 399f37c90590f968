public import Encodings

/// One channel of a rendezvous point: one slot, shared by both directions (section 3.1).
///
/// It joins a reader and a writer, who can both only make outgoing requests. It keeps bytes only while their writer waits.
/// Anybody who knows the name can read, write and close (section 13, number 11); so nothing on it is believed, and a server
/// limits how many wait. Who holds it has the clock: a request that has waited for `patience` leaves.
public struct RendezvousChannel: Sendable {
    /// How long a request waits, in seconds: less than the 60 of common proxies.
    public static let patience = 40

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
        case reader(UInt64)
        case writer(UInt64, Bytes)
    }

    private var slot = Slot.idle

    /// A channel at which nobody waits.
    public init() {}

    /// Whether nobody waits, so that a server may forget it.
    public var isIdle: Bool {
        guard case .idle = slot else { return false }
        return true
    }

    /// Takes a request.
    ///
    /// - Parameter number: names the request; no two that wait have the same.
    /// - Returns: whom to answer what. A request that is not in it waits.
    public mutating func handle(_ request: Request, number: UInt64) -> [Delivery] {
        if case .write(let body) = request, body.count > PicoLimits.message + 4 {
            return [Delivery(request: number, answer: .tooLarge)]
        }
        switch (request, slot) {
        case (.read, .idle):
            slot = .reader(number)
            return []
        case (.write(let body), .idle):
            slot = .writer(number, body)
            return []
        case (.read, .writer(let writer, let body)):
            slot = .idle
            return [Delivery(request: number, answer: .data(body)), Delivery(request: writer, answer: .taken)]
        case (.write(let body), .reader(let reader)):
            slot = .idle
            return [Delivery(request: reader, answer: .data(body)), Delivery(request: number, answer: .taken)]
        case (.read, .reader), (.write, .writer): return [Delivery(request: number, answer: .busy)]
        case (.close, .idle): return [Delivery(request: number, answer: .taken)]
        case (.close, .reader(let waiting)), (.close, .writer(let waiting, _)):
            slot = .idle
            return [Delivery(request: waiting, answer: .closed), Delivery(request: number, answer: .taken)]
        }
    }

    /// A request no longer waits: its time is over, or its client has gone.
    ///
    /// What it wrote is lost, and the slot is free.
    public mutating func leave(_ number: UInt64) {
        switch slot {
        case .reader(number), .writer(number, _): slot = .idle
        case .idle, .reader, .writer: break
        }
    }
}
