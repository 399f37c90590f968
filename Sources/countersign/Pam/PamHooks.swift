import Foundation
import Glibc
import Synchronization

/// Locks and unlocks a session: one after the other, and again when that fails.
///
/// Only what was asked for last is tried again. If a session cannot be locked at all, the process that opened it is
/// ended, and the session with it: it must not stay open without its wallet.
final class PamHooks: Sendable {
    /// How long to wait until a program that failed is run again, in seconds; after the last one nobody tries again.
    static let usualPauses: [Double] = [1, 2, 4, 8]
    /// How long a process may take to end by itself, in seconds.
    private static let patience = 10.0

    private let configuration: PamConfiguration
    private let pauses: [Double]
    private let queue = DispatchQueue(label: "countersign.pam.hooks")
    /// How often something else was asked for.
    private let orders = Mutex(0)

    init(_ configuration: PamConfiguration, pauses: [Double] = PamHooks.usualPauses) {
        self.configuration = configuration
        self.pauses = pauses
    }

    /// Unlocks an active session, and locks any other.
    func follow(_ condition: PamStay.Condition, at opened: PamStay.Opened) {
        let order = next()
        queue.async { [self] in attempt(condition, at: opened, order, pauses[...]) }
    }

    /// Nothing is tried again: the session is over, or another helper's.
    func cancel() { _ = next() }

    /// Waits for the programs that were to be run when this was called.
    func wait() { queue.sync {} }

    private func next() -> Int {
        orders.withLock { orders in
            orders += 1
            return orders
        }
    }

    private func isLast(_ order: Int) -> Bool { orders.withLock { $0 == order } }

    private func attempt(
        _ condition: PamStay.Condition, at opened: PamStay.Opened, _ order: Int, _ pauses: ArraySlice<Double>
    ) {
        let place = opened.place
        let hook = PamHook(command: condition == .active ? configuration.unlock : configuration.lock)
        let word = condition == .active ? "unlocked" : "locked (\(condition.rawValue))"
        let isDone = hook.run(at: place, state: condition.rawValue)
        PamSystemLog.write("session '\(place.session)' of \(place.user) \(isDone ? "is" : "could not be") \(word)")
        guard !isDone, isLast(order) else { return }
        if let pause = pauses.first {
            queue.asyncAfter(deadline: .now() + pause) { [self] in
                guard isLast(order) else { return }
                attempt(condition, at: opened, order, pauses.dropFirst())
            }
        } else if condition != .active {
            end(opened, order)
        }
    }

    /// Ends the process that opened a session which nothing has locked.
    ///
    /// sshd and login end what they have started when they are asked to end.
    private func end(_ opened: PamStay.Opened, _ order: Int) {
        let place = opened.place
        let isTold = opened.owner.send(SIGTERM)
        PamSystemLog.write(
            "session '\(place.session)' of \(place.user) \(isTold ? "is" : "could not be") ended: nothing locks it")
        queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
            if isLast(order) { _ = opened.owner.send(SIGKILL) }
        }
    }
}
