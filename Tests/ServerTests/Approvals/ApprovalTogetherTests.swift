import Approvals
import Dispatch
import Foundation
import Interface
import Storage
import Testing

@testable import Server

@Suite("Answers that arrive together", .timeLimit(.minutes(5)))
struct ApprovalTogetherTests {
    private typealias Outcome = Result<AnsweredChallenge, any Error>

    @Test("each counts once; one that is refused or repeated holds up no other")
    func together() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            let tablet = try await bank.enrol("alice", alice, name: "tablet", by: phone)
            var messages: [ApprovalMessage] = []
            for number in 0..<7 {
                let id = try await bank.ask(bank.request("\(number)")).id
                // The last one is answered by a device that has gone by then, the others twice.
                let message = try await client.answer(id, .allow(code: nil), number < 6 ? phone : tablet)
                messages += number < 6 ? [message, message] : [message]
            }

            let environment = organisation.server.environment.with(keys: [.approvalSecret])
            let answering = ApprovalAnswering(environment: environment)
            let (gate, entered) = (DispatchSemaphore(value: 0), Signal())
            let holder = Task {
                try await environment.database.write { transaction in
                    try transaction.execute("UPDATE approval_devices SET removed = 1 WHERE name = 'tablet'", [])
                    entered.set()
                    gate.wait()
                }
            }
            let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
                do {
                    // Also when a wait is given up: the group ends only when nobody waits for the gate.
                    defer { gate.signal() }
                    try await until { entered.isSet }
                    for (number, message) in messages.enumerated() {
                        group.addTask {
                            do {
                                return (number, .success(try await answering.answer(message)))
                            } catch {
                                return (number, .failure(error))
                            }
                        }
                    }
                    let count = messages.count
                    try await until { answering.gathered.waiting == count }
                }
                return try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
            }
            try await holder.value
            for number in 0..<12 {
                let answered = try #require(outcomes[number]).get()
                #expect(answered.state == .approved)
                #expect(answered.missing == 0)
                #expect(try await bank.receipt(answered.id).answers.count == 1)
            }
            let refused = try #require(outcomes[12])
            #expect(throws: ApprovalError.unknownDevice) { try refused.get() }
            let entries = try await environment.database.read { transaction in
                try transaction.rows(
                    """
                    SELECT l.position, p.entry FROM log_entries l LEFT JOIN approval_prompts p ON p.entry = l.position
                    WHERE l.type = 'approval.given'
                    """)
            }
            #expect(entries.count == 6)
            for entry in entries { #expect(try entry.integer("position") == entry.integer("entry")) }
        }
    }

    @Test("those that come while the log seals an earlier one are stored in one write, and sealed in one batch")
    func whileSealing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("answers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        let files = try await DirectoryBlobStore(folder.appendingPathComponent("log").path)
        let organisation = try await TestOrganisation(
            stores: BlobStores(
                blobs: try await DirectoryBlobStore(folder.appendingPathComponent("blobs").path),
                log: LateStore(store: files, gate: gate)))
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            var messages: [ApprovalMessage] = []
            for number in 0..<6 {
                let id = try await bank.ask(bank.request("\(number)")).id
                messages.append(try await client.answer(id, .allow(code: nil), phone))
            }
            let environment = organisation.server.environment.with(keys: [.approvalSecret])
            // A busy machine may need longer than usual until the five are there.
            let answering = ApprovalAnswering(environment: environment, patience: .seconds(3_600))
            gate.close()
            try await withThrowingTaskGroup(of: AnsweredChallenge.self) { group in
                // Also when the wait is given up.
                defer { gate.open() }
                let first = messages.removeFirst()
                group.addTask { try await answering.answer(first) }
                await gate.someoneWaits()
                let before = environment.database.figures.writes
                for message in messages { group.addTask { try await answering.answer(message) } }
                try await until { answering.gathered.waiting == 5 }
                gate.open()
                for try await answered in group { #expect(answered.state == .approved) }
                // The five answers, and the log's state.
                #expect(environment.database.figures.writes - before == 2)
            }
        }
    }

    @Test("what they have to know is asked for in two statements, as many as they usually are")
    func statements() async throws {
        let count = StatementCount()
        let organisation = try await TestOrganisation(counting: count)
        defer { withExtendedLifetime(organisation) {} }
        _ = count.take()
        let found = try await organisation.server.environment.database.read { transaction in
            try ApprovalChallengeStore(transaction: transaction)
                .present((0..<60).map { (question: "question\($0)", device: "device\($0)") })
        }
        #expect(found.count == 60)
        #expect(found.allSatisfy { $0 == nil })
        #expect(count.take() == 2)
    }

    @Test("several approvers of one question count one after the other")
    func quorum() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let users = ["alice", "bob"]
            var approvers: [TestApprover] = []
            for user in users {
                approvers.append(try await bank.enrol(user, try await client.join(organisation.person(user))))
            }
            let id = try await bank.ask(bank.request("1", of: users, need: 2)).id
            var messages: [ApprovalMessage] = []
            for approver in approvers { messages.append(try await client.answer(id, .allow(code: nil), approver)) }
            let environment = organisation.server.environment.with(keys: [.approvalSecret])
            let answering = ApprovalAnswering(environment: environment)
            let missing = try await withThrowingTaskGroup(of: Int.self) { group in
                for message in messages { group.addTask { try await answering.answer(message).missing } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(missing.sorted() == [0, 1])
            #expect(try await bank.find(id).state == .approved)
            #expect(try await bank.receipt(id).answers.count == 2)
        }
    }
}
