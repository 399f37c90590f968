import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Synchronization
import Testing
import Workers

@testable import Server

extension DeskTests {
    /// A movement is compared with earlier ones before the writing, and the result holds for what is there by then.
    @Suite("Changes of templates", .timeLimit(.minutes(5)))
    struct TemplateChangeTests {
        /// How often something was done.
        private final class Counter: Sendable {
            private let count = Mutex(0)
            var value: Int { count.withLock { $0 } }
            func add() { count.withLock { $0 += 1 } }
        }

        private static func template(
            _ desk: Desk, _ person: Client
        ) async throws -> (keeping: TemplateKeeping, seen: ClientStore.StoredTemplate) {
            let environment = desk.organisation.server.environment
            let keeping = TemplateKeeping(
                environment: environment, judge: try await SignatureJudge.current(in: environment.database))
            let stored = try await environment.database.read {
                try ClientStore(transaction: $0).template(client: person.id)
            }
            return (keeping, try #require(stored))
        }

        @Test("of two signings at once with one movement, the one that is stored second is refused as a recording")
        func atOnce() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 2, waiting: 8))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let text = try Desk.texts(hand, 30..<31)[0]
                // Rendering for the ticket, reading, rendering and comparing are over.
                let stop = WorkStop(work, before: 5)
                let first = Task { try await desk.sign(document, person, text) }
                await stop.reached()
                let second = try await desk.sign(document, person, text).decode(Signing.self)
                stop.go()
                let refused = try await first.value.decode(Signing.self)
                #expect(second.state == .pending && refused.state == .refused)
                let seen = try await client.send(
                    .get, "/api/signings/\(refused.id)", token: desk.operatorSession.token
                ).decode(Signing.self)
                #expect(!seen.isMatch && seen.reason == "a recording of an earlier movement")
            }
        }

        @Test("a writing takes over what was compared before it, and compares again if the template has changed since")
        func takenOver() async throws {
            try await DeskTests.withDocument { desk, person, _, hand in
                let (keeping, seen) = try await Self.template(desk, person)
                let database = desk.organisation.server.environment.database
                let (capture, compared) = (try hand.signature(30), Counter())
                let body: TemplateChange.Body = { template in
                    compared.add()
                    return try template.remember(capture)
                }
                let first = try await keeping.prepare(seen, body)
                let second = try await keeping.prepare(seen, body)
                #expect(compared.value == 2)
                let isFirstReplay = try await database.write { try keeping.store(first, $0) }
                #expect(!isFirstReplay && compared.value == 2)
                let isSecondReplay = try await database.write { try keeping.store(second, $0) }
                #expect(isSecondReplay && compared.value > 2)
            }
        }

        @Test("a second visit with a movement that was signed with meanwhile is refused as a recording")
        func visit() async throws {
            try await DeskTests.withDocument { desk, person, _, hand in
                let (keeping, seen) = try await Self.template(desk, person)
                let database = desk.organisation.server.environment.database
                let three = [try hand.signature(40), try hand.signature(41), try hand.signature(42)]
                let visit = try await keeping.prepare(seen) { template in
                    try template.addSitting(three, time: 900)
                    return false
                }
                let signed = try await keeping.remember([three[1]], in: seen)
                let isReplay = try await database.write { try keeping.store(signed, $0) }
                #expect(!isReplay)
                await #expect(throws: TemplateError.replayed(1)) {
                    _ = try await database.write { try keeping.store(visit, $0) }
                }
            }
        }

        @Test("a movement that was refused leaves its trace even if all threads are busy")
        func busy() async throws {
            let work = BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 2))
            try await TestOrganisation(work: work).serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let (keeping, seen) = try await Self.template(desk, person)
                let database = desk.organisation.server.environment.database
                let (capture, gate) = (try hand.signature(40), DispatchSemaphore(value: 0))
                var tasks = [Task { try await work.run { gate.wait() } }]
                while work.load.running < 1, !Task.isCancelled { await Task.yield() }
                for _ in 0..<2 { tasks.append(Task { try await work.run { gate.wait() } }) }
                while work.load.waiting < 2, !Task.isCancelled { await Task.yield() }
                await #expect(throws: BlockingWork.Refusal.full) {
                    _ = try await keeping.remember([capture], in: seen)
                }
                let refused = try await keeping.rememberAnyway([capture], in: seen)
                for _ in tasks { gate.signal() }
                for task in tasks { try await task.value }
                let isFirstReplay = try await database.write { try keeping.store(refused, $0) }
                let later = try await keeping.remember([capture], in: seen)
                let isLaterReplay = try await database.write { try keeping.store(later, $0) }
                #expect(!isFirstReplay && isLaterReplay)
            }
        }
    }
}
