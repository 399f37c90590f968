import Dispatch
import Storage
import Synchronization
import Testing

@testable import Server

@Suite("Writes that are gathered", .timeLimit(.minutes(5)))
struct GatheredWritesTests {
    private struct Refusal: Error {}

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    /// Has items stored while the writer is held, so that so many of them gather and the others are refused.
    ///
    /// - Returns: the outcome of each.
    private func together(
        _ items: [Int], _ gathered: GatheredWrites<Int, Int>, gather count: Int,
        _ body: @escaping GatheredWrites<Int, Int>.Body
    ) async throws -> [Int: Int?] {
        let organisation = try await TestOrganisation()
        defer { withExtendedLifetime(organisation) {} }
        let database = organisation.server.environment.database
        let (gate, entered) = (DispatchSemaphore(value: 0), Signal())
        let holder = Task {
            try await database.write { _ in
                entered.set()
                gate.wait()
            }
        }
        let done = Counter()
        let refused = items.count - count
        var outcomes: [Int: Int?] = [:]
        try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
            do {
                // Also when a wait is given up: the group ends only when nobody waits for the gate.
                defer { gate.signal() }
                try await until { entered.isSet }
                for item in items {
                    group.addTask {
                        let outcome = await gathered.store(item, in: database, body)
                        done.add()
                        return (item, outcome)
                    }
                }
                try await until { gathered.waiting == count && done.count == refused }
            }
            for try await (item, outcome) in group { outcomes[item] = .some(outcome) }
        }
        try await holder.value
        return outcomes
    }

    @Test("one write takes all that wait, and gives each its own outcome")
    func one() async throws {
        let runs = Counter()
        let outcomes = try await together(Array(0..<20), GatheredWrites(limit: 100), gather: 20) { items, _ in
            runs.add()
            return items.map { $0 % 3 == 0 ? nil : $0 * 2 }
        }
        #expect(runs.count == 1)
        for item in 0..<20 {
            let expected: Int? = item % 3 == 0 ? nil : item * 2
            #expect(outcomes[item] == .some(expected))
        }
    }

    @Test("of many that wait one write takes the half, and the next ones the others")
    func half() async throws {
        let sizes = Mutex<[Int]>([])
        let outcomes = try await together(Array(0..<100), GatheredWrites(limit: 100), gather: 100) { items, _ in
            sizes.withLock { $0.append(items.count) }
            return items
        }
        #expect(sizes.withLock { $0 } == [50, 32, 18])
        #expect(outcomes.values.count { $0 != nil } == 100)
    }

    @Test("a write that fails leaves each to itself")
    func failing() async throws {
        let outcomes = try await together(Array(0..<5), GatheredWrites(limit: 100), gather: 5) { _, _ in
            throw Refusal()
        }
        #expect(outcomes.count == 5)
        #expect(outcomes.values.allSatisfy { $0 == nil })
    }

    @Test("those beyond the limit are left to themselves at once")
    func limit() async throws {
        let outcomes = try await together(Array(0..<9), GatheredWrites(limit: 4), gather: 4) { items, _ in items }
        #expect(outcomes.values.count { $0 != nil } == 4)
        #expect(outcomes.count == 9)
    }

    @Test("those who come while a write is followed up share the next; what failed is not followed up")
    func followUp() async throws {
        let organisation = try await TestOrganisation()
        defer { withExtendedLifetime(organisation) {} }
        let database = organisation.server.environment.database
        let (gate, runs, stored) = (Gate(), Counter(), Counter())
        let gathered = GatheredWrites<Int, Int>(limit: 100) { outcomes in
            for _ in outcomes { stored.add() }
            await gate.pass()
        }
        let body: GatheredWrites<Int, Int>.Body = { items, _ in
            runs.add()
            return items
        }
        // Those who share a write that somebody else began bring their own.
        let doubling: GatheredWrites<Int, Int>.Body = { items, _ in
            runs.add()
            return items.map { $0 * 2 }
        }
        let refusing: GatheredWrites<Int, Int>.Body = { items, _ in items.map { _ in nil } }
        let refused = await gathered.store(0, in: database, refusing)
        #expect(refused == nil && stored.count == 0)
        gate.close()
        async let first = gathered.store(0, in: database, body)
        await gate.someoneWaits()
        #expect(stored.count == 1)
        try await withThrowingTaskGroup(of: Int?.self) { group in
            // Also when the wait is given up.
            defer { gate.open() }
            for item in 1...20 {
                group.addTask { await gathered.store(item, in: database, doubling).map { $0 - 2 * item } }
            }
            try await until { gathered.waiting == 20 }
            gate.open()
            for try await difference in group { #expect(difference == 0) }
        }
        let outcome = await first
        #expect(outcome == 0)
        #expect(runs.count == 2)
        #expect(stored.count == 21)
    }

    @Test("a database that is closed leaves nobody waiting")
    func closed() async throws {
        let organisation = try await TestOrganisation()
        defer { withExtendedLifetime(organisation) {} }
        let database = organisation.server.environment.database
        let gathered = GatheredWrites<Int, Int>(limit: 4)
        try await database.close()
        for item in 0..<3 {
            let outcome = await gathered.store(item, in: database) { items, _ in items }
            #expect(outcome == nil)
        }
        #expect(gathered.waiting == 0)
    }
}
