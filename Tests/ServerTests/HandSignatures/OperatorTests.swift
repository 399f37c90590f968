import Encodings
import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// Operators: what they did stays theirs.
    @Suite("Operators")
    struct OperatorTests {
        private static let text =
            #"{"blocks":[{"kind":"paragraph","runs":[{"text":"I agree."}]}],"format":"countersign-text-1"}"#

        private func colleague(_ desk: Desk, _ username: String = "other") async throws -> NewSession {
            try await desk.client.join(
                desk.organisation.person(username),
                invitation: try await desk.client.invite(.operator, token: desk.owner.token))
        }

        private func erase(_ desk: Desk) async throws -> TestClient.Answer {
            let id = desk.operatorSession.account.id
            return try await desk.client.send(
                .post, "/api/members/\(id)/erase", Erasure(username: "desk", keepsDocuments: false),
                token: desk.owner.token)
        }

        @Test("who has written a document is not erased, also when somebody else has changed or deleted it since")
        func editor() async throws {
            try await DeskTests.atDesk { desk in
                let document = try await desk.addDocument()
                let refused = try await erase(desk)
                #expect(refused.problem == "conflict")
                #expect(String(decoding: refused.body, as: UTF8.self).contains("Block the account instead"))
                let path = "/api/workspace/\(document.id)"
                let other = try await colleague(desk)
                let changed = try await desk.client.send(
                    .put, path,
                    WorkspaceContent(name: "Other", text: Self.text, version: 1),
                    token: other.token)
                #expect(changed.status == 200, Comment(rawValue: String(decoding: changed.body, as: UTF8.self)))
                #expect(try await erase(desk).problem == "conflict")
                #expect(try await desk.client.send(.delete, path, token: other.token).status == 204)
                #expect(try await erase(desk).problem == "conflict")
            }
        }

        @Test("whoever has taken a signature is not erased; whoever has done nothing is")
        func signer() async throws {
            try await DeskTests.atDesk { desk in
                let document = try await desk.client.send(
                    .post, "/api/workspace",
                    WorkspaceContent(name: "Consent", text: Self.text),
                    token: try await colleague(desk).token)
                #expect(document.status == 201, Comment(rawValue: String(decoding: document.body, as: UTF8.self)))
                let hand = SyntheticHand(seed: 1)
                let idle = try await colleague(desk, "idle")
                let person = try await desk.register(hand).decode(ClientAct.self).client
                _ = try await desk.sign(
                    try document.decode(WorkspaceDocument.self), person, Desk.texts(hand, 70..<71)[0]
                ).decode(Signing.self)
                #expect(try await erase(desk).problem == "conflict")
                let gone = try await desk.client.send(
                    .post, "/api/members/\(idle.account.id)/erase", Erasure(username: "idle", keepsDocuments: false),
                    token: desk.owner.token)
                #expect(gone.status == 200)
            }
        }

        @Test("the log and the row that is left say who deleted a document, without its name")
        func deletion() async throws {
            try await DeskTests.atDesk { desk in
                let document = try await desk.addDocument("Consent of Ada")
                let path = "/api/workspace/\(document.id)"
                let other = try await colleague(desk)
                #expect(try await desk.client.send(.delete, path, token: other.token).status == 204)
                let database = desk.organisation.server.environment.database
                let row = try await database.read { transaction in
                    try #require(
                        try transaction.row(
                            "SELECT name, content, changed_by FROM workspace_documents WHERE id = $1",
                            [.text(document.id)]))
                }
                #expect(try row.text("changed_by") == other.account.id)
                #expect(try row.text("name") == "" && row.text("content") == "")
                let entries = try await desk.organisation.server.environment.log.entries(account: other.account.id)
                let last = try #require(entries.items.first)
                #expect(last.type == "workspace.deleted")
            }
        }

        @Test("blocking and unblocking give receipts of their entries")
        func receipts() async throws {
            try await DeskTests.atDesk { desk in
                let id = desk.operatorSession.account.id
                for (act, body) in [("block", Reason(reason: "left")), ("unblock", nil)] as [(String, Reason?)] {
                    let answer = try await desk.client.send(
                        .post, "/api/accounts/\(id)/\(act)", body, token: desk.owner.token
                    ).decode(Operator.self)
                    let receipt = try #require(answer.receipt)
                    #expect(receipt.proof.hasPrefix("c2sp.org/tlog-proof@v1"))
                    let entries = try await desk.organisation.server.environment.log.entries(account: id)
                    #expect(entries.items.first?.type == "operator.\(act)ed")
                }
                let listed = try await desk.client.send(.get, "/api/operators", token: desk.owner.token)
                    .decode(Listing<Operator>.self).items
                #expect(listed.allSatisfy { $0.receipt == nil })
            }
        }

        @Test("of three hundred hand-overs that one operator opens only the newest is open")
        func handovers() async throws {
            try await DeskTests.atDesk { desk in
                var codes: [String] = []
                for _ in 0..<300 {
                    let answer = try await desk.client.send(
                        .post, "/api/handovers", NewHandover(title: "Consent", count: 1),
                        token: desk.operatorSession.token
                    ).decode(Handover.self)
                    codes.append(String(try #require(answer.address?.split(separator: "#").last)))
                }
                let rows = try await desk.organisation.server.environment.database.read { transaction in
                    try transaction.row("SELECT COUNT(*) AS total FROM handovers", [])?.integer("total")
                }
                #expect(rows == 1)
                for (number, code) in codes.enumerated() where number % 60 == 0 || number == 299 {
                    let answer = try await desk.client.send(.post, "/api/handover", HandoverCode(code: code))
                    #expect(answer.status == (number == 299 ? 200 : 404), "\(number)")
                }
            }
        }
    }
}
