package import CoreMetrics
import Synchronization

/// The metrics of one server in memory, for `/metrics`.
///
/// A `MetricsFactory`, so that libraries can report here when the program makes it the process's own
/// (`MetricsSystem.bootstrap`). The server itself names it wherever it counts and needs no global state, so that tests
/// can have as many as they like. Beyond `Limits.metricSeries` series further ones are dropped.
package final class MetricsRegistry: MetricsFactory, Sendable {
    private let series = Mutex<[SeriesKey: Series]>([:])

    /// An empty registry.
    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter)
    }
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, .gauge)
    }
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(label, dimensions, .counter)
    }
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(label, dimensions, aggregate ? .histogram : .gauge)
    }
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, .histogram)
    }

    // A series stays until the process ends: a counter that vanished and came back would look like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Every series, sorted by name and labels.
    func snapshot() -> [(key: SeriesKey, value: Series.Value)] {
        series.withLock { $0 }.map { ($0.key, $0.value.value) }.sorted { $0.key < $1.key }
    }

    private func find(_ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind) -> Series {
        let key = SeriesKey(name: PrometheusText.name(label), labels: dimensions)
        return series.withLock { all in
            if let known = all[key], known.kind == kind { return known }
            // One name has one kind: a second use with another is counted, but not shown.
            let fresh = Series(kind: kind)
            if all[key] == nil, all.count < Limits.metricSeries { all[key] = fresh }
            return fresh
        }
    }
}

/// A metric's name and labels.
struct SeriesKey: Hashable, Comparable {
    struct Label: Hashable {
        let name: String
        let value: String
    }
    let name: String
    let labels: [Label]

    init(name: String, labels: [(String, String)]) {
        self.name = name
        self.labels = labels.map { Label(name: PrometheusText.name($0.0), value: $0.1) }.sorted { $0.name < $1.name }
    }

    static func < (left: SeriesKey, right: SeriesKey) -> Bool {
        if left.name != right.name { return left.name < right.name }
        return left.labels.map(\.value).lexicographicallyPrecedes(right.labels.map(\.value))
    }
}

/// One time series: a counter, a gauge or a histogram.
final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
    enum Kind { case counter, gauge, histogram }

    struct Value {
        var kind: Kind
        var number = 0.0
        /// For a histogram, how many values fell into each of `Series.bounds` and above; not cumulative.
        var buckets: [UInt64] = []
        var count: UInt64 = 0
    }

    /// The upper bounds of a histogram's buckets: seconds for timers.
    static let bounds: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let kind: Kind
    private let state: Mutex<Value>

    init(kind: Kind) {
        self.kind = kind
        let buckets = kind == .histogram ? [UInt64](repeating: 0, count: Self.bounds.count + 1) : []
        state = Mutex(Value(kind: kind, buckets: buckets))
    }

    var value: Value { state.withLock { $0 } }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { state.withLock { $0.number += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { state.withLock { $0.number = 0 } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.number = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        guard kind == .histogram else { return set(value) }
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.number += value
            state.count += 1
            state.buckets[bucket] += 1
        }
    }
}
