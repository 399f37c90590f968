import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// Clients and their templates.
    @Suite("Clients of the desk")
    struct ClientTests {
        private func atDesk(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
            try await TestOrganisation().serve { try await body(try await Desk($0)) }
        }

        @Test("five signatures and a check make a client, who is found by her number however it is typed")
        func register() async throws {
            try await atDesk { desk in
                let act = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self)
                #expect(act.client.needsSecondSitting && act.client.tool == .pen)
                let comparison = try #require(act.comparison)
                #expect(comparison.isMatch && comparison.difference == comparison.score - comparison.threshold)
                #expect(act.receipt.proof.hasPrefix("c2sp.org/tlog-proof@v1"))
                for typed in ["AB\u{2011}123 456", "ab_123–456", "ＡＢ１２３４５６"] {
                    let same = try await desk.client.send(
                        .post, "/api/clients/lookup", ClientNumber(number: typed), token: desk.operatorSession.token)
                    #expect(try same.decode(Client.self).id == act.client.id, "\(typed)")
                }
                let found = try await desk.client.send(
                    .post, "/api/clients/lookup", ClientNumber(number: "ab123-456"), token: desk.operatorSession.token
                ).decode(Client.self)
                #expect(found.id == act.client.id && found.number == "AB123456" && found.paper == "passport")
                let listed = try await desk.client.send(.get, "/api/clients", token: desk.owner.token)
                    .decode(Listing<Client>.self).items
                #expect(listed.map(\.id) == [act.client.id] && listed[0].number == nil)
            }
        }

        @Test("a number is one client's only")
        func duplicate() async throws {
            try await atDesk { desk in
                #expect(try await desk.register(SyntheticHand(seed: 1)).status == 201)
                let again = try await desk.register(SyntheticHand(seed: 2), number: "ab 123.456")
                #expect(again.problem == "conflict")
            }
        }

        @Test("another hand's check signature, a stranger among the five, a recording and another tool are refused")
        func refused() async throws {
            try await atDesk { desk in
                let (hand, other) = (SyntheticHand(seed: 1), SyntheticHand(seed: 2))
                let own = try Desk.texts(hand, 0..<8)
                func register(_ references: [String], _ check: String) async throws -> TestClient.Answer {
                    try await desk.client.send(
                        .post, "/api/clients",
                        NewClient(
                            number: "1", givenName: "A", familyName: "B", paper: "passport",
                            signatures: NewSignatures(references: references, check: check)),
                        token: desk.operatorSession.token)
                }
                let five = Array(own[0..<5])
                #expect(try await register(five, Desk.texts(other, 0..<1)[0]).problem == "conflict")
                var mixed = five
                mixed[2] = try Desk.texts(other, 0..<1)[0]
                let stranger = try await register(mixed, own[5])
                #expect(stranger.problem == "invalid-member")
                #expect(String(decoding: stranger.body, as: UTF8.self).contains("signature 3: not like the others"))
                #expect(try await register(five, five[1]).problem == "conflict")
                var twice = five
                twice[4] = twice[0]
                #expect(try await register(twice, own[5]).problem == "conflict")
                var touched = five
                touched[1] = try Desk.texts(hand, 1..<2, tool: .touch)[0]
                #expect(try await register(touched, own[5]).problem == "invalid-member")
                #expect(try await register(Array(own[0..<4]), own[5]).problem == "invalid-member")
                var short = five
                short[3] = "{}"
                let bad = try await register(short, own[5])
                #expect(String(decoding: bad.body, as: UTF8.self).contains("signature 4:"))
                let mouse = try Desk.texts(hand, 0..<6, tool: .mouse)
                #expect(try await register(Array(mouse[0..<5]), mouse[5]).problem == "invalid-member")
                // Nothing of all this has made a client.
                let listed = try await desk.client.send(.get, "/api/clients", token: desk.owner.token)
                #expect(try listed.decode(Listing<Client>.self).items.isEmpty)
            }
        }

        @Test("a second visit's signatures go into the template once, and another hand's do not")
        func secondSitting() async throws {
            try await atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let client = try await desk.register(hand).decode(ClientAct.self).client
                func sit(_ texts: [String]) async throws -> TestClient.Answer {
                    try await desk.client.send(
                        .post, "/api/clients/\(client.id)/sitting", SecondSitting(signatures: texts),
                        token: desk.operatorSession.token)
                }
                #expect(try await sit(Desk.texts(SyntheticHand(seed: 3), 0..<3)).problem == "invalid-member")
                #expect(try await sit(Desk.texts(hand, 5..<8)).problem == "conflict", "the check signature again")
                let after = try await sit(Desk.texts(hand, 10..<13)).decode(ClientAct.self)
                #expect(!after.client.needsSecondSitting)
                #expect(try await sit(Desk.texts(hand, 13..<16)).problem == "conflict")
            }
        }

        @Test("a new enrolment destroys the old template; erasing destroys what is known, and the number is free again")
        func anew() async throws {
            try await atDesk { desk in
                let (old, new) = (SyntheticHand(seed: 1), SyntheticHand(seed: 2))
                let client = try await desk.register(old).decode(ClientAct.self).client
                let database = desk.organisation.server.environment.database
                func template() async throws -> ClientStore.StoredTemplate? {
                    try await database.read { try ClientStore(transaction: $0).template(client: client.id) }
                }
                let before = try #require(try await template())
                let texts = try Desk.texts(new, 0..<6)
                let request = Reenrolment(
                    paper: "driving licence", reason: "She writes differently since her operation.",
                    signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5]))
                let act = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/enrolment", request, token: desk.operatorSession.token
                ).decode(ClientAct.self)
                #expect(act.client.paper == "driving licence" && act.client.number == "AB123456")
                let after = try #require(try await template())
                #expect(after.id != before.id)
                // What was recorded before is a recording still, and makes no template either.
                let back = try Desk.texts(old, 0..<6)
                let again = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/enrolment",
                    Reenrolment(
                        paper: "passport", reason: "x",
                        signatures: NewSignatures(references: Array(back[0..<5]), check: back[5])),
                    token: desk.operatorSession.token)
                #expect(again.problem == "conflict")
                let document = try await desk.addDocument()
                let signed = try await desk.sign(document, act.client, try Desk.texts(old, 20..<21)[0])
                    .decode(Signing.self)
                #expect(signed.state == .refused)
                let erased = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/erasure", Reason(reason: "She asked."), token: desk.owner.token)
                #expect(erased.status == 200)
                #expect(try await template()?.id == nil)
                #expect(
                    try await desk.client.send(.get, "/api/clients/\(client.id)", token: desk.owner.token).status == 404
                )
                #expect(try await desk.register(new).status == 201)
            }
        }

        @Test("nobody but the desk sees or changes clients")
        func permissions() async throws {
            try await atDesk { desk in
                let client = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                for path in [
                    "/api/clients", "/api/clients/\(client.id)", "/api/signings", "/api/desk", "/api/workspace",
                ] {
                    #expect(try await desk.client.send(.get, path, token: desk.member.token).problem == "forbidden")
                    #expect(try await desk.client.send(.get, path).problem == "unauthenticated")
                }
                let erasure = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/erasure", Reason(reason: "x"), token: desk.operatorSession.token)
                #expect(erasure.problem == "forbidden")
                // The main administrator sees, and registers nobody.
                let texts = try Desk.texts(SyntheticHand(seed: 4), 0..<6)
                let registering = try await desk.client.send(
                    .post, "/api/clients",
                    NewClient(
                        number: "2", givenName: "A", familyName: "B", paper: "p",
                        signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5])),
                    token: desk.owner.token)
                #expect(registering.problem == "forbidden")
            }
        }
    }
}
