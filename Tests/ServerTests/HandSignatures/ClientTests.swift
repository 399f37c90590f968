import Encodings
import FaultyObjectStore
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
        @Test("five signatures and a check make a client, who is found by number however it is typed")
        func register() async throws {
            try await DeskTests.atDesk { desk in
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
            try await DeskTests.atDesk { desk in
                #expect(try await desk.register(SyntheticHand(seed: 1)).status == 201)
                let again = try await desk.register(SyntheticHand(seed: 2), number: "ab 123.456")
                #expect(again.problem == "conflict")
            }
        }

        @Test("another hand's check signature, a stranger among the five, a recording and another tool are refused")
        func refused() async throws {
            try await DeskTests.atDesk { desk in
                let (hand, other) = (SyntheticHand(seed: 1), SyntheticHand(seed: 2))
                let own = try Desk.texts(hand, 0..<8)
                func register(_ references: [String], _ check: String) async throws -> TestClient.Answer {
                    try await desk.client.send(
                        .post, "/api/clients",
                        NewClient(
                            number: "1", givenName: "A", familyName: "B", paper: "passport", circumstances: .seen,
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
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let client = try await desk.register(hand).decode(ClientAct.self).client
                let allowed = try await desk.client.send(
                    .put, "/api/desk/settings", DeskSettings(learns: false, takesPlace: true, takesPhotographs: false),
                    token: desk.owner.token)
                #expect(allowed.status == 200)
                let colleague = try desk.organisation.person("desk2")
                let joined = try await desk.client.join(
                    colleague, invitation: try await desk.client.invite(.operator, token: desk.owner.token))
                #expect(client.secondSittingFrom == client.enrolled + Limits.secondSittingRest)
                desk.organisation.clock.advance(.seconds(Limits.secondSittingRest - 1))
                let session = try await desk.client.signIn(
                    desk.operatorPerson, device: #require(desk.operatorSession.device).id)
                /// The server's refusal; `nil` when it has taken them.
                func refusal(_ texts: [String], paper: String = "identity card") async throws -> String? {
                    let answer = try await desk.client.send(
                        .post, "/api/clients/\(client.id)/sitting",
                        SecondSitting(paper: paper, circumstances: .seen, signatures: texts),
                        token: session.token)
                    guard let problem = answer.problem else { return nil }
                    return "\(problem): \(String(decoding: answer.body, as: UTF8.self))"
                }
                func expectRefusal(
                    _ texts: [String], paper: String = "identity card", _ words: String...
                ) async throws {
                    let said = try await refusal(texts, paper: paper) ?? "it was taken"
                    for word in words { #expect(said.contains(word), "\(said)") }
                }
                let numbers: [UInt64] = [12, 30, 60]
                let good = try numbers.flatMap { try Desk.texts(hand, $0..<$0 + 1) }
                try await expectRefusal(good, "conflict", "another visit", "12 hours")
                desk.organisation.clock.advance(.seconds(1))
                try await expectRefusal(good, paper: " ", "invalid-member", "paper")
                let stranger = try Desk.texts(SyntheticHand(seed: 3), 0..<3)
                try await expectRefusal(stranger, "conflict", "Signature 1 is not like")
                try await expectRefusal(Desk.texts(hand, 5..<8), "conflict", "recording")
                // The signatures before the one that does not match are remembered, too, and cannot be replayed.
                let two = try Desk.texts(hand, 10..<12)
                try await expectRefusal(two + [stranger[0]], "conflict", "Signature 3 is not like")
                // And those that came with a recording.
                let three = try Desk.texts(hand, 40..<43)
                try await expectRefusal([three[0], three[1], two[1]], "conflict", "recording")
                try await expectRefusal([three[2], three[0]] + Desk.texts(hand, 50..<51), "conflict", "recording")
                let second = try await desk.client.signIn(colleague, device: #require(joined.device).id)
                let circumstances = Circumstances(
                    identified: true, device: "tablet 3",
                    place: DevicePlace(latitude: 52_205_000, longitude: 119_000, accuracy: 20))
                let visit = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/sitting",
                    SecondSitting(paper: "identity card", circumstances: circumstances, signatures: good),
                    token: second.token)
                #expect(visit.problem == nil, "\(String(decoding: visit.body, as: UTF8.self))")
                try await Self.expectVisit(desk, client, by: second, circumstances)
                let after = try await desk.client.send(.get, "/api/clients/\(client.id)", token: session.token)
                    .decode(Client.self)
                #expect(!after.needsSecondSitting && after.secondSittingFrom == nil)
                #expect(after.paper == "identity card" && after.number == "AB123456")
                try await expectRefusal(Desk.texts(hand, 13..<16), "conflict", "already")
                #expect(
                    try await Self.logged(desk, client.id).map(\.type) == [
                        "client.enrolled", "client.sitting_refused", "client.sitting_refused", "client.sitting_refused",
                        "client.sitting_refused", "client.sitting_refused", "client.second_sitting",
                    ])
            }
        }

        /// Expects that the newest of a client's acts is a visit with an identity card, and that the log commits to it.
        private static func expectVisit(
            _ desk: Desk, _ client: Client, by session: NewSession, _ circumstances: Circumstances
        ) async throws {
            let told = try await desk.client.send(.get, "/api/clients/\(client.id)/acts", token: session.token)
                .decode(Listing<ClientHistory.Act>.self).items
            #expect(told.map(\.kind) == [.secondSitting, .enrolled])
            let visit = try #require(told.first)
            #expect(visit.operatorID == session.account.id && visit.operatorName == session.account.name)
            #expect(visit.operatorID != told.last?.operatorID)
            #expect(visit.paper == "identity card" && visit.reason.isEmpty && visit.identified)
            #expect(visit.device == circumstances.device && visit.place == circumstances.place)
            let environment = desk.organisation.server.environment
            let rows = try await environment.database.read { transaction in
                try ClientActListStore(transaction: transaction).page(client: client.id, .all, ListRequest()).rows
            }
            let act = try #require(rows.first)
            let entry = try #require(try await logged(desk, client.id).last)
            #expect(entry.type == "client.second_sitting" && entry.position == visit.logIndex)
            let opened = try ClientHistoryService(environment: environment).open(act)
            #expect(opened.operatorID == session.account.id && opened.circumstances == circumstances)
            let record = try JSON.parse(Bytes(text: entry.record))
            #expect(record["act"] == .text(SHA256.hash(try opened.canonical()).base64URL))
            #expect(record["by"] == .text(session.account.id))
            for word in ["identity card", "tablet", "52205", "Lovelace"] {
                #expect(!entry.record.contains(word) && !act.sealed.contains(word), "\(word)")
            }
        }

        /// Everything in the log about an account, a client's or another, oldest first.
        private static func logged(_ desk: Desk, _ account: String) async throws -> [LogStore.Stored] {
            try await desk.organisation.server.environment.database.read {
                try LogStore(transaction: $0).list(account: account, limit: 100).reversed()
            }
        }

        @Test("a client may have one name, in either part; no name at all, and the word for erased people, are refused")
        func oneName() async throws {
            try await DeskTests.atDesk { desk in
                let client = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                func rename(_ given: String, _ family: String) async throws -> TestClient.Answer {
                    let change = ClientChange(
                        givenName: given, familyName: family, paper: "passport", reason: "As the paper has it.",
                        circumstances: .seen)
                    return try await desk.client.send(
                        .patch, "/api/clients/\(client.id)", change, token: desk.operatorSession.token)
                }
                for (given, family) in [("Suharto", " "), ("", "Suharto")] {
                    let renamed = try await rename(given, family).decode(ClientAct.self).client
                    #expect([renamed.givenName, renamed.familyName].sorted() == ["", "Suharto"])
                }
                for (given, family) in [(" ", ""), ("", "(erased)")] {
                    #expect(try await rename(given, family).problem == "invalid-member")
                }
                let capture = try Desk.texts(SyntheticHand(seed: 1), 30..<31)[0]
                #expect(try await desk.sign(try await desk.addDocument(), client, capture).status == 201)
                let listed = try await desk.client.send(.get, "/api/signings", token: desk.operatorSession.token)
                #expect(try listed.decode(Listing<Signing>.self).items.map(\.clientName) == ["Suharto"])
            }
        }

        @Test("a name is changed after a paper was shown, and logged without the name; not that of an erased client")
        func renamed() async throws {
            try await DeskTests.atDesk { desk in
                let client = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                func send(_ change: ClientChange, by session: NewSession) async throws -> TestClient.Answer {
                    try await desk.client.send(.patch, "/api/clients/\(client.id)", change, token: session.token)
                }
                let change = ClientChange(
                    givenName: " Augusta ", familyName: "King", paper: "marriage certificate",
                    reason: "She has married.", circumstances: .seen)
                let members: [WritableKeyPath<ClientChange, String>] = [\.paper, \.reason]
                for member in members {
                    var lacking = change
                    lacking[keyPath: member] = " "
                    #expect(try await send(lacking, by: desk.operatorSession).problem == "invalid-member")
                }
                #expect(try await send(change, by: desk.owner).problem == "forbidden")
                #expect(try await send(change, by: desk.member).problem == "forbidden")
                let act = try await send(change, by: desk.operatorSession).decode(ClientAct.self)
                #expect(act.client.givenName == "Augusta" && act.client.familyName == "King")
                #expect(act.client.paper == "marriage certificate" && act.client.number == "AB123456")
                #expect(act.receipt.proof.hasPrefix("c2sp.org/tlog-proof@v1"))
                let found = try await desk.client.send(
                    .post, "/api/clients/lookup", ClientNumber(number: "AB123456"), token: desk.operatorSession.token)
                #expect(try found.decode(Client.self) == act.client)
                let logged = try await Self.logged(desk, client.id)
                #expect(logged.map(\.type) == ["client.enrolled", "client.changed"])
                let by = try JSON.parse(Bytes(text: try #require(logged.last).record))["by"]
                #expect(by == .text(desk.operatorSession.account.id))
                for word in ["Augusta", "King", "marr", "AB123456"] {
                    #expect(logged.allSatisfy { !$0.record.contains(word) }, "\(word)")
                }
                let erased = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/erasure", Reason(reason: "She asked."), token: desk.owner.token)
                #expect(erased.status == 200)
                #expect(try await send(change, by: desk.operatorSession).problem == "not-found")
            }
        }

        @Test("what the desk may do is changed by the main administrator alone, and stands in the log")
        func settings() async throws {
            try await DeskTests.atDesk { desk in
                let wanted = DeskSettings(learns: true, takesPlace: false, takesPhotographs: true)
                func change(by session: NewSession) async throws -> TestClient.Answer {
                    try await desk.client.send(.put, "/api/desk/settings", wanted, token: session.token)
                }
                #expect(try await change(by: desk.operatorSession).problem == "forbidden")
                let changed = try await change(by: desk.owner).decode(DeskSettings.self)
                #expect(changed.learns && !changed.takesPlace && changed.takesPhotographs)
                #expect(changed.receipt?.proof.hasPrefix("c2sp.org/tlog-proof@v1") == true)
                let entry = try #require(try await Self.logged(desk, desk.owner.account.id).last)
                #expect(entry.type == "desk.changed")
                let record = try JSON.parse(Bytes(text: entry.record))
                #expect(record["by"] == .text(desk.owner.account.id) && record["learns"] == .bool(true))
                #expect(record["takes_place"] == .bool(false) && record["takes_photographs"] == .bool(true))
            }
        }

        @Test("a new enrolment destroys the old template; erasing destroys what is known, and the number is free again")
        func anew() async throws {
            try await DeskTests.atDesk { desk in
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
                    circumstances: .seen,
                    signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5]))
                let act = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/enrolment", request, token: desk.operatorSession.token
                ).decode(ClientAct.self)
                #expect(act.client.paper == "driving licence" && act.client.number == "AB123456")
                let after = try #require(try await template())
                #expect(after.id != before.id)
                // An earlier signature is still remembered, so it cannot be replayed and makes no template either.
                let back = try Desk.texts(old, 0..<6)
                let again = try await desk.client.send(
                    .post, "/api/clients/\(client.id)/enrolment",
                    Reenrolment(
                        paper: "passport", reason: "x", circumstances: .seen,
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

        @Test("erasing leaves no name in any file or row when the log cannot be written either")
        func unsealed() async throws {
            try await FaultyObjectStore.run { store in
                let organisation = try await TestOrganisation(stores: try await store.stores())
                try await organisation.serve { testClient in
                    let desk = try await Desk(testClient)
                    let client = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                    #expect(try await !ErasureTests.places(of: "Lovelace", in: organisation).isEmpty)
                    store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: "log/tile")
                    let erased = try await desk.client.send(
                        .post, "/api/clients/\(client.id)/erasure", Reason(reason: "She asked."),
                        token: desk.owner.token)
                    #expect(erased.problem == "storage-unreachable")
                    #expect(try await ErasureTests.places(of: "Lovelace", in: organisation) == [])
                    store.heal()
                }
            }
        }

        @Test("what was done at the desk stands when older copies cannot be removed from the files at once")
        func removedLater() async throws {
            let faults = StorageFaults()
            let organisation = try await TestOrganisation(faults: faults)
            try await organisation.serve { testClient in
                let desk = try await Desk(testClient)
                let token = desk.operatorSession.token
                let client = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                faults.heal()
                faults.fail(.scrub, .full)
                let change = ClientChange(
                    givenName: "Augusta", familyName: "King", paper: "marriage certificate",
                    reason: "She has married.", circumstances: .seen)
                let renamed = try await testClient.send(.patch, "/api/clients/\(client.id)", change, token: token)
                let fields = try await testClient.send(
                    .put, "/api/clients/\(client.id)/fields", ClientFieldValues(fields: []), token: token)
                let texts = try Desk.texts(SyntheticHand(seed: 2), 0..<6)
                let request = Reenrolment(
                    paper: "driving licence", reason: "She writes differently.", circumstances: .seen,
                    signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5]))
                let again = try await testClient.send(
                    .post, "/api/clients/\(client.id)/enrolment", request, token: token)
                let erased = try await testClient.send(
                    .post, "/api/clients/\(client.id)/erasure", Reason(reason: "She asked."), token: desk.owner.token)
                for answer in [renamed, fields, again, erased] { #expect(answer.status == 200, "\(answer.text)") }
                #expect(faults.count(.scrub) == 4)
            }
        }

        @Test("nobody but the desk sees or changes clients")
        func permissions() async throws {
            try await DeskTests.atDesk { desk in
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
                        number: "2", givenName: "A", familyName: "B", paper: "p", circumstances: .seen,
                        signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5])),
                    token: desk.owner.token)
                #expect(registering.problem == "forbidden")
            }
        }
    }
}
