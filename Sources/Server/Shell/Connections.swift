import CoreMetrics
import Synchronization

/// The connections that are open, counted by address, and what is bounded of each.
final class Connections: Sendable {
    /// What is bounded.
    struct Bounds: Sendable, Equatable {
        /// From the beginning of a connection, or of a further request on it, to the end of the request's head.
        var headTime = Limits.headTime
        /// From an answer to the beginning of the next request.
        var keepAliveTime = Limits.keepAliveTime
        /// Requests on one connection.
        var requests = Limits.requestsPerConnection
        /// Connections open at once from one address; `nil` for any number.
        var perAddress: Int? = Limits.connectionsPerAddress
    }

    /// Why a connection was ended.
    enum End: String, CaseIterable, Sendable {
        /// Its address has as many as it may have.
        case address
        /// The head of a request did not come in time.
        case head
        /// No further request came.
        case idle
    }

    let bounds: Bounds
    /// How many one address may have now, where that changes.
    private let perAddress: (@Sendable () -> Int)?
    private let open = Mutex<[String: Int]>([:])
    private let ended: [(End, any CounterHandler)]

    /// - Parameter perAddress: replaces the bound of each address, if given.
    init(_ bounds: Bounds, metrics: MetricsRegistry, perAddress: (@Sendable () -> Int)? = nil) {
        self.bounds = bounds
        self.perAddress = perAddress
        ended = End.allCases.map { end in
            (end, metrics.makeCounter(label: "connections_ended_total", dimensions: [("reason", end.rawValue)]))
        }
    }

    /// Counts a connection.
    ///
    /// - Returns: false if its address has as many as it may have; then it is not counted.
    func enter(_ network: String) -> Bool {
        guard let bound = bounds.perAddress else { return true }
        let most = perAddress?() ?? bound
        let isFree = open.withLock { open in
            let own = open[network, default: 0]
            guard own < most else { return false }
            open[network] = own + 1
            return true
        }
        if !isFree { note(.address) }
        return isFree
    }

    /// Stops counting a connection.
    func leave(_ network: String) {
        guard bounds.perAddress != nil else { return }
        open.withLock { open in
            let own = open[network, default: 0]
            open[network] = own > 1 ? own - 1 : nil
        }
    }

    func note(_ end: End) { ended.first { $0.0 == end }?.1.increment(by: 1) }
}
