import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// A thief of the database, who knows the texts and tries identity numbers.
    @Suite("Digests in a stolen database")
    struct StolenDigestTests {
        /// Every text of every row.
        private static func texts(_ organisation: TestOrganisation) async throws -> [String] {
            try await organisation.rows().values.flatMap { rows in
                rows.flatMap { row in row.compactMap { if case .text(let text) = $0 { text } else { nil } } }
            }
        }

        /// The numbers that the thief finds: the digest of the document filled in with each stands somewhere.
        private static func found(
            _ numbers: [String], in organisation: TestOrganisation, filledIn page: (String) -> Bytes
        ) async throws -> [String] {
            let texts = try await texts(organisation)
            return numbers.filter { number in
                let digest = SHA256.hash(page(number)).base64URL
                return texts.contains { $0.contains(digest) }
            }
        }

        @Test("no digest of a signed document tells the identity number, neither new rows nor those of 0.3")
        func numbers() async throws {
            let organisation = try await TestOrganisation()
            try await organisation.serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand, number: "AB123456").decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let rendering = try await desk.rendering(document, person)
                let shown = String(
                    decoding: try #require(Base64.decode(Bytes(text: rendering.content), .url)), as: UTF8.self)
                let page: @Sendable (String) -> Bytes = { Bytes(text: shown.replacing("AB123456", with: $0)) }
                let candidates = (123_400..<123_500).map { "AB\($0)" }
                let text = try Desk.texts(hand, 30..<31)[0]
                let signing = try await desk.sign(document, person, text).decode(Signing.self)
                #expect(try await Self.found(candidates, in: organisation, filledIn: page) == [])
                // As 0.3 stored it: then the thief finds it, so the attack works.
                let environment = organisation.server.environment
                let digest = try #require(signing.digest)
                #expect(digest == rendering.digest)
                try await environment.database.write { transaction in
                    let stored = try #require(try SigningStore(transaction: transaction).find(id: signing.id))
                    try DigestStore(transaction: transaction).replace(stored.digest, with: digest)
                    try transaction.execute("DELETE FROM desk_steps", [])
                }
                #expect(try await Self.found(candidates, in: organisation, filledIn: page) == ["AB123456"])
                // The next start makes it good, twice if need be, and the document is there still.
                let step = DigestStep(database: environment.database, box: TemplateBox(environment.keys))
                for _ in 0..<2 { try await step.run(now: 1) }
                #expect(try await Self.found(candidates, in: organisation, filledIn: page) == [])
                let signed = try await desk.client.send(
                    .get, "/api/signings/\(signing.id)/document", token: desk.owner.token)
                #expect(SHA256.hash(signed.body).base64URL == digest)
            }
        }

        @Test("a start that dies in the middle leaves each row whole, and the next one goes on")
        func interrupted() async throws {
            let organisation = try await TestOrganisation()
            let environment = organisation.server.environment
            let digests = (0..<DigestStep.batch + 5).map { SHA256.hash(Bytes(text: "\($0)")).base64URL }
            try await environment.database.write { transaction in
                let store = WorkspaceStore(transaction: transaction)
                for digest in digests {
                    try store.insert(.init(digest: digest, blob: "b\(digest)", mediaType: "text/html"), at: 1)
                }
                try transaction.execute("DELETE FROM desk_steps", [])
            }
            let step = DigestStep(database: environment.database, box: TemplateBox(environment.keys))
            func plain() async throws -> Int {
                try await environment.database.read { try DigestStore(transaction: $0).plain(limit: 1_000).count }
            }
            func isDone() async throws -> Bool {
                try await environment.database.read { try DigestStore(transaction: $0).isDone() }
            }
            try await step.run(now: 1, rounds: 1)
            #expect(try await plain() == 5)
            #expect(try await !isDone())
            try await step.run(now: 2)
            #expect(try await plain() == 0)
            #expect(try await isDone())
            let box = TemplateBox(environment.keys)
            let blobs = try await environment.database.read { transaction in
                try digests.map { digest in
                    try WorkspaceStore(transaction: transaction).signedFile(digest: box.index(ofDigest: digest))?.blob
                }
            }
            #expect(blobs == digests.map { "b\($0)" })
        }
    }
}
