import Storage
import Synchronization

/// Stores things that arrive together in one write.
///
/// What they have to know of the present is then asked for once, and not by each while the others wait. No timer
/// gathers: a write takes what has come by the time it is run, so one that comes alone waits for nobody. Those who
/// come while a write is under way, or what follows it, share the next.
final class GatheredWrites<Item: Sendable, Outcome: Sendable>: Sendable {
    /// Stores what it can, in the transaction of them all.
    ///
    /// It gives an outcome for each, in the same order; `nil` for one that is to be stored by itself.
    typealias Body = @Sendable ([Item], Transaction) throws -> [Outcome?]
    /// What each caller would wait for by itself after a write, done once for the outcomes that it had.
    typealias FollowUp = @Sendable ([Outcome]) async -> Void

    private struct Waiting: Sendable {
        let item: Item
        /// How it is stored, if it is the first of its write.
        let body: Body
        let continuation: CheckedContinuation<Outcome?, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether somebody writes, and will take those who wait.
        var isWriting = false
    }

    private enum Verdict { case refused, joined, first }

    /// So many are never parted.
    private static var few: Int { 32 }

    private let limit: Int
    private let followUp: FollowUp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many one write may take.
    ///   - followUp: comes after each write, before its outcomes are given and before the next one.
    init(limit: Int, followUp: @escaping FollowUp = { _ in }) {
        self.limit = limit
        self.followUp = followUp
    }

    /// How many wait for a write to take them.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Stores an item together with those that others give at the same time.
    ///
    /// - Parameter body: stores all of a write whose first item came with it.
    /// - Returns: its outcome, once that is durable; `nil` when it is to be stored by itself. That is so too when the
    ///   write has failed: nobody knows then which of them was at fault, or even whether it was stored after all.
    func store(_ item: Item, in database: any Database, _ body: @escaping Body) async -> Outcome? {
        await withCheckedContinuation { continuation in
            switch join(Waiting(item: item, body: body, continuation: continuation)) {
            case .refused: continuation.resume(returning: nil)
            case .joined: break
            // It belongs to no single request: one that is cancelled must not end the others.
            case .first:
                Task {
                    repeat { await self.write(in: database) } while self.goesOn()
                }
            }
        }
    }

    private func join(_ one: Waiting) -> Verdict {
        state.withLock { state -> Verdict in
            guard state.waiting.count < limit else { return .refused }
            state.waiting.append(one)
            defer { state.isWriting = true }
            return state.isWriting ? .joined : .first
        }
    }

    /// Whether somebody has come since.
    private func goesOn() -> Bool {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting
        }
    }

    private func write(in database: any Database) async {
        let group = Group()
        let outcomes = try? await database.write { transaction in
            let members = group.members { self.take() }
            return try members.first?.body(members.map(\.item), transaction) ?? []
        }
        if let stored = outcomes?.compactMap(\.self), !stored.isEmpty { await followUp(stored) }
        // Also if it never came to run: nobody else would take them.
        for (index, member) in group.members({ self.take() }).enumerated() {
            let outcome: Outcome? = if let outcomes, index < outcomes.count { outcomes[index] } else { nil }
            member.continuation.resume(returning: outcome)
        }
    }

    /// Those who have waited longest: all, or of many the half.
    ///
    /// If one write took them all, all would wait for it, then for the log, and then all would ask again, and each time half
    /// of the cores would have nothing to do. So one half is stored and sealed while what the other half asks is checked.
    private func take() -> [Waiting] {
        state.withLock { state -> [Waiting] in
            let count = min(state.waiting.count, max(Self.few, state.waiting.count / 2))
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
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
