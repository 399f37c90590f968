import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// An answer is checked before it is stored.
///
/// What happens in between counts.
@Suite("Between the check of an answer and its storing")
struct ApprovalRaceTests {
    enum Event: String, CaseIterable { case nothing, removed, revoked, blocked, answered, cancelled, wrongCode, erased }

    /// - Parameter isTogether: whether it is first tried together with others of the same moment.
    @Test("nothing that has changed is overlooked", arguments: Event.allCases, [false, true])
    func between(event: Event, isTogether: Bool) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            let tablet = try await bank.enrol("alice", alice, name: "tablet", by: phone)
            let id = try await bank.ask(bank.request("1")).id

            // As ApprovalAnswering.answer does, with a pause in the middle.
            let environment = organisation.server.environment.with(keys: [.approvalSecret])
            let answering = ApprovalAnswering(environment: environment)
            let message = try await client.answer(id, .allow(code: nil), phone)
            let answer = try ApprovalAnswer.parse(message.message.decodedBytes())
            let loaded = try await environment.database.read { try answering.load(answer, in: $0) }
            let given = GivenAnswer(
                approver: try loaded.device.label.decodedBytes(), key: phone.key.publicKey,
                decision: .allow(code: nil))
            try await Self.happen(event, id, bank, tablet, organisation)
            if isTogether {
                let taken = await answering.takeTogether(given, answer, loaded)
                #expect((taken != nil) == (event == .nothing))
            }
            func take() async throws { _ = try await answering.take(given, answer, loaded) }
            switch event {
            case .nothing:
                try await take()
                #expect(try await bank.find(id).state == .approved)
            case .removed, .revoked, .blocked:
                await #expect(throws: ApprovalError.unknownDevice) { try await take() }
                #expect(try await bank.find(id).state == .pending)
            case .answered:
                await #expect(throws: ApprovalError.alreadyAnswered) { try await take() }
                #expect(try await bank.find(id).state == .denied)
            case .cancelled, .wrongCode:
                await #expect(throws: ApprovalError.alreadyAnswered) { try await take() }
            case .erased:
                await #expect(throws: ApprovalError.unknownChallenge) { try await take() }
            }
        }
    }

    private static func happen(
        _ event: Event, _ id: String, _ bank: TestBank, _ tablet: TestApprover, _ organisation: TestOrganisation
    ) async throws {
        func change(_ sql: String) async throws {
            try await organisation.server.environment.database.write { try $0.execute(sql, []) }
        }
        switch event {
        case .nothing: break
        case .removed: try await change("UPDATE approval_devices SET removed = 1 WHERE name = 'phone'")
        case .revoked: try await change("UPDATE devices SET revoked = 1")
        case .blocked: try await change("UPDATE accounts SET blocked = 1 WHERE username = 'alice'")
        case .answered:
            #expect(try await bank.client.decide(id, .deny(.mistake, .request), tablet).status == 200)
        case .cancelled: #expect(try await bank.send(.post, "challenges/\(id)/cancel").status == 200)
        case .wrongCode: try await change("UPDATE approval_challenges SET wrong_codes = 3, state = 'denied'")
        case .erased:
            try await change("DELETE FROM approval_prompts")
            try await change("DELETE FROM approval_challenges")
        }
    }
}
