import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// Which operator enrolled which client, on which paper, and what happens to pending transactions.
    @Suite("The history of clients")
    struct HistoryTests {
        private static func reenrolment(_ hand: SyntheticHand) throws -> Reenrolment {
            let texts = try Desk.texts(hand, 0..<6)
            return Reenrolment(
                paper: "driving licence", reason: "A broken wrist.",
                circumstances: Circumstances(identified: true, device: "tablet 2"),
                signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5]))
        }

        private static func acts(_ desk: Desk, _ client: String) async throws -> [ClientHistory.Act] {
            try await desk.client.send(.get, "/api/clients/\(client)/acts", token: desk.owner.token)
                .decode(Listing<ClientHistory.Act>.self).items
        }

        @Test("who enrolled a client, on which paper and where stays for ever; the log commits to it and names nobody")
        func recorded() async throws {
            try await DeskTests.atDesk { desk in
                let allowed = try await desk.client.send(
                    .put, "/api/desk/settings", DeskSettings(learns: false, takesPlace: true, takesPhotographs: false),
                    token: desk.owner.token)
                #expect(allowed.status == 200)
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let second = try await desk.client.join(
                    desk.organisation.person("desk2"),
                    invitation: try await desk.client.invite(.operator, token: desk.owner.token))
                var again = try Self.reenrolment(SyntheticHand(seed: 2))
                again.circumstances.place = DevicePlace(latitude: 52_205_000, longitude: 119_000, accuracy: 20)
                let act = try await desk.client.send(
                    .post, "/api/clients/\(person.id)/enrolment", again, token: second.token)
                #expect(act.status == 200)
                let told = try await Self.acts(desk, person.id)
                #expect(told.map(\.kind) == [.reenrolled, .enrolled])
                #expect(told.map(\.paper) == ["driving licence", "passport"])
                #expect(told.map(\.operatorID) == [second.account.id, desk.operatorSession.account.id])
                #expect(told.map(\.device) == ["tablet 2", "test"] && told.allSatisfy(\.identified))
                #expect(
                    told[0].reason == "A broken wrist." && told[0].place == again.circumstances.place)
                let page = try await desk.client.send(
                    .get, "/api/clients/\(person.id)/acts?show=reenrolled", token: desk.operatorSession.token
                ).decode(Listing<ClientHistory.Act>.self)
                #expect(page.items.map(\.kind) == [.reenrolled])
                #expect(
                    page.counts?.map(\.show)
                        == ["all", "enrolled", "reenrolled", "renamed", "second_sitting", "fields_changed"])
                #expect(page.counts?.map(\.total) == [2, 1, 1, 0, 0, 0])
                let file = try await desk.client.send(
                    .get, "/api/clients/\(person.id)/acts?format=csv", token: desk.operatorSession.token)
                let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n").map(String.init)
                let columns = """
                    kind,time,operator_id,operator_name,paper,reason,identified,device,latitude,longitude,accuracy,fields,log_index
                    """
                #expect(lines.count == 3 && lines.first == columns)
                #expect(
                    lines.dropFirst().first?
                        .contains(",driving licence,A broken wrist.,true,tablet 2,52205000,119000,20,,") == true)
                // The log's entries commit to exactly these acts, and say nothing of paper, place or reason.
                let environment = desk.organisation.server.environment
                let (acts, entries) = try await environment.database.read { transaction in
                    (
                        try ClientActListStore(transaction: transaction)
                            .page(client: person.id, .all, ListRequest()).rows,
                        try LogStore(transaction: transaction).list(account: person.id, limit: 10)
                    )
                }
                #expect(entries.map(\.type) == ["client.enrolled_anew", "client.enrolled"])
                for (act, entry) in zip(acts, entries) {
                    let opened = try ClientHistoryService(environment: environment).open(act)
                    let record = try JSON.parse(Bytes(text: entry.record))
                    #expect(record["act"] == .text(SHA256.hash(try opened.canonical()).base64URL))
                    #expect(record["by"] == .text(act.operatorID) && act.logIndex == entry.position)
                    for word in ["passport", "driving", "wrist", "tablet", "52205", "Lovelace"] {
                        #expect(!entry.record.contains(word) && !act.sealed.contains(word), "\(word)")
                    }
                }
                #expect(acts[0].sealed != acts[1].sealed)
                // An operator who has enrolled a client is not erased.
                let erasing = try await desk.client.send(
                    .post, "/api/members/\(second.account.id)/erase",
                    Erasure(username: second.account.username, keepsDocuments: true), token: desk.owner.token)
                #expect(erasing.problem == "conflict")
                #expect(
                    try await desk.client.send(
                        .get, "/api/clients/\(person.id)/acts", token: desk.member.token
                    ).problem == "forbidden")
            }
        }

        @Test("pages hold every act once, the newest first, also those of one second")
        func pages() async throws {
            try await DeskTests.atDesk { desk in
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let environment = desk.organisation.server.environment
                let box = TemplateBox(environment.keys)
                try await environment.database.write { transaction in
                    let store = ClientActStore(transaction: transaction)
                    let listed = try ClientActListStore(transaction: transaction)
                        .page(client: person.id, .all, ListRequest())
                    let first = try #require(listed.rows.first)
                    let canonical = try ClientHistoryService(environment: environment).open(first).canonical()
                    for number in 1...250 {
                        var act = first
                        // Three at a time are of one second.
                        (act.id, act.time) = ("act\(number * 7_919 % 1_000)", first.time + Int64(number / 3))
                        act.logIndex = 1_000 + Int64(number)
                        act.sealed = try box.sealText(canonical, .clientAct, of: act.id)
                        try store.insert(act)
                    }
                }
                let seen: [ClientHistory.Act] = try await desk.pages("/api/clients/\(person.id)/acts?limit=60")
                #expect(seen.count == 251 && seen.last?.logIndex ?? 1_000 < 1_000)
                #expect(seen.dropLast().map(\.logIndex) == (1_001...1_250).reversed())
            }
        }

        @Test("nobody is enrolled, and nobody signs, without the operator's word that they were identified")
        func unidentified() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let texts = try Desk.texts(hand, 0..<7)
                let request = NewClient(
                    number: "1", givenName: "A", familyName: "B", paper: "passport",
                    circumstances: Circumstances(identified: false, device: "test"),
                    signatures: NewSignatures(references: Array(texts[0..<5]), check: texts[5]))
                let token = desk.operatorSession.token
                #expect(
                    try await desk.client.send(.post, "/api/clients", request, token: token).problem == "invalid-member"
                )
                // A place only where the organisation takes it.
                var placed = request
                placed.circumstances = Circumstances(
                    identified: true, device: "", place: DevicePlace(latitude: 1, longitude: 1, accuracy: 1))
                #expect(try await desk.client.send(.post, "/api/clients", placed, token: token).problem == "forbidden")
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let unsure = try await desk.sign(document, person, texts[6]) { $0.identified = false }
                #expect(unsure.problem == "invalid-member")
                let signing = try await desk.sign(document, person, texts[6]).decode(Signing.self)
                #expect(signing.state == .pending)
            }
        }

        @Test("the record of a transaction names the enrolment that it rests on: who, when, which paper, which entry")
        func rests() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let text = try Desk.texts(hand, 30..<31)[0]
                let signing = try await desk.sign(try await desk.addDocument(), person, text).decode(Signing.self)
                let known = try #require(try await Self.acts(desk, person.id).first)
                #expect(
                    signing.enrolment
                        == SigningEnrolment(
                            time: known.time, paper: "passport", operatorName: known.operatorName,
                            logIndex: known.logIndex))
                let token = desk.operatorSession.token
                #expect(
                    try await desk.client.send(.post, "/api/signings/\(signing.id)/confirm", token: token).status == 200
                )
                let report = try await desk.client.send(
                    .get, "/api/signings/\(signing.id)/report", token: desk.owner.token)
                let record = try #require(try JSON.parse(report.body, maximumLength: 1 << 24)["report"]?["record"])
                #expect(record["identified"] == .bool(true))
                #expect(record["enrolment"]?["paper"] == .text("passport"))
                #expect(record["enrolment"]?["operator"]?["id"] == .text(desk.operatorSession.account.id))
                let page = try await desk.client.send(
                    .get, "/api/signings/\(signing.id)/report.html", token: desk.owner.token)
                let html = String(decoding: page.body, as: UTF8.self)
                #expect(html.contains("ID document seen at the enrolment") && html.contains("<td>passport</td>"))
            }
        }

        @Test("re-enrolment refuses what is pending under the old template, and what slips through cannot be confirmed")
        func pending() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let signing = try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0]).decode(Signing.self)
                let slipped = try await desk.sign(document, person, Desk.texts(hand, 31..<32)[0]).decode(Signing.self)
                #expect(signing.state == .pending && slipped.state == .pending)
                let token = desk.operatorSession.token
                let act = try await desk.client.send(
                    .post, "/api/clients/\(person.id)/enrolment", Self.reenrolment(SyntheticHand(seed: 2)),
                    token: token)
                #expect(act.status == 200)
                let ended = try await desk.client.send(.get, "/api/signings/\(signing.id)", token: token)
                    .decode(Signing.self)
                #expect(ended.state == .refused && ended.reason == "the client was enrolled again")
                #expect(ended.receipt != nil)
                // One that was stored at the same moment.
                let environment = desk.organisation.server.environment
                try await environment.database.write { transaction in
                    try transaction.execute(
                        "UPDATE signings SET state = 'pending', decision = NULL, decided = NULL WHERE id = $1",
                        [.text(slipped.id)])
                }
                let confirming = try await desk.client.send(
                    .post, "/api/signings/\(slipped.id)/confirm", token: token)
                #expect(confirming.problem == "conflict")
                #expect(String(decoding: confirming.body, as: UTF8.self).contains("re-enrolled"))
                let refusing = try await desk.client.send(
                    .post, "/api/signings/\(slipped.id)/refuse", Reason(reason: "enrolled again"), token: token)
                #expect(refusing.status == 200)
            }
        }

        @Test("a colleague at an unlocked page neither re-enrols a client nor confirms a signature")
        func unlocked() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                desk.organisation.clock.advance(.seconds(Limits.confirmationTime - 10))
                let signing = try await desk.sign(
                    try await desk.addDocument(), person, Desk.texts(hand, 30..<31)[0]
                ).decode(Signing.self)
                desk.organisation.clock.advance(.seconds(11))
                let token = desk.operatorSession.token
                let again = try await desk.client.send(
                    .post, "/api/clients/\(person.id)/enrolment", Self.reenrolment(SyntheticHand(seed: 2)),
                    token: token)
                #expect(again.problem == "confirmation-required")
                let confirming = try await desk.client.send(
                    .post, "/api/signings/\(signing.id)/confirm", token: token)
                #expect(confirming.problem == "confirmation-required")
                #expect(try await Self.acts(desk, person.id).map(\.kind) == [.enrolled])
            }
        }
    }
}
