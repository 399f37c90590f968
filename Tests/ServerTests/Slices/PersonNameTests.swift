import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Names of people: given at sign-up, changed until checked, told apart from others with the same.
@Suite("Names of people")
struct PersonNameTests {
    @Test(
        "a whole name reads as its writing does",
        arguments: [
            (PersonName(givenName: "Ada Maria", familyName: "Łucja"), "Ada Maria Łucja"),
            (PersonName(givenName: "", familyName: "Suharto"), "Suharto"),
            (PersonName(givenName: "Suharto", familyName: ""), "Suharto"),
            (PersonName(givenName: "花子", familyName: "山田"), "山田花子"),
            (PersonName(givenName: "길동", familyName: "홍"), "홍길동"),
            (PersonName(givenName: "Hanako", familyName: "山田"), "Hanako 山田"),
            (PersonName(givenName: "ليلى", familyName: "الحسن"), "ليلى الحسن"),
        ])
    func whole(_ name: PersonName, _ expected: String) {
        #expect(name.whole == expected)
    }

    @Test("parts are trimmed, composed, and at most eighty characters of visible text")
    func rules() throws {
        let accepted = try AccountRules.name(PersonName(givenName: " Zoe\u{308} ", familyName: "  "))
        #expect(accepted == PersonName(givenName: "Zoë", familyName: ""))
        // Eighty letters with a vowel sign each, and a letter that Persian keeps apart from the next.
        let arabic = String(repeating: "بَ", count: 80)
        #expect(try AccountRules.name(PersonName(givenName: "", familyName: arabic)).familyName.count == 80)
        #expect(try AccountRules.name(PersonName(givenName: "می\u{200C}نا", familyName: "")).givenName.count > 3)
        for refused in [
            PersonName(givenName: "", familyName: " "),
            PersonName(givenName: String(repeating: "x", count: 81), familyName: ""),
            PersonName(givenName: "Ada\u{202E}", familyName: "x"), PersonName(givenName: "Ada", familyName: "a\nb"),
            // Eighty letters as people count them, with two marks on each: more than 160 in all.
            PersonName(givenName: "", familyName: String(repeating: "ب\u{64E}\u{651}", count: 80)),
            // One letter under a thousand accents.
            PersonName(givenName: "a" + String(repeating: "\u{301}", count: 1_000), familyName: ""),
        ] {
            #expect(throws: AccountError.self, "\(refused)") { try AccountRules.name(refused) }
        }
    }

    @Test("what somebody is called at sign-up sorts and finds them, until the name is changed")
    func signUp() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            // Three of one name, and one whose given name comes first in the alphabet.
            var sessions: [NewSession] = []
            for (username, given, family) in [
                ("m-z1", "Mary", "Smith"), ("m-z2", "Mary", "Smith"), ("m-z3", "Mary", "Smith"),
                ("m-z4", "Adam", "Zorn"),
            ] {
                var request = try organisation.person(username).signUp()
                request.name = nil
                request.parts = PersonName(givenName: given, familyName: family)
                sessions.append(try await client.send(.post, "/api/accounts", request).decode(NewSession.self))
            }
            #expect(sessions[0].account.name == "Mary Smith" && sessions[0].account.parts?.familyName == "Smith")
            func listed(_ query: String) async throws -> [Account] {
                try await ListTests.page(client, query, owner.token).items
            }
            let smiths = try await listed("q=smith&sort=name")
            #expect(Set(smiths.map(\.username)) == ["m-z1", "m-z2", "m-z3"])
            let members = try await listed("sort=name&show=unverified")
            #expect(members.map(\.username).last == "m-z4", "by family name")
            let renamed = try await client.send(
                .patch, "/api/account", AccountRename(parts: PersonName(givenName: "Mary", familyName: "Abel")),
                token: sessions[2].token
            ).decode(Account.self)
            #expect(renamed.name == "Mary Abel" && renamed.parts?.familyName == "Abel")
            #expect(try await listed("sort=name&show=unverified").map(\.username).first == "m-z3")
            #expect(try await listed("q=smith").count == 2)
            for body in [AccountRename(parts: PersonName(givenName: "", familyName: "")), AccountRename(name: "")] {
                let answer = try await client.send(.patch, "/api/account", body, token: sessions[0].token)
                #expect(answer.problem == "invalid-member")
            }
        }
    }

    @Test("an erased person's names are gone, in their parts too")
    func erased() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("ada"))
            let database = organisation.server.environment.database
            try await database.write { transaction in
                try AccountStore(transaction: transaction).rename(
                    id: session.account.id, to: "Ada Byron", parts: PersonName(givenName: "Ada", familyName: "Byron"))
                try ErasureStore(transaction: transaction, slices: Slice.all).remove(
                    session.account, pseudonym: "(1)")
            }
            let rows = try await database.read {
                try $0.rows("SELECT name, given_name, family_name FROM accounts").map {
                    try [$0.text("name"), $0.text("given_name"), $0.text("family_name")]
                }
            }
            #expect(!rows.joined().contains { $0.contains("Ada") || $0.contains("Byron") })
        }
    }
}
