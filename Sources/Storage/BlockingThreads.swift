import Dispatch
import Synchronization

/// Threads for work that waits for the disk.
///
/// Swift's own threads are one per core and must never wait.
package enum BlockingThreads {
    private static let queues = (0..<4).map { DispatchQueue(label: "storage.blocking.\($0)") }
    private static let next = Atomic<Int>(0)

    /// Runs a closure on one of four threads and waits for its result without holding a thread.
    package static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withCheckedThrowingContinuation { continuation in
            queues[turn & 3].async { continuation.resume(with: Result { try body() }) }
        }
    }
}
