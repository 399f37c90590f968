import Approvals
import Dispatch
import Interface
import Storage
import Testing

@testable import Server

@Suite("Answers that arrive together")
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
            try await until { entered.isSet }
            let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
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
                gate.signal()
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
