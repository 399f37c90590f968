import Approvals
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Approvals whose storage fails, and servers that die between any two steps of their work on them.
@Suite("Faults of the storage under approvals", .timeLimit(.minutes(5)))
struct ApprovalFaultTests {
    enum Act: String, CaseIterable {
        case ask, allow, deny, cancel

        var isAnswer: Bool { self == .allow || self == .deny }
        /// Where a question stands after it.
        var state: ApprovalState {
            switch self {
            case .ask: .pending
            case .allow: .approved
            case .deny: .denied
            case .cancel: .cancelled
            }
        }
    }

    /// A bank that does one thing again and again, and a member who lets it ask often.
    private struct Scene: Sendable {
        let act: Act
        let bank: TestBank
        let phone: TestApprover

        init(_ act: Act, _ client: TestClient) async throws {
            self.act = act
            bank = try await client.bank()
            phone = try await bank.enrol("alice", try await client.join(client.organisation.person("alice")))
            let budget = ApprovalBudget(perService: 60, together: 240)
            let set = try await client.send(.put, "/api/approvals/settings", budget, token: phone.session.token)
            #expect(set.status == 200)
        }

        /// What sends a request of its own, the same each time.
        func prepare(_ number: Int) async throws -> @Sendable () async throws -> TestClient.Answer {
            let request = bank.request("\(number)")
            guard act != .ask else { return { try await bank.send(.post, "challenges", request) } }
            let id = try await bank.ask(request).id
            guard act != .cancel else { return { try await bank.send(.post, "challenges/\(id)/cancel") } }
            let decision: ApprovalDecision = act == .allow ? .allow(code: nil) : .deny(.mistake, .request)
            let answer = try await bank.client.answer(id, decision, phone)
            return { try await bank.client.send(answer) }
        }

        /// What the database has of all questions: none of them is half of anything.
        func expectWhole() async throws {
            let rows = try await bank.client.organisation.server.environment.database.read { transaction in
                try transaction.rows(
                    """
                    SELECT c.id, c.state, c.outcome_signature, p.challenge, p.decision, p.signature, l.type
                    FROM approval_challenges c LEFT JOIN approval_prompts p ON p.challenge = c.id
                    LEFT JOIN log_entries l ON l.position = p.entry
                    """)
            }
            for row in rows {
                #expect(try row.optionalText("challenge") == row.text("id"), "a question to nobody")
                let state = try row.text("state")
                let isAnswered = state == "approved" || state == "denied"
                for column in ["outcome_signature", "decision", "signature", "type"] {
                    #expect(try (row.optionalText(column) != nil) == isAnswered, "\(state): \(column)")
                }
            }
        }

        /// Nothing is wrong any more: it succeeds, as often as it is sent, and is done once.
        ///
        /// - Parameter count: how many there are then, of the questions and of the answers.
        func expectOnce(_ send: @Sendable () async throws -> TestClient.Answer, of count: Int) async throws {
            for _ in 0..<2 {
                let answer = try await send()
                #expect(answer.status < 300, "\(answer.text)")
                let json = try JSON.parse(answer.body)
                let (id, state) = (try #require(json["id"]?.string), try #require(json["state"]?.string))
                #expect(String(decoding: state, as: UTF8.self) == act.state.rawValue)
                guard act.isAnswer else { continue }
                #expect(try await bank.receipt(String(decoding: id, as: UTF8.self)).answers.count == 1)
            }
            try await expectWhole()
            let (questions, entries) = try await bank.client.organisation.server.environment.database
                .read { transaction in
                    (
                        try transaction.rows("SELECT id FROM approval_challenges").count,
                        try transaction.rows(
                            "SELECT position FROM log_entries WHERE type IN ('approval.given', 'approval.denied')"
                        ).count
                    )
                }
            #expect(questions == count && entries == (act.isAnswer ? count : 0))
        }
    }

    @Test(
        "killed before or after any step, a server has done all of it or nothing; sent again, it is done once",
        arguments: Act.allCases, [false, true])
    func killed(act: Act, isDone: Bool) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await organisation.serve { client in
            let scene = try await Scene(act, client)
            var (steps, isAlive) = (0, false)
            while !isAlive, steps < 40 {
                let send = try await scene.prepare(steps)
                faults.kill(after: steps, isDone: isDone)
                isAlive = try await send().status < 300
                faults.heal()
                try await scene.expectWhole()
                try await scene.expectOnce(send, of: steps + 1)
                steps += 1
            }
            // An answer is stored, and then the log is read and sealed; fewer would mean that less was tried.
            #expect(isAlive && steps > (act.isAnswer ? 3 : 1))
        }
    }

    @Test(
        "what the storage refuses is refused in words and not stored; later the same succeeds once",
        arguments: Act.allCases, [StorageError.full, .unreachable(detail: "as the test says")])
    func refused(act: Act, error: StorageError) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await organisation.serve { client in
            let scene = try await Scene(act, client)
            for (number, step) in [StorageFaults.Step.read, .write].enumerated() {
                let send = try await scene.prepare(number)
                faults.fail(step, error)
                for _ in 0..<2 {
                    let refused = try await send()
                    // An answer may be stored before anything is read. Then only its receipt is missing.
                    let mayBeStored = step == .read && act.isAnswer && refused.problem == "storage-unreachable"
                    if error == .full, !mayBeStored {
                        #expect(refused.status == 507 && refused.problem == "storage", "\(refused.text)")
                    } else {
                        #expect(refused.status == 503 && refused.problem == "storage-unreachable", "\(refused.text)")
                        #expect(refused.retryAfter == "5")
                    }
                }
                faults.heal()
                try await scene.expectWhole()
                // The person is asked what was asked before, and nothing was decided.
                let waiting = try await client.pending(scene.phone.session).count
                if step == .write { #expect(waiting == (act == .ask ? number : 1)) }
                try await scene.expectOnce(send, of: number + 1)
            }
        }
    }
}
