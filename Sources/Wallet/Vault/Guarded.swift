import Synchronization

/// A value behind a lock.
final class Guarded<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Does something with the value, alone.
    func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result where Result: Sendable {
        try value.withLock { try body(&$0) }
    }
}
