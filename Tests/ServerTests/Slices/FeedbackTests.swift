import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("Feedback")
struct FeedbackTests {
    private static let path = "/api/feedback"

    @Test("reaches the administrators without a name unless its author wants one, and nobody else")
    func named() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let mary = try await test.join(organisation.person("mary"))
            func send(_ text: String, named: Bool, page: String? = "/wallet/vault") async throws -> TestClient.Answer {
                try await test.send(
                    .post, Self.path, NewFeedback(text: text, page: page, isNamed: named), token: mary.token)
            }
            #expect(try await send("  Larger letters,\n\tplease ", named: false).status == 204)
            #expect(try await send("Call me", named: true, page: nil).status == 204)
            #expect(try await test.send(.get, Self.path, token: mary.token).problem == "forbidden")
            #expect(try await test.send(.get, Self.path).problem == "unauthenticated")
            let all = try await test.send(.get, Self.path, token: owner.token).decode(Listing<Feedback>.self).items
                .sorted { $0.text < $1.text }
            // Of the time, the day alone is kept.
            #expect(all.allSatisfy { $0.created % 86_400 == 0 && $0.expires % 86_400 == 0 })
            #expect(all.map(\.text) == ["Call me", "Larger letters,\n\tplease"])
            #expect(all.map(\.username) == ["mary", nil] && all.map(\.page) == [nil, "/wallet/vault"])
            // Nothing in the row of the one without a name leads to anybody.
            let rows = try await organisation.rows()["feedback"] ?? []
            #expect(rows.count { $0.contains(.text(mary.account.id)) } == 1)
            #expect(try await test.send(.delete, "\(Self.path)/\(all[0].id)", token: mary.token).problem == "forbidden")
            #expect(try await test.send(.delete, "\(Self.path)/\(all[0].id)", token: owner.token).status == 204)
            #expect(
                try await test.send(.delete, "\(Self.path)/\(all[0].id)", token: owner.token).problem == "not-found")
        }
    }

    @Test("is short, readable, about a page that there is, not sent too often, and kept for half a year")
    func limits() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            func send(_ text: String, page: String? = nil) async throws -> String? {
                let feedback = NewFeedback(text: text, page: page, isNamed: false)
                return try await test.send(.post, Self.path, feedback, token: owner.token).problem
            }
            let longest = Limits.feedbackText.upperBound
            for (text, page) in [
                ("", nil), (" \n", nil), (String(repeating: "a", count: longest + 1), nil), ("a\u{1B}[2J", nil),
                ("a", "https://evil.example"), ("a", "/nowhere"),
            ] {
                organisation.clock.advance(.seconds(720))
                #expect(try await send(text, page: page) == "invalid-member", "\(text.prefix(9))")
            }
            organisation.clock.advance(.seconds(3_600))
            let session = try await test.join(organisation.person("mary"))
            func sendAgain() async throws -> String? {
                try await test.send(
                    .post, Self.path,
                    NewFeedback(text: String(repeating: "a", count: longest), page: nil, isNamed: false),
                    token: session.token
                ).problem
            }
            for _ in 0..<5 { #expect(try await sendAgain() == nil) }
            #expect(try await sendAgain() == "too-many-requests")
            let environment = organisation.server.environment
            func count() async throws -> Int64 {
                try await environment.database.read { try FeedbackStore(transaction: $0).count() }
            }
            #expect(try await count() == 5)
            let elapsed = organisation.clock.clock.now() % 86_400
            organisation.clock.advance(.seconds(Limits.feedbackTime - elapsed - 1))
            let retention = RetentionService(environment: environment, days: .init())
            try await retention.sweep()
            #expect(try await count() == 5)
            organisation.clock.advance(.seconds(1))
            try await retention.sweep()
            #expect(try await count() == 0)
        }
    }

    @Test("goes with the account that it names, and no more is taken when the box is full")
    func erased() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            _ = try await test.setUp(organisation.person("owner"))
            let mary = try await test.join(organisation.person("mary"))
            for isNamed in [true, false] {
                let feedback = NewFeedback(text: "a", page: nil, isNamed: isNamed)
                #expect(try await test.send(.post, Self.path, feedback, token: mary.token).status == 204)
            }
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                let store = FeedbackStore(transaction: transaction)
                for number in 2..<Limits.feedback {
                    try store.insert(
                        FeedbackStore.Stored(
                            id: "f\(number)", account: nil, page: nil, text: "a", created: 0, expires: 1 << 40))
                }
            }
            let full = try await test.send(
                .post, Self.path, NewFeedback(text: "a", page: nil, isNamed: false), token: mary.token)
            #expect(full.problem == "conflict")
            try await environment.database.write { transaction in
                try ErasureStore(transaction: transaction, slices: Slice.all).remove(
                    try #require(try AccountStore(transaction: transaction).find(id: mary.account.id)),
                    pseudonym: "(erased) x")
            }
            let left = try await environment.database.read { try FeedbackStore(transaction: $0).count() }
            #expect(left == Limits.feedback - 1)
        }
    }
}
