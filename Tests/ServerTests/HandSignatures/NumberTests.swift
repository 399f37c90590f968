import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What finds an identity number.
@Suite("The key of an identity number")
struct NumberKeyTests {
    @Test(
        "is the same for everything that a person would call the same number",
        arguments: [
            ("AB123456", "AB123456"), ("ab-123 456", "AB123456"), (" aB.123/456 ", "AB123456"),
            ("AB\u{200B}123456", "AB123456"), ("ＡＢ１２３４５６", "AB123456"), ("AB①②③456", "AB123456"),
            // Digits of other scripts: Arabic, Persian, Devanagari, mathematical, Chakma beyond 16 bits.
            ("١٢٣٤٥٦", "123456"), ("۱۲۳۴۵۶", "123456"), ("१२३४५६", "123456"), ("𝟙𝟚𝟛𝟜𝟝𝟞", "123456"),
            ("\u{11137}\u{11138}", "12"),
            // Letters of other scripts, capital and small, and marks.
            ("АВ123456", "AB123456"), ("ав123456", "AB123456"), ("ΑΒ123456", "AB123456"), ("аb123456", "AB123456"),
            ("ᎪᏴ123456", "AB123456"), ("Á\u{308}B123456", "AB123456"), ("ﬁ1", "FI1"), ("ſ1", "S1"), ("ı1", "I1"),
            // Zeros in front say nothing, those within do.
            ("000123", "123"), ("0", "0"), ("000", "0"), ("٠٠12", "12"), ("1002", "1002"), ("A0012", "A0012"),
            // Letters that look like no Latin one stay as they are.
            ("Ж12", "Ж12"), ("二12", "二12"), ("-", ""), ("", ""),
        ])
    func key(text: String, key: String) {
        #expect(IdentityNumber.key(text) == key)
        #expect(IdentityNumber.key(IdentityNumber.key(text)) == IdentityNumber.key(text))
    }

    @Test("keeps different numbers apart", arguments: [("O1", "01"), ("I1", "11"), ("12", "120"), ("AB1", "A1")])
    func apart(one: String, other: String) {
        #expect(IdentityNumber.key(one) != IdentityNumber.key(other))
    }
}

extension DeskTests {
    /// Identity numbers over HTTP and in the tables.
    @Suite("Identity numbers")
    struct NumberTests {
        private func lookup(_ desk: Desk, _ number: String) async throws -> TestClient.Answer {
            try await desk.client.send(
                .post, "/api/clients/lookup", ClientNumber(number: number), token: desk.operatorSession.token)
        }

        @Test(
            "written in another script, with other digits or with zeros in front it is the same client's; kept as written"
        )
        func otherScripts() async throws {
            try await DeskTests.atDesk { desk in
                let written = "ab-120 456"
                let id = try await desk.register(SyntheticHand(seed: 1), number: written).decode(ClientAct.self).client
                    .id
                for same in ["АВ120456", "AB١٢٠٤٥٦", "00ab120456", "ΑΒ 120456"] {
                    #expect(
                        try await desk.register(SyntheticHand(seed: 2), number: same).problem == "conflict", "\(same)")
                    let found = try await lookup(desk, same).decode(Client.self)
                    #expect(found.id == id && found.number == written)
                }
                #expect(try await lookup(desk, "AB120457").problem == "not-found")
            }
        }

        @Test("clients of an earlier version are found by the new rules; of two with one number the first")
        func renewal() async throws {
            try await DeskTests.atDesk { desk in
                let environment = desk.organisation.server.environment
                let first = try await desk.register(SyntheticHand(seed: 1), number: "0012").decode(ClientAct.self)
                    .client
                let second = try await desk.register(SyntheticHand(seed: 2), number: "77").decode(ClientAct.self).client
                let third = try await desk.register(SyntheticHand(seed: 3), number: "78").decode(ClientAct.self).client
                let box = TemplateBox(environment.keys)
                try await environment.database.write { transaction in
                    // As the version before left them: two numbers that only its own rules told apart, and a damaged row.
                    let store = ClientStore(transaction: transaction)
                    var twin = try #require(try store.find(id: second.id))
                    twin.sealed = try box.sealText(
                        Array(#"{"number":"12","paper":"passport","reason":""}"#.utf8), .clientDetails, of: second.id)
                    try store.update(twin)
                    try transaction.execute(
                        "UPDATE clients SET created = created + 1 WHERE id = $1", [.text(second.id)])
                    try transaction.execute("UPDATE clients SET sealed = 'x' WHERE id = $1", [.text(third.id)])
                    for id in [first.id, second.id, third.id] {
                        try transaction.execute(
                            "UPDATE clients SET number_hash = $1, number_form = 1 WHERE id = $2",
                            [.text("old \(id)"), .text(id)])
                    }
                }
                #expect(try await lookup(desk, "12").problem == "not-found")
                let index = NumberIndex(environment: environment)
                #expect(try await index.renew() == [NumberIndex.Twin(id: second.id, first: first.id)])
                #expect(try await lookup(desk, "12").decode(Client.self).id == first.id)
                #expect(try await index.renew() == [])
            }
        }
    }
}
