import CoreMetrics
import Synchronization

/// The metrics of every request: how many there were, and how long they took.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let slice: String
        let status: Int
    }
    private typealias Handlers = (counter: any CounterHandler, timer: any TimerHandler)

    private let factory: MetricsRegistry
    /// Found once: otherwise their names would be put together again for each request.
    private let known = Mutex<[Key: Handlers]>([:])

    init(factory: MetricsRegistry) { self.factory = factory }

    func record(method: String, route: String, slice: String, status: Int, nanoseconds: Int64) {
        let handlers = find(Key(method: method, route: route, slice: slice, status: status))
        handlers.counter.increment(by: 1)
        handlers.timer.recordNanoseconds(nanoseconds)
    }

    private func find(_ key: Key) -> Handlers {
        known.withLock { known in
            if let handlers = known[key] { return handlers }
            let labels = [("method", key.method), ("route", key.route), ("slice", key.slice)]
            let handlers: Handlers = (
                factory.makeCounter(
                    label: "http_requests_total", dimensions: labels + [("status", String(key.status))]),
                factory.makeTimer(label: "http_request_duration_seconds", dimensions: labels)
            )
            if known.count < Limits.metricSeries { known[key] = handlers }
            return handlers
        }
    }
}
