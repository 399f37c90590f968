import Foundation
import Synchronization
import Testing

@testable import Workers

@Suite("Blocking work", .timeLimit(.minutes(5)))
struct BlockingWorkTests {
    private let alice = WorkOwner.account("alice")
    private let bob = WorkOwner.account("bob")

    private final class Reports: Sendable {
        let seen = Mutex<[BlockingWork.Report]>([])
    }

    /// Work whose one thread is held until the gate is opened.
    private final class Held: Sendable {
        let work: BlockingWork
        private let gate = DispatchSemaphore(value: 0)
        private let first: Task<Void, any Error>
        /// The jobs in the order in which they were done.
        let done = Mutex<[String]>([])

        init(_ bounds: BlockingWork.Bounds) async {
            let (work, gate) = (BlockingWork(bounds), gate)
            self.work = work
            first = Task { try await work.run { gate.wait() } }
            while work.load.running < 1, !Task.isCancelled { await Task.yield() }
        }

        /// Has a job wait that writes down its name.
        func ask(_ name: String, for owner: WorkOwner) async -> Task<Void, any Error> {
            let before = work.load.waiting
            let task = WorkOwner.$current.withValue(owner) {
                Task { try await work.run { self.done.withLock { $0.append(name) } } }
            }
            while work.load.waiting <= before, !Task.isCancelled { await Task.yield() }
            return task
        }

        func open(_ tasks: [Task<Void, any Error>]) async throws {
            gate.signal()
            try await first.value
            for task in tasks { try await task.value }
        }
    }

    @Test("Whoever asks for much does not keep others waiting: accounts take turns, whatever came first")
    func fair() async throws {
        let held = await Held(BlockingWork.Bounds(threads: 1, waiting: 20))
        var tasks: [Task<Void, any Error>] = []
        for name in ["a1", "a2", "a3", "a4"] { tasks.append(await held.ask(name, for: alice)) }
        for name in ["b1", "b2"] { tasks.append(await held.ask(name, for: bob)) }
        tasks.append(await held.ask("c1", for: .account("carol")))
        try await held.open(tasks)
        #expect(held.done.withLock { $0 } == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
    }

    @Test("Any number of strangers' addresses leave an account every second turn")
    func strangers() async throws {
        let held = await Held(BlockingWork.Bounds(threads: 1, waiting: 20))
        var tasks: [Task<Void, any Error>] = []
        for number in 1...6 { tasks.append(await held.ask("x\(number)", for: .address("192.0.2.\(number)"))) }
        for name in ["a1", "a2"] { tasks.append(await held.ask(name, for: alice)) }
        try await held.open(tasks)
        #expect(held.done.withLock { $0 } == ["x1", "a1", "x2", "a2", "x3", "x4", "x5", "x6"])
    }

    @Test("Who comes again and again does not get before who has waited")
    func noStarving() {
        var queue = FairQueue<String>()
        for number in 1...3 { queue.append("a\(number)", number: UInt64(number), owner: alice) }
        var order: [String] = []
        for number in 4...8 {
            queue.append("b\(number)", number: UInt64(number), owner: .account("b\(number)"))
            if let next = queue.popFirst() { order.append(next.job) }
        }
        // Newcomers wait for at most one job of each, and one who was there before has its turns among theirs.
        #expect(order == ["a1", "b4", "a2", "b5", "b6"])
        #expect(queue.count == 3)
    }

    @Test("An account has its bound, another still gets through, and the bound in all holds for everybody")
    func bounds() async throws {
        let held = await Held(BlockingWork.Bounds(threads: 1, waiting: 4, perAccount: 2, perAddress: 1))
        var tasks = [await held.ask("a1", for: alice), await held.ask("a2", for: alice)]
        func refusal(of owner: WorkOwner) async -> BlockingWork.Refusal? {
            await WorkOwner.$current.withValue(owner) {
                if case .failure(let refusal) = await held.work.attempt({ 1 }) { refusal } else { nil }
            }
        }
        #expect(await refusal(of: alice) == .ownerFull)
        tasks.append(await held.ask("b1", for: bob))
        tasks.append(await held.ask("x1", for: .address("192.0.2.1")))
        #expect(await refusal(of: .address("192.0.2.1")) == .ownerFull)
        #expect(await refusal(of: bob) == .full)
        #expect(await refusal(of: .program) == .full)
        try await held.open(tasks)
        #expect(await refusal(of: alice) == nil)
    }

    @Test("A cancelled job is taken out and makes room; one that was cancelled before it asked never waits")
    func cancelled() async throws {
        let held = await Held(BlockingWork.Bounds(threads: 1, waiting: 2, perAccount: 2))
        let first = await held.ask("a1", for: alice)
        let second = await held.ask("a2", for: alice)
        first.cancel()
        await #expect(throws: BlockingWork.Refusal.cancelled) { try await first.value }
        #expect(held.work.load.waiting == 1)
        let third = await held.ask("a3", for: alice)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await held.work.run { 2 }
        }
        late.cancel()
        await #expect(throws: BlockingWork.Refusal.self) { try await late.value }
        try await held.open([second, third])
        #expect(held.done.withLock { $0 } == ["a2", "a3"])
        #expect(held.work.load == (0, 0))
    }

    @Test("An observer is told of each job that begins or is refused")
    func observed() async throws {
        let held = await Held(BlockingWork.Bounds(threads: 1, waiting: 1))
        let reports = Reports()
        held.work.observe { report in reports.seen.withLock { $0.append(report) } }
        let waiting = await held.ask("a1", for: alice)
        await #expect(throws: BlockingWork.Refusal.full) { try await held.work.run {} }
        waiting.cancel()
        await #expect(throws: BlockingWork.Refusal.cancelled) { try await waiting.value }
        try await held.open([])
        try await held.work.run {}
        let seen = reports.seen.withLock { $0 }
        #expect(seen.prefix(2) == [.refused(.full), .refused(.cancelled)])
        guard case .began(let waited) = try #require(seen.last) else {
            Issue.record("the last report is of a job that begins")
            return
        }
        #expect(seen.count == 3 && waited >= .zero)
    }

    @Test("What a job throws reaches whoever asked, and many at once are all done, none twice")
    func many() async throws {
        struct Wrong: Error {}
        let work = BlockingWork(BlockingWork.Bounds(threads: 3, waiting: 100))
        await #expect(throws: Wrong.self) { try await work.run { throw Wrong() } }
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await work.run { index }
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(results.sorted() == Array(0..<100))
    }
}
