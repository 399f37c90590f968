import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// What a client takes home by link and code.
    @Suite("Copies for clients")
    struct SigningCopyTests {
        private static let secret = Bytes(text: "Everything that Ada Lovelace has signed")
        private static let purpose = "countersign copy v1"

        /// A transaction, its link, and what is in the link's fragment.
        private struct Copy: Sendable {
            let desk: Desk
            let person: Client
            let signing: String
            let key: Bytes
            var link: SigningCopy

            var path: String { "/api/signings/\(signing)/copies" }
            var client: TestClient { desk.client }

            func open(_ code: String?) async throws -> TestClient.Answer {
                try await client.send(.post, "/api/shares/\(link.id)/open", ShareOpening(code: code ?? ""))
            }

            func stop(_ session: NewSession) async throws -> TestClient.Answer {
                try await client.send(.delete, "\(path)/\(link.id)", token: session.token)
            }

            func list(_ session: NewSession) async throws -> [SigningCopy] {
                try await client.send(.get, path, token: session.token).decode(Listing<SigningCopy>.self).items
            }

            func blobs() async throws -> Set<String> {
                Set(try await desk.organisation.server.environment.blobs.list().map(\.name))
            }
        }

        private static func request(_ key: Bytes, lifetime: Int64 = 7 * 86_400) throws -> NewSigningCopy {
            let sealed = try SecretBox(key: key).seal(secret, purpose: purpose).base64URL
            let check = SwiftCryptoSuite().sha256(Bytes(text: "countersign share key v1") + key).base64URL
            return NewSigningCopy(sealed: sealed, lifetime: lifetime, keyCheck: check)
        }

        /// A desk with a confirmed transaction and a link to its copy.
        private func withCopy(
            lifetime: Int64 = 7 * 86_400, _ body: @escaping @Sendable (Copy) async throws -> Void
        ) async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let signing = try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0]).decode(Signing.self)
                let key = Bytes(repeating: 9, count: 32)
                let path = "/api/signings/\(signing.id)/copies"
                let token = desk.operatorSession.token
                let early = try await client.send(.post, path, try Self.request(key), token: token)
                #expect(early.problem == "conflict", "nobody has confirmed it yet")
                _ = try await client.send(.post, "/api/signings/\(signing.id)/confirm", token: token)
                    .decode(Signing.self)
                let made = try await client.send(
                    .post, path, try Self.request(key, lifetime: lifetime), token: token
                ).decode(SigningCopy.self)
                try await body(Copy(desk: desk, person: person, signing: signing.id, key: key, link: made))
            }
        }

        @Test("opens three times with its code, and not a fourth time")
        func opening() async throws {
            try await withCopy { copy in
                for left in [2, 1, 0] {
                    let shown = try await copy.open(copy.link.code).decode(SharedPresentation.self)
                    #expect(shown.viewsLeft == left)
                    let sealed = try #require(Base64.decode(Bytes(text: shown.sealed), .url))
                    #expect(try SecretBox(key: copy.key).open(sealed, purpose: Self.purpose) == Self.secret)
                }
                #expect(try await copy.open(copy.link.code).problem == "gone")
                #expect(try await copy.list(copy.desk.operatorSession).map(\.views) == [3])
            }
        }

        @Test("ends after five wrong codes, for the right code too")
        func guessing() async throws {
            try await withCopy { copy in
                for _ in 0..<5 {
                    let answer = try await copy.open("AAAA-AAAA")
                    #expect(answer.problem == "wrong-code")
                }
                #expect(try await copy.open(copy.link.code).problem == "gone")
            }
        }

        @Test("ends with its time, and the hour's sweep removes what it showed")
        func expiry() async throws {
            try await withCopy(lifetime: 3_600) { copy in
                let before = try await copy.blobs()
                copy.desk.organisation.clock.advance(.seconds(3_600))
                #expect(try await copy.open(copy.link.code).problem == "gone")
                let environment = copy.desk.organisation.server.environment
                #expect(try await ShareService(environment: environment).endFinished() == 1)
                #expect(try await copy.blobs().count == before.count - 1)
            }
        }

        @Test("is stopped by its maker or the main administrator, and by no other operator, who sees it without code")
        func stopping() async throws {
            try await withCopy { copy in
                let other = try await copy.client.join(
                    copy.desk.organisation.person("desk2"),
                    invitation: try await copy.client.invite(.operator, token: copy.desk.owner.token))
                let seen = try await copy.list(other)
                #expect(seen.map(\.code) == [nil] && seen.map(\.isStoppable) == [false])
                #expect(try await copy.stop(other).problem == "not-found")
                #expect(
                    try await copy.client.send(.delete, "/api/shares/\(copy.link.id)", token: other.token).problem
                        == "not-found")
                #expect(try await copy.stop(copy.desk.member).problem == "forbidden")
                #expect(try await copy.open(copy.link.code).status == 200)
                let before = try await copy.blobs()
                #expect(try await copy.stop(copy.desk.operatorSession).status == 204)
                #expect(try await copy.open(copy.link.code).problem == "gone")
                #expect(try await copy.blobs().count == before.count - 1)

                let token = copy.desk.operatorSession.token
                let second = try await copy.client.send(.post, copy.path, Self.request(copy.key), token: token)
                    .decode(SigningCopy.self)
                var again = copy
                again.link = second
                #expect(try await again.stop(copy.desk.owner).status == 204)
                #expect(try await again.open(second.code).problem == "gone")
                // Of another transaction it is none.
                #expect(
                    try await copy.client.send(.delete, "/api/signings/none/copies/\(second.id)", token: token)
                        .problem == "not-found")
            }
        }

        @Test(
            "is made by those who take signatures, from what a page has encrypted, and shows among nobody's documents")
        func making() async throws {
            try await withCopy { copy in
                let request = try Self.request(copy.key)
                for session in [copy.desk.member, copy.desk.owner] {
                    #expect(
                        try await copy.client.send(.post, copy.path, request, token: session.token).problem
                            == "forbidden")
                }
                let token = copy.desk.operatorSession.token
                for change in [
                    NewSigningCopy(sealed: request.sealed, lifetime: 59, keyCheck: request.keyCheck),
                    NewSigningCopy(sealed: "AAAA", lifetime: 3_600, keyCheck: request.keyCheck),
                    NewSigningCopy(sealed: request.sealed, lifetime: 3_600, keyCheck: ""),
                ] {
                    #expect(
                        try await copy.client.send(.post, copy.path, change, token: token).problem == "invalid-member")
                }
                let shares = try await copy.client.send(.get, "/api/shares", token: token).decode(Listing<Share>.self)
                #expect(shares.items.isEmpty)
            }
        }

        @Test("is at the server as ciphertext that nothing there opens: neither key nor code is stored")
        func atRest() async throws {
            try await withCopy { copy in
                let environment = copy.desk.organisation.server.environment
                let row = try await environment.database.read { transaction in
                    try transaction.row(
                        "SELECT blob, code_hash, key_check, document FROM shares WHERE id = $1", [.text(copy.link.id)])
                }
                let found = try #require(row)
                let code = try #require(copy.link.code)
                let sealed = try #require(try await environment.blobs.read(try found.text("blob")))
                #expect(try found.text("code_hash") != code && found.optionalText("document") == nil)
                #expect(!String(decoding: sealed, as: UTF8.self).contains("Ada Lovelace"))
                // All that the server has, taken for the key.
                let suite = SwiftCryptoSuite()
                let check = try #require(Base64.decode(Bytes(text: try found.text("key_check")), .url))
                let guesses = [
                    check, suite.sha256(Bytes(text: code)), suite.sha256(Bytes(text: try found.text("code_hash"))),
                    suite.sha256(Bytes(text: copy.link.id)),
                ]
                for guess in guesses {
                    #expect(throws: SecretBoxError.self) {
                        try SecretBox(key: guess).open(sealed, purpose: Self.purpose)
                    }
                }
                // A presentation's page does not open a copy either.
                #expect(throws: SecretBoxError.self) {
                    try SecretBox(key: copy.key).open(sealed, purpose: "countersign share v1")
                }
            }
        }

        @Test("goes when the client is erased, row and ciphertext")
        func erasure() async throws {
            try await withCopy { copy in
                let environment = copy.desk.organisation.server.environment
                let blob = try await environment.database.read { transaction in
                    try transaction.row("SELECT blob FROM shares WHERE id = $1", [.text(copy.link.id)])?.text("blob")
                }
                let erased = try await copy.client.send(
                    .post, "/api/clients/\(copy.person.id)/erasure", Reason(reason: "asked for"),
                    token: copy.desk.owner.token)
                #expect(erased.status == 200)
                #expect(try await copy.open(copy.link.code).problem == "not-found")
                #expect(try await copy.list(copy.desk.owner).isEmpty)
                #expect(!(try await copy.blobs().contains(try #require(blob))))
                let more = try await copy.client.send(
                    .post, copy.path, Self.request(copy.key), token: copy.desk.operatorSession.token)
                #expect(more.problem == "gone")
            }
        }

        @Test("takes its row with it when retention removes the link")
        func retention() async throws {
            try await withCopy { copy in
                let rows = try await copy.desk.organisation.server.environment.database.write { transaction in
                    try transaction.execute("DELETE FROM shares WHERE id = $1", [.text(copy.link.id)])
                    return try transaction.row("SELECT COUNT(*) AS total FROM signing_copies", [])?.integer("total")
                }
                #expect(rows == 0)
            }
        }
    }
}
