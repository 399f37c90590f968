import Synchronization
import Testing

@testable import Server

/// A stage of the log: many wait for it, and it takes one step after the other.
@Suite("A stage of the log")
struct AdvanceTests {
    /// Steps that a test decides, and how many were taken.
    private final class Steps: Sendable {
        private let state: Mutex<(answers: [Result<UInt64, any Error>], taken: Int)>

        /// - Parameter answers: of the steps; the last is given again and again.
        init(_ answers: [Result<UInt64, any Error>]) { state = Mutex((answers, 0)) }

        func take() throws -> UInt64 {
            try state.withLock { state in
                defer { state.taken += 1 }
                return try state.answers[min(state.taken, state.answers.count - 1)].get()
            }
        }

        var taken: Int { state.withLock(\.taken) }
    }

    private struct Broken: Error {}

    @Test("one step serves all who wait for what it covers")
    func together() async throws {
        let steps = Steps([.success(100)])
        let advance = Advance(from: 0) { try steps.take() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for size in 1...100 { group.addTask { try await advance.reach(UInt64(size)) } }
            try await group.waitForAll()
        }
        #expect(steps.taken == 1)
        try await advance.reach(100)
        #expect(steps.taken == 1)
    }

    @Test("a step that fails fails those who wait, and the next who comes has it tried again")
    func failure() async throws {
        let steps = Steps([.failure(Broken()), .success(5)])
        let advance = Advance(from: 0) { try steps.take() }
        await #expect(throws: Broken.self) { try await advance.reach(3) }
        try await advance.reach(3)
        #expect(steps.taken == 2)
    }

    @Test("the end of a step can be waited for, also if it fails or covers less; what is covered needs no step")
    func onlookers() async throws {
        let steps = Steps([.failure(Broken()), .success(1), .success(5)])
        let advance = Advance(from: 0) { try steps.take() }
        await advance.awaitStep(towards: 5, atMost: .seconds(60))
        #expect(steps.taken == 1)
        await advance.awaitStep(towards: 5, atMost: .seconds(60))
        try await advance.reach(5)
        #expect(steps.taken == 3)
        await advance.awaitStep(towards: 5, atMost: .seconds(60))
        #expect(steps.taken == 3)
    }

    @Test("a step that hangs is not waited for by those who only look on, and still covers what it was to cover")
    func hanging() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let advance = Advance(from: 0) {
            for await _ in gate {}
            return 5
        }
        await advance.awaitStep(towards: 5, atMost: .milliseconds(10))
        opening.finish()
        try await advance.reach(5)
    }

    @Test("a stage that gets nowhere says so instead of going on for ever; one race that was lost is no trouble")
    func stall() async throws {
        let lost = Steps([.success(0), .success(3)])
        let patient = Advance(from: 0) { try lost.take() }
        try await patient.reach(3)
        #expect(lost.taken == 2)
        let stuck = Steps([.success(0)])
        let advance = Advance(from: 0) { try stuck.take() }
        await #expect(throws: TransparencyLog.LogError.self) { try await advance.reach(3) }
        #expect(stuck.taken == 2)
    }
}
