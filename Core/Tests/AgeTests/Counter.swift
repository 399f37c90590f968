import Synchronization

/// Counts from 0.
final class Counter: Sendable {
    private let value = Mutex<UInt64>(0)

    func next() -> UInt64 {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
