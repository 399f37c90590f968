import Approvals
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// What a request for approval may look like.
@Suite("The form of requests for approval")
struct ApprovalFormTests {
    @Test(
        "what is out of form is refused, and nothing is stored",
        arguments: [
            NewApprovalChallenge(idempotencyKey: "", action: .pay, fields: [], approvers: ["alice"], lifetime: 60),
            NewApprovalChallenge(idempotencyKey: "k", action: .pay, fields: [], approvers: ["alice"], lifetime: 60),
            .of([ApprovalField(.amount, value: 1, currency: "XAU")]),
            .of([ApprovalField(.amount, value: -1, currency: "GBP")]),
            .of([ApprovalField(.amount, text: "1", value: 1, currency: "GBP")]),
            .of([ApprovalField(.amount, currency: "GBP")]), .of([ApprovalField(.payee)]),
            .of([ApprovalField(.payee, text: "")]), .of([ApprovalField(.time, value: 253_402_300_800)]),
            .of([ApprovalField(.text, text: String(repeating: "a", count: 65_536))]),
            .of(Array(repeating: ApprovalField(.text, text: "a"), count: 257)),
            .of([ApprovalField(.text, text: "a")], lifetime: 9),
            .of([ApprovalField(.text, text: "a")], lifetime: 604_801),
            .of([ApprovalField(.text, text: "a")], approvers: []),
            .of([ApprovalField(.text, text: "a")], approvers: ["alice", "alice"]),
            .of([ApprovalField(.text, text: "a")], need: 2), .of([ApprovalField(.text, text: "a")], need: 0),
            .of([ApprovalField(.text, text: "a")], digits: 1), .of([ApprovalField(.text, text: "a")], digits: 13),
            .of([ApprovalField(.text, text: "a")], digits: -1),
            .of([ApprovalField(.text, text: "a")], browser: "a browser that asks"),
            .of([ApprovalField(.text, text: "a")], action: .signIn),
            .of([ApprovalField(.text, text: "a")], action: .signIn, browser: "short"),
            .of([ApprovalField(.text, text: "a")], action: .signIn, digits: 0, browser: "a browser that asks"),
        ])
    func malformed(request: NewApprovalChallenge) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.enrolled().bank
            let answer = try await bank.send(.post, "challenges", request)
            #expect(answer.problem == "invalid-member" && answer.status == 422)
            #expect(try await organisation.rows()["approval_challenges"]?.isEmpty == true)
        }
    }

    @Test("64 KiB of text are asked and shown whole")
    func long() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            // The service's name counts too.
            let text = String(repeating: "Ω", count: (65_536 - "Example Bank".utf8.count) / 2)
            let asked = try await bank.ask(.of([ApprovalField(.text, text: text)]))
            #expect(asked.link == nil)
            let shown = try await client.fetch(asked.id, approver).challenge.lines
            #expect(shown.contains { $0.text == Bytes(text: text) })
            #expect(
                try await client.decide(asked.id, .allow(code: Bytes(text: try #require(asked.code))), approver).status
                    == 200)
            #expect(try await bank.receipt(asked.id).lines == shown)
        }
    }
}

extension NewApprovalChallenge {
    static func of(
        _ fields: [ApprovalField], action: ApprovalActionName = .agree, approvers: [String] = ["alice"],
        need: Int? = nil, lifetime: Int64 = 60, digits: Int? = nil, browser: String? = nil
    ) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: "key", action: action, fields: fields, approvers: approvers, need: need,
            lifetime: lifetime, matchDigits: digits, browser: browser)
    }
}
