import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// The fields that the organisation asks of its clients beyond name and number.
    @Suite("Fields of clients")
    struct ClientFieldTests {
        private static let secret = "+49 30 1234567"

        private func serve(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
            try await TestOrganisation().serve { client in try await body(try await Desk(client)) }
        }

        private func define(_ fields: [ClientField], _ desk: Desk) async throws -> TestClient.Answer {
            try await desk.client.send(.put, "/api/desk/fields", ClientFields(fields: fields), token: desk.owner.token)
        }

        private func set(
            _ values: [(ClientField, String)], _ person: Client, _ desk: Desk
        ) async throws
            -> TestClient.Answer
        {
            try await desk.client.send(
                .put, "/api/clients/\(person.id)/fields",
                ClientFieldValues(fields: values.map { ClientFieldValue(field: $0.0.id ?? "", value: $0.1) }),
                token: desk.operatorSession.token)
        }

        private func person(_ id: String, _ desk: Desk) async throws -> Client {
            try await desk.client.send(.get, "/api/clients/\(id)", token: desk.operatorSession.token)
                .decode(Client.self)
        }

        private func text(_ answer: TestClient.Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

        private static let asked = [
            ClientField(label: "Telephone", kind: .text, isRequired: true), ClientField(label: "Born", kind: .date),
            ClientField(label: "Plan", kind: .choice, choices: ["Basic", "Gold"]),
        ]

        @Test("are asked when somebody registers, shown, filled into texts and files, and changed")
        func whole() async throws {
            try await serve { desk in
                let fields = try await define(Self.asked, desk).decode(ClientFields.self)
                #expect(fields.receipt != nil && fields.fields.map(\.label) == ["Telephone", "Born", "Plan"])
                let (phone, born) = (fields.fields[0], fields.fields[1])
                let hand = SyntheticHand(seed: 1)
                let without = try await desk.register(hand)
                #expect(without.status == 422 && text(without).contains("Telephone is required"))
                let captures = try Desk.texts(hand, 0..<6)
                let request = NewClient(
                    number: "AB123456", givenName: "Ada", familyName: "Lovelace", paper: "passport",
                    circumstances: .seen,
                    signatures: NewSignatures(references: Array(captures[0..<5]), check: captures[5]),
                    fields: [ClientFieldValue(field: phone.id ?? "", value: " \(Self.secret) ")])
                let made = try await desk.client.send(
                    .post, "/api/clients", request, token: desk.operatorSession.token
                ).decode(ClientAct.self).client
                #expect(made.fields == [ClientFieldValue(field: phone.id ?? "", value: Self.secret)])

                let written = """
                    {"blocks":[{"kind":"paragraph","runs":[{"field":"custom:\(phone.id ?? "")"},{"text":"|"},\
                    {"field":"custom:\(born.id ?? "")"},{"text":"|"}]}],"format":"countersign-text-2"}
                    """
                let document = try await desk.client.send(
                    .post, "/api/workspace", WorkspaceContent(name: "Plan", text: written),
                    token: desk.operatorSession.token
                ).decode(WorkspaceDocument.self)
                func page() async throws -> String {
                    let content = try await desk.rendering(document, made).content
                    return String(decoding: try #require(Base64.decode(Bytes(text: content), .url)), as: UTF8.self)
                }
                #expect(try await page().contains("<p>\(Self.secret)|—|</p>"))
                let act = try await set([(phone, "1 & 2"), (born, "1815-12-10")], made, desk).decode(ClientAct.self)
                #expect(act.client.fields?.map(\.value) == ["1 & 2", "1815-12-10"])
                #expect(try await page().contains("<p>1 &amp; 2|10 December 1815|</p>"))

                let file = text(
                    try await desk.client.send(
                        .get, "/api/clients?format=csv", token: desk.operatorSession.token))
                #expect(file.contains("last_signing,Telephone,Born,Plan\r\n") && file.contains(",1 & 2,1815-12-10,"))
                let list = try await desk.client.send(.get, "/api/clients", token: desk.operatorSession.token)
                #expect(!text(list).contains("1815-12-10"))
            }
        }

        @Test("what is removed is hidden, and there again with the field; a new name and paper keep it")
        func removed() async throws {
            try await serve { desk in
                let made = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                #expect(made.fields == [])
                let fields = try await define([Self.asked[1], Self.asked[2]], desk).decode(ClientFields.self).fields
                _ = try await set([(fields[0], "1815-12-10"), (fields[1], "Gold")], made, desk).decode(ClientAct.self)
                _ = try await desk.client.send(
                    .patch, "/api/clients/\(made.id)",
                    ClientChange(
                        givenName: "Augusta", familyName: "King", paper: "passport", reason: "married",
                        circumstances: .seen), token: desk.operatorSession.token
                ).decode(ClientAct.self)
                let left = try await define([fields[1]], desk).decode(ClientFields.self)
                #expect(left.removed?.map(\.id) == [fields[0].id])
                #expect(try await person(made.id, desk).fields?.map(\.value) == ["Gold"])
                // A change of what is shown leaves alone what is hidden.
                _ = try await set([(fields[1], "Basic")], made, desk).decode(ClientAct.self)
                #expect(try await set([(fields[0], "1815-12-11")], made, desk).status == 422)
                _ = try await define([fields[1], fields[0]], desk).decode(ClientFields.self)
                #expect(try await person(made.id, desk).fields?.map(\.value) == ["Basic", "1815-12-10"])
            }
        }

        @Test("values are sealed at rest, in no entry of the log, and gone with the client, hidden ones too")
        func kept() async throws {
            try await serve { desk in
                let fields = try await define([Self.asked[0]], desk).decode(ClientFields.self).fields
                let environment = desk.organisation.server.environment
                _ = try await define([], desk).decode(ClientFields.self)
                let made = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                _ = try await define(fields, desk).decode(ClientFields.self)
                _ = try await set([(fields[0], Self.secret)], made, desk).decode(ClientAct.self)
                _ = try await define([], desk).decode(ClientFields.self)
                let (row, entries) = try await environment.database.read { transaction in
                    (
                        try transaction.row("SELECT * FROM clients WHERE id = $1", [.text(made.id)]),
                        try transaction.rows("SELECT * FROM log_entries", [])
                    )
                }
                #expect(row != nil && !"\(String(describing: row))".contains("1234567"))
                #expect(entries.count > 4 && !"\(entries)".contains("1234567") && !"\(entries)".contains("Telephone"))
                _ = try await desk.client.send(
                    .post, "/api/clients/\(made.id)/erasure", Reason(reason: "asked to"), token: desk.owner.token
                ).decode(Acknowledgement.self)
                let sealed = try await environment.database.read { transaction in
                    try transaction.row("SELECT sealed FROM clients WHERE id = $1", [.text(made.id)])?.text("sealed")
                }
                #expect(sealed == "")
                #expect(try await set([], made, desk).status == 404)
            }
        }

        @Test("the history says who changed which fields, and no value; the log commits to that")
        func history() async throws {
            try await serve { desk in
                let made = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let fields = try await define([Self.asked[0], Self.asked[1]], desk).decode(ClientFields.self).fields
                _ = try await set([(fields[0], Self.secret), (fields[1], "1815-12-10")], made, desk)
                    .decode(ClientAct.self)
                _ = try await set([(fields[0], Self.secret)], made, desk).decode(ClientAct.self)
                let answer = try await desk.client.send(
                    .get, "/api/clients/\(made.id)/acts", token: desk.operatorSession.token)
                let acts = try answer.decode(Listing<ClientHistory.Act>.self).items
                #expect(acts.map(\.kind) == [.fieldsChanged, .fieldsChanged, .enrolled])
                #expect(acts.map(\.fields) == [["Born"], ["Telephone", "Born"], nil])
                #expect(acts.allSatisfy { $0.operatorID == desk.operatorSession.account.id })
                #expect(acts[0].paper.isEmpty && !acts[0].identified && acts[2].identified)
                #expect(!text(answer).contains("1234567") && !text(answer).contains("1815-12-10"))
                let environment = desk.organisation.server.environment
                let (stored, entries) = try await environment.database.read { transaction in
                    (
                        try ClientActListStore(transaction: transaction)
                            .page(client: made.id, .all, ListRequest()).rows,
                        try LogStore(transaction: transaction).list(account: made.id, limit: 10)
                    )
                }
                for (act, entry) in zip(stored, entries) {
                    let opened = try ClientHistoryService(environment: environment).open(act)
                    let digest = JSON.text(SHA256.hash(try opened.canonical()).base64URL)
                    #expect(try JSON.parse(Bytes(text: entry.record))["act"] == digest)
                    #expect(!act.sealed.contains("Telephone") && !entry.record.contains("Telephone"))
                }
                #expect(entries.map(\.type) == ["client.changed", "client.changed", "client.enrolled"])
                // Erasure takes the history with it.
                _ = try await desk.client.send(
                    .post, "/api/clients/\(made.id)/erasure", Reason(reason: "asked to"), token: desk.owner.token
                ).decode(Acknowledgement.self)
                let left = try await environment.database.read { transaction in
                    try ClientActListStore(transaction: transaction)
                        .page(client: made.id, .all, ListRequest()).rows
                }
                #expect(left.isEmpty)
            }
        }

        @Test("a row that was sealed before there were fields is read, and sealed again in the same form")
        func old() throws {
            let sealed = Bytes(text: #"{"number":"AB 1","paper":"passport","reason":""}"#)
            let details = try ClientDetails(sealed)
            #expect(details.number == "AB 1" && details.fields.isEmpty)
            #expect(try details.canonical() == sealed)
            #expect(throws: StoredValueError.self) { try ClientDetails(Bytes(text: #"{"number":"AB 1"}"#)) }
        }

        @Test("only the main administrator says what is asked, and nothing that cannot be asked")
        func refused() async throws {
            try await serve { desk in
                let body = ClientFields(fields: [Self.asked[0]])
                for token in [desk.operatorSession.token, desk.member.token] {
                    #expect(try await desk.client.send(.put, "/api/desk/fields", body, token: token).status == 403)
                }
                let known = try await define([Self.asked[0]], desk).decode(ClientFields.self).fields[0]
                var other = known
                other.kind = .number
                var unknown = known
                unknown.id = "0a"
                let ten = (0..<11).map { ClientField(label: "Field \($0)", kind: .text) }
                for (fields, words) in [
                    (ten, "at most 10"), ([other], "its kind cannot change"), ([unknown], "nobody knows its id"),
                    ([known, known], "it is there twice"), ([known, Self.asked[0]], "another field has this label"),
                    ([ClientField(label: " ", kind: .text)], "label"),
                    ([ClientField(label: String(repeating: "a", count: 101), kind: .text)], "1 to 100 bytes"),
                    ([ClientField(label: "a", kind: .choice)], "2 to 20 different choices"),
                    ([ClientField(label: "a", kind: .choice, choices: ["b", "b"])], "2 to 20 different choices"),
                    ([ClientField(label: "a", kind: .text, choices: ["b", "c"])], "only a choice has choices"),
                ] as [([ClientField], String)] {
                    let answer = try await define(fields, desk)
                    #expect(answer.status == 422 && text(answer).contains(words), "\(words): \(text(answer))")
                }
                let strange =
                    #"{"blocks":[{"kind":"paragraph","runs":[{"field":"custom:0a"}]}],"format":"countersign-text-2"}"#
                let named = try await desk.client.send(
                    .post, "/api/workspace", WorkspaceContent(name: "x", text: strange),
                    token: desk.operatorSession.token)
                #expect(named.status == 422 && text(named).contains("does not have"))
            }
        }

        @Test("a value is of its field's kind, and a refusal does not repeat it")
        func values() async throws {
            try await serve { desk in
                let made = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let fields = try await define(
                    [Self.asked[0], ClientField(label: "Size", kind: .number), Self.asked[1], Self.asked[2]], desk
                ).decode(ClientFields.self).fields
                let whole = zip(fields, ["1", "3,5", "2024-02-29", "Gold"]).map { ($0, $1) }
                let kept = try await self.set(whole, made, desk).decode(ClientAct.self).client
                #expect(kept.fields?.map(\.value) == ["1", "3.5", "2024-02-29", "Gold"])
                for (place, value) in [
                    (0, String(repeating: "x", count: 501)), (0, "a\u{202E}b"), (0, " "), (1, "much"),
                    (2, "2023-02-29"), (3, "Silver"),
                ] {
                    var bad = whole
                    bad[place].1 = value
                    let answer = try await self.set(bad, made, desk)
                    #expect(answer.status == 422 && text(answer).contains(fields[place].label), "\(text(answer))")
                    #expect(value == " " || !text(answer).contains(value))
                }
                #expect(try await self.set(whole + [whole[0]], made, desk).status == 422)
                #expect(try await person(made.id, desk).fields == kept.fields)
            }
        }
    }
}
