import Encodings
import Fuzzing
import HTTPTypes
import Interface
import Testing

@testable import Server

extension DeskTests {
    /// The shown document is the signed one, once, by the page that showed it.
    @Suite("Tickets of shown documents")
    struct TicketTests {
        private static func expectRefusal(_ answer: TestClient.Answer) {
            #expect(answer.problem == "conflict")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("shown again"))
        }

        @Test("a missing, foreign, expired or other document's ticket signs nothing, and a used one nothing more")
        func refused() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let texts = try Desk.texts(hand, 30..<34)
                Self.expectRefusal(try await desk.sign(document, person, texts[0]) { $0.ticket = "" })
                Self.expectRefusal(
                    try await desk.sign(document, person, texts[0]) { $0.ticket = String(repeating: "A", count: 43) })
                // Of the same document for another client.
                let other = try await desk.register(SyntheticHand(seed: 2), number: "XY 1").decode(ClientAct.self)
                    .client
                let others = try await desk.rendering(document, other).ticket
                Self.expectRefusal(try await desk.sign(document, person, texts[0]) { $0.ticket = others })
                // Of another document, of the same bytes too.
                let twin = try await desk.addDocument("Twin")
                let twins = try await desk.rendering(twin, person).ticket
                Self.expectRefusal(try await desk.sign(document, person, texts[0]) { $0.ticket = twins })
                // Of another session, even the same operator's.
                let device = try #require(desk.operatorSession.device).id
                let session = try await desk.client.signIn(desk.operatorPerson, device: device)
                let elsewhere = try await desk.with(session).rendering(document, person).ticket
                Self.expectRefusal(try await desk.sign(document, person, texts[0]) { $0.ticket = elsewhere })
                // An expired one.
                let rendering = try await desk.rendering(document, person)
                #expect(rendering.expires == desk.organisation.clock.clock.now() + Limits.ticketTime)
                desk.organisation.clock.advance(.seconds(Limits.ticketTime))
                Self.expectRefusal(try await desk.sign(document, person, texts[0]) { $0.ticket = rendering.ticket })
                // A good one works once.
                let good = try await desk.rendering(document, person).ticket
                #expect(try await desk.sign(document, person, texts[1]) { $0.ticket = good }.status == 201)
                Self.expectRefusal(try await desk.sign(document, person, texts[2]) { $0.ticket = good })
                let taken = try await desk.client.send(.get, "/api/signings", token: desk.operatorSession.token)
                    .decode(Listing<Signing>.self).items
                #expect(taken.count == 1)
            }
        }

        @Test("of two signatures that race for one ticket exactly one is taken")
        func races() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let ticket = try await desk.rendering(document, person).ticket
                let texts = try Desk.texts(hand, 30..<32)
                let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                    for text in texts {
                        group.addTask {
                            try await desk.sign(document, person, text) { $0.ticket = ticket }.problem
                        }
                    }
                    return try await group.reduce(into: [String?]()) { $0.append($1) }
                }
                #expect(answers.count { $0 == nil } == 1 && answers.count { $0 == "conflict" } == 1)
            }
        }

        @Test("a capture that cannot be read leaves the ticket, so that the client can write again")
        func unreadable() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let ticket = try await desk.rendering(document, person).ticket
                #expect(
                    try await desk.sign(document, person, "{}") { $0.ticket = ticket }.problem == "invalid-member")
                let text = try Desk.texts(hand, 30..<31)[0]
                #expect(try await desk.sign(document, person, text) { $0.ticket = ticket }.status == 201)
            }
        }

        @Test("what a phone has signed for a ticket is the only capture that the ticket takes")
        func phone() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let token = desk.operatorSession.token
                let texts = try Desk.texts(hand, 30..<32)
                let ticket = try await desk.rendering(document, person).ticket
                func handOver(_ ticket: String?, count: Int64 = 1) async throws -> TestClient.Answer {
                    try await desk.client.send(
                        .post, "/api/handovers", NewHandover(title: "Consent", count: count, ticket: ticket),
                        token: token)
                }
                Self.expectRefusal(try await handOver("unknown"))
                #expect(try await handOver(ticket, count: 2).problem == "invalid-member")
                let handover = try await handOver(ticket).decode(Handover.self)
                let code = String(try #require(handover.address?.split(separator: "#").last))
                let sent = try await desk.client.send(
                    .post, "/api/handover/captures",
                    HandoverResult(code: code, captures: [texts[0]], device: "phone"))
                #expect(sent.status == 204)
                let swapped = try await desk.sign(document, person, texts[1]) { $0.ticket = ticket }
                #expect(swapped.problem == "conflict")
                #expect(String(decoding: swapped.body, as: UTF8.self).contains("another signature"))
                #expect(try await desk.sign(document, person, texts[0]) { $0.ticket = ticket }.status == 201)
            }
        }

        @Test("a phone reads the very document that the desk shows, while its code works, and no other")
        func readOnPhone() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let token = desk.operatorSession.token
                func handOver(_ ticket: String?) async throws -> HandoverCode {
                    let handover = try await desk.client.send(
                        .post, "/api/handovers", NewHandover(title: "Consent", count: 1, ticket: ticket), token: token
                    ).decode(Handover.self)
                    return HandoverCode(code: String(try #require(handover.address?.split(separator: "#").last)))
                }
                func read(_ code: HandoverCode) async throws -> TestClient.Answer {
                    try await desk.client.send(.post, "/api/handover/document", code)
                }
                // Signatures for a template are for no document.
                let alone = try await handOver(nil)
                let without = try await desk.client.send(.post, "/api/handover", alone).decode(HandoverTask.self)
                #expect(!without.hasDocument)
                #expect(try await read(alone).problem == "not-found")

                let rendering = try await desk.rendering(document, person)
                let code = try await handOver(rendering.ticket)
                let task = try await desk.client.send(.post, "/api/handover", code).decode(HandoverTask.self)
                #expect(task.hasDocument)
                let shown = try await read(code).decode(HandoverDocument.self)
                #expect(shown.content == rendering.content && shown.mediaType == rendering.mediaType)
                #expect(try await read(HandoverCode(code: "AAAA-BBBB")).problem == "not-found")
                // Nobody reads one thing there and signs another.
                let text = #"{"blocks":[{"kind":"paragraph","runs":[{"text":"Other"}]}],"format":"countersign-text-1"}"#
                let changed = try await desk.client.send(
                    .put, "/api/workspace/\(document.id)", WorkspaceContent(name: "Consent", text: text, version: 1),
                    token: token)
                #expect(changed.status == 200)
                #expect(try await read(code).problem == "conflict")

                let next = try await handOver(try await desk.rendering(document, person).ticket)
                #expect(try await read(next).status == 200)
                let sent = try await desk.client.send(
                    .post, "/api/handover/captures",
                    HandoverResult(code: next.code, captures: try Desk.texts(hand, 0..<1), device: "phone"))
                #expect(sent.status == 204)
                #expect(try await read(next).problem == "gone")
            }
        }

        @Test("an operator holds so many tickets, and the oldest goes")
        func bounded() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let first = try await desk.rendering(document, person).ticket
                for _ in 0..<Limits.tickets {
                    desk.organisation.clock.advance(.seconds(1))
                    _ = try await desk.rendering(document, person)
                }
                let text = try Desk.texts(hand, 30..<31)[0]
                Self.expectRefusal(try await desk.sign(document, person, text) { $0.ticket = first })
                let rows = try await desk.organisation.rows()["signing_tickets"]
                #expect(rows?.count == Limits.tickets)
            }
        }
    }
}
