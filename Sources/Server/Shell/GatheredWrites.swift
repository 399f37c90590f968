import Storage
import Synchronization

/// Stores things that arrive together in one write.
///
/// What they have to know of the present is then asked for once, and not by each while the others wait. No timer
/// gathers: a write takes all that have come by the time it is run, so one that comes alone waits for nobody.
final class GatheredWrites<Item: Sendable, Outcome: Sendable>: Sendable {
    /// Stores what it can, in the transaction of them all.
    ///
    /// It gives an outcome for each, in the same order; `nil` for one that is to be stored by itself.
    typealias Body = @Sendable ([Item], Transaction) throws -> [Outcome?]

    private struct Waiting: Sendable {
        let item: Item
        let continuation: CheckedContinuation<Outcome?, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether a write was asked for that will take those who wait.
        var isAsked = false
    }

    private enum Verdict { case refused, joined, first }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many one write may take.
    init(limit: Int) { self.limit = limit }

    /// How many wait for a write to take them.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Stores an item together with those that others give at the same time.
    ///
    /// - Returns: its outcome, once that is durable; `nil` when it is to be stored by itself. That is so too when the
    ///   write has failed: nobody knows then which of them was at fault, or even whether it was stored after all.
    func store(_ item: Item, in database: any Database, _ body: @escaping Body) async -> Outcome? {
        await withCheckedContinuation { continuation in
            switch join(Waiting(item: item, continuation: continuation)) {
            case .refused: continuation.resume(returning: nil)
            case .joined: break
            // It belongs to no single request: one that is cancelled must not end the others.
            case .first: Task { await self.write(in: database, body) }
            }
        }
    }

    private func join(_ one: Waiting) -> Verdict {
        state.withLock { state -> Verdict in
            guard state.waiting.count < limit else { return .refused }
            state.waiting.append(one)
            defer { state.isAsked = true }
            return state.isAsked ? .joined : .first
        }
    }

    private func write(in database: any Database, _ body: @escaping Body) async {
        let group = Group()
        let outcomes = try? await database.write { transaction in
            try body(group.members { self.take() }.map(\.item), transaction)
        }
        // Also if it never came to run: nobody else would take them.
        for (index, member) in group.members({ self.take() }).enumerated() {
            let outcome: Outcome? = if let outcomes, index < outcomes.count { outcomes[index] } else { nil }
            member.continuation.resume(returning: outcome)
        }
    }

    /// All that wait; those who come later ask for a write of their own.
    private func take() -> [Waiting] {
        state.withLock { state -> [Waiting] in
            defer { state = State() }
            return state.waiting
        }
    }

    /// Those whom one write has taken: the same, if a database runs it a second time.
    private final class Group: Sendable {
        private let taken = Mutex<[Waiting]?>(nil)

        func members(_ take: () -> [Waiting]) -> [Waiting] {
            taken.withLock { taken -> [Waiting] in
                if let taken { return taken }
                let members = take()
                taken = members
                return members
            }
        }
    }
}
