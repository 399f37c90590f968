import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Emergency contacts who will not wait, and links that are guessed or played again.
@Suite("Contacts and links of vaults under attack")
struct VaultContactTests {
    @Test("before the time nothing of the slot is handed out, neither the salt; a stored slot begins again")
    func early() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let id = VaultScene.identifier()
            let slot = NewVaultSlot(kind: .contact, sealed: "CCCC", contact: bob.account, wait: 86_400)
            #expect(try await alice.send(.put, "slots/\(id)", slot).status == 200)
            let contacts = VaultContacts(environment: bob.environment)
            let compartments = VaultCompartments(environment: bob.environment, epochs: VaultEpochs(bob.environment))
            func own() async throws -> VaultContactSlot {
                try #require(try await contacts.list(bob.principal, ListRequest()).items.first)
            }
            func closed() async throws -> Bool {
                let slot = try await own()
                return slot.sealed == nil && slot.salt == nil
            }
            func mayRead() async -> Bool { (try? await compartments.find(alice.main, bob.principal)) != nil }
            // Time alone opens nothing.
            alice.clock.advance(.seconds(10 * 86_400))
            #expect(try await closed())
            #expect(await !mayRead())
            _ = try await contacts.ask(id, of: alice.account, bob.principal)
            alice.clock.advance(.seconds(86_399))
            #expect(try await closed())
            #expect(await !mayRead())
            // Asking again does not shorten the time, nor does it begin again.
            await #expect(throws: VaultError.asked) {
                _ = try await contacts.ask(id, of: alice.account, bob.principal)
            }
            alice.clock.advance(.seconds(1))
            let released = try await own()
            #expect(released.sealed == "CCCC" && released.salt == VaultScene.salt)
            #expect(await mayRead())
            // The owner says no, even now.
            _ = try await contacts.refuse(id, alice.principal)
            #expect(try await closed())
            #expect(await !mayRead())
        }
    }

    @Test("nobody but the contact asks, nobody but the owner says no, and a removed contact is none")
    func others() async throws {
        try await VaultScene.serveTwo { alice, bob in
            let eve = try await alice.client.join(alice.organisation.person("eve"))
            let id = VaultScene.identifier()
            let slot = NewVaultSlot(kind: .contact, sealed: "CCCC", contact: bob.account, wait: 86_400)
            #expect(try await alice.send(.put, "slots/\(id)", slot).status == 200)
            let ask = "/api/vault/contacts/\(alice.account)/\(id)/ask"
            #expect(try await alice.client.send(.post, ask, NoMembers(), token: eve.token).status == 404)
            #expect(
                try await alice.client.send(.get, "/api/vault/contacts", token: eve.token)
                    .decode(Listing<VaultContactSlot>.self).items.isEmpty)
            #expect(try await alice.client.send(.post, ask, NoMembers(), token: bob.token).status == 200)
            // The one who asks cannot say no for the owner, and not take it back either.
            #expect(try await bob.send(.delete, "slots/\(id)/asked").status == 404)
            #expect(try await bob.send(.delete, "slots/\(id)").status == 404)
            #expect(try await alice.send(.delete, "slots/\(id)").status == 200)
            alice.clock.advance(.seconds(40 * 86_400))
            let contacts = VaultContacts(environment: bob.environment)
            #expect(try await contacts.list(bob.principal, ListRequest()).items.isEmpty)
            let compartments = VaultCompartments(environment: bob.environment, epochs: VaultEpochs(bob.environment))
            await #expect(throws: VaultError.notFound) { _ = try await compartments.find(alice.main, bob.principal) }
        }
    }

    @Test("a link lives for 30 days at most, and only so many work at once; who stops one makes another")
    func linkLimits() async throws {
        try await VaultScene.serveTwo { alice, bob in
            func make(_ scene: VaultScene, lifetime: Int64 = 3_600) async throws -> TestClient.Answer {
                let link = NewVaultLink(
                    sealed: Bytes(repeating: 9, count: 100).base64URL, lifetime: lifetime, maximumViews: 2,
                    keyCheck: Bytes(repeating: 5, count: 32).base64URL)
                return try await scene.send(.post, "links", link)
            }
            for lifetime in [59, 2_592_001, 31_536_000] as [Int64] {
                let refused = try await make(alice, lifetime: lifetime)
                #expect(refused.status == 422 && refused.problem == "invalid-member", "\(lifetime)")
            }
            #expect(try await alice.blobs().isEmpty)
            let first = try await make(alice, lifetime: 2_592_000).decode(Share.self)
            // All but one of the others, and some that are over.
            let now = alice.environment.now()
            try await alice.environment.database.write { [account = alice.account] transaction in
                for number in 0..<(Limits.vaultLinks + 8) {
                    let isOver = number >= Limits.vaultLinks - 2
                    let share = Share(
                        id: "!\(number)", document: "", created: now, expires: isOver ? now : now + 60, views: 0,
                        maximumViews: 1, stopped: nil)
                    try ShareStore(transaction: transaction).insert(
                        ShareStore.Stored(share: share, account: account, codeHash: "", failures: 0, blob: "none"))
                    try VaultLinkStore(transaction: transaction).insert(
                        share: share.id, account: account, created: share.created)
                }
            }
            #expect(try await make(alice).status == 201)
            let refused = try await make(alice)
            #expect(refused.status == 409 && refused.errorName == "links" && refused.text.contains("Stop one"))
            #expect(try await make(bob).status == 201)
            #expect(try await alice.send(.delete, "links/\(first.id)").status == 204)
            #expect(try await make(alice).status == 201)
            #expect(try await make(alice).errorName == "links")
        }
    }

    @Test("a link is not guessed: five wrong codes end it, another key opens nothing, and its count is its count")
    func links() async throws {
        try await VaultScene.serveTwo { alice, _ in
            let check = Bytes(repeating: 5, count: 32).base64URL
            func make(views: Int, lifetime: Int64 = 3_600) async throws -> Share {
                try await alice.send(
                    .post, "links",
                    NewVaultLink(
                        sealed: Bytes(repeating: 9, count: 100).base64URL, lifetime: lifetime, maximumViews: views,
                        keyCheck: check)
                ).decode(Share.self)
            }
            func open(
                _ share: Share, _ code: String?, attempt: String? = nil, key: String? = nil
            ) async throws -> String {
                let answer = try await alice.client.send(
                    .post, "/api/shares/\(share.id)/open",
                    ShareOpening(code: code ?? "", keyCheck: key ?? check, attempt: attempt))
                return answer.status == 200 ? "ok" : answer.problem ?? ""
            }
            let guessed = try await make(views: 5)
            for _ in 0..<5 { #expect(try await open(guessed, "AAAA-AAAA") == "wrong-code") }
            #expect(try await open(guessed, guessed.code) == "gone")
            // Another key counts nothing.
            let share = try await make(views: 2)
            let other = Bytes(repeating: 6, count: 32).base64URL
            for _ in 0..<9 { #expect(try await open(share, share.code, key: other) == "conflict") }
            let (first, second) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
            #expect(try await open(share, share.code, attempt: first) == "ok")
            // The same attempt again is the same view; another one is the second and last.
            #expect(try await open(share, share.code, attempt: first) == "ok")
            #expect(try await open(share, share.code, attempt: second) == "ok")
            #expect(try await open(share, share.code, attempt: first) == "gone")
            // Given back at most three times, so that nobody opens it for ever.
            let returned = try await make(views: 1)
            for number in 0..<4 {
                let attempt = String(repeating: "\(number)", count: 32)
                #expect(try await open(returned, returned.code, attempt: attempt) == "ok")
                let back = try await alice.client.send(
                    .post, "/api/shares/\(returned.id)/return", ShareAttempt(attempt: attempt))
                #expect(back.status == 204)
            }
            #expect(try await open(returned, returned.code, attempt: first) == "gone")
            let late = try await make(views: 5, lifetime: 60)
            alice.clock.advance(.seconds(60))
            #expect(try await open(late, late.code) == "gone")
        }
    }
}
