import Encodings
import Foundation

/// Writes on a thread of its own, so that sealing or opening the next bytes does not wait for the disk.
///
/// Few pieces wait at once: memory stays as it is, however slow the disk.
package final class WriteBehind: VaultTarget, @unchecked Sendable {
    private let target: any VaultTarget
    private let condition = NSCondition()
    // Guarded by the condition, as all below.
    private var waiting: [Bytes] = []
    private var isOver = false
    private var isWriting = true
    private var failure: (any Error)?

    /// As many pieces wait to be written.
    private static let most = 4

    /// Runs a closure whose bytes go into a target; all of them are written when this returns.
    ///
    /// - Throws: what the closure or writing throws. What waits then is not written.
    package static func into(_ target: any VaultTarget, _ body: (any VaultTarget) throws -> Void) throws {
        let behind = WriteBehind(target)
        Thread.detachNewThread { behind.writeWaiting() }
        do {
            try body(behind)
        } catch {
            try? behind.finish(throwing: error)
            throw error
        }
        try behind.finish(throwing: nil)
    }

    private init(_ target: any VaultTarget) { self.target = target }

    /// Takes the next bytes; they are written later, in this order.
    ///
    /// - Throws: what writing earlier ones has thrown.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        condition.lock()
        defer { condition.unlock() }
        while waiting.count >= Self.most, failure == nil { condition.wait() }
        if let failure { throw failure }
        // A copy: the giver goes on in the same memory, and would need new memory for each piece otherwise.
        waiting.append(unsafe bytes.withUnsafeBytes { unsafe Bytes($0) })
        condition.broadcast()
    }

    /// Waits until nothing is written any more; with an error, what waits is dropped.
    private func finish(throwing error: (any Error)?) throws {
        condition.lock()
        defer { condition.unlock() }
        failure = failure ?? error
        isOver = true
        condition.broadcast()
        while isWriting { condition.wait() }
        if let failure { throw failure }
    }

    private func writeWaiting() {
        while let bytes = next() {
            do { try target.write(bytes[...]) } catch { fail(error) }
        }
    }

    /// The next piece; `nil` after the last.
    private func next() -> Bytes? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isOver, failure == nil { condition.wait() }
        guard failure == nil, !waiting.isEmpty else {
            // A failure is told to those who go on writing, too.
            isWriting = false
            condition.broadcast()
            return nil
        }
        defer { condition.broadcast() }
        return waiting.removeFirst()
    }

    private func fail(_ error: any Error) {
        condition.lock()
        defer { condition.unlock() }
        failure = failure ?? error
        condition.broadcast()
    }
}
