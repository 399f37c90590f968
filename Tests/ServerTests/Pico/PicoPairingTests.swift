import CryptoProvider
import EllipticCurves
import Encodings
import HTTPTypes
import Interface
import Pico
import Storage
import Testing

@testable import Server

/// Wallets of an account: paired, named, removed.
@Suite("Pairing wallets", .timeLimit(.minutes(5)))
struct PicoPairingTests {
    @Test("a code says which server it is, and pairs one wallet")
    func code() async throws {
        try await PicoScene.serve { scene in
            let offer = try await scene.offer()
            let suite = SwiftCryptoSuite()
            guard case .pairing(let code) = try PicoCode.read(Bytes(text: offer.code), suite: suite) else {
                throw PicoError.malformed
            }
            #expect(String(decoding: code.name, as: UTF8.self) == "Test University")
            #expect(PicoCommitment(of: code.publicKey, suite: suite).hexadecimal == offer.fingerprint)
            #expect(String(decoding: code.address.text, as: UTF8.self).hasPrefix(TestOrganisation.url + "/channel/"))
            async let waiting = scene.wait(offer)
            #expect(try await TestPico(scene.client).pair(offer.code) == .accepted)
            #expect(try await waiting.decode(PicoPairingProgress.self).state == .paired)
            #expect(try await scene.wait(offer).problem == "not-found")
            // The next code is another one, of the same server.
            let again = try await scene.offer()
            #expect(again.fingerprint == offer.fingerprint && again.code != offer.code)
        }
    }

    @Test("the identity key comes from the server's secret alone, so it is the same after a start")
    func identity() async throws {
        let (one, other) = (try await TestOrganisation(), try await TestOrganisation())
        func commitment(_ organisation: TestOrganisation) throws -> PicoCommitment {
            let keys = organisation.server.environment.with(keys: [.picoSecret]).keys
            return try PicoIdentity(keys, suite: SwiftCryptoSuite()).commitment
        }
        #expect(try commitment(one) == commitment(one))
        #expect(try commitment(one) != commitment(other))
    }

    @Test("a key is paired once: not again, and not by another account")
    func once() async throws {
        try await PicoScene.serve { scene in
            let (pico, wallet) = try await scene.paired()
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            for session in [scene.session, eve] {
                let offer = try await scene.offer("again", as: session)
                async let waiting = scene.wait(offer, as: session)
                #expect(try await pico.pair(offer.code) == .rejected)
                for _ in 1..<Limits.picoAttempts { #expect(try await pico.pair(offer.code) == .rejected) }
                #expect(try await waiting.decode(PicoPairingProgress.self).state == .expired)
            }
            #expect(try await scene.list().map(\.id) == [wallet.id])
        }
    }

    @Test("another account, and another session of the same one, can neither wait for it, end it, rename nor remove")
    func stranger() async throws {
        try await PicoScene.serve { scene in
            let (_, wallet) = try await scene.paired()
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let phone = try await scene.client.addDevice(of: scene.person, scene.session)
            let offer = try await scene.offer()
            for session in [eve, phone] {
                #expect(try await scene.wait(offer, as: session).problem == "not-found")
                #expect(
                    try await scene.client.send(
                        .post, "/api/pico/pairings/\(offer.id)/end", [String: String](), token: session.token
                    ).problem == "not-found")
            }
            let path = "/api/pico/pairings/\(wallet.id)"
            #expect(
                try await scene.client.send(.patch, path, PicoWalletName(name: "mine"), token: eve.token).problem
                    == "not-found")
            #expect(try await scene.client.send(.delete, path, token: eve.token).problem == "not-found")
            #expect(try await scene.list(eve) == [])
            // The other session of the same account sees it, as not its own.
            #expect(try await scene.list(phone).map(\.own) == [false])
            #expect(
                try await scene.client.send(.patch, path, PicoWalletName(name: " old phone "), token: phone.token)
                    .decode(PicoWallet.self).name == "old phone")
        }
    }

    @Test("removing a wallet ends the sessions that it began, and no others")
    func removal() async throws {
        try await PicoScene.serve { scene in
            let (pico, wallet) = try await scene.paired("one")
            let (other, _) = try await scene.paired("two")
            let (session, kept) = (try await scene.signedIn(pico), try await scene.signedIn(other))
            #expect(
                try await scene.client.send(
                    .delete, "/api/pico/pairings/\(wallet.id)", token: scene.session.token
                ).status == 204)
            #expect(
                try await scene.client.send(.get, "/api/sessions/current", token: session.token).problem
                    == "unauthenticated")
            for token in [kept.token, scene.session.token] {
                #expect(try await scene.client.send(.get, "/api/sessions/current", token: token).status == 200)
            }
        }
    }

    @Test("a browser that subscribed in a session of a wallet gets nothing more once the wallet is removed")
    func subscriptions() async throws {
        try await PicoScene.serve { scene in
            let (pico, wallet) = try await scene.paired("one")
            let session = try await scene.signedIn(pico)
            let database = scene.organisation.server.environment.database
            let account = try await scene.client.send(.get, "/api/sessions/current", token: session.token)
                .decode(CurrentSession.self).account.id
            try await database.write { transaction in
                let store = NotificationWayStore(transaction: transaction)
                for (id, passkey) in [("of the wallet", String?.none), ("of a passkey", "p")] {
                    try store.insert(
                        NotificationWayStore.Stored(
                            id: id, account: account, kind: .push, address: "https://push.example/\(id)",
                            passkey: passkey, created: 1, confirmed: 1))
                }
            }
            _ = try await scene.client.send(.delete, "/api/pico/pairings/\(wallet.id)", token: scene.session.token)
            let left = try await database.read { try NotificationWayStore(transaction: $0).list(of: account) }
            #expect(left.map(\.id) == ["of a passkey"])
        }
    }

    @Test("a new code of a session ends its former one")
    func latest() async throws {
        try await PicoScene.serve { scene in
            let first = try await scene.offer()
            async let waiting = scene.wait(first)
            await scene.organisation.clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            let second = try await scene.offer()
            #expect(try await waiting.decode(PicoPairingProgress.self).state == .expired)
            async let next = scene.wait(second)
            #expect(try await TestPico(scene.client).pair(second.code) == .accepted)
            #expect(try await next.decode(PicoPairingProgress.self).state == .paired)
        }
    }

    @Test("an account has twenty wallets at most")
    func many() async throws {
        try await PicoScene.serve { scene in
            for number in 0..<Limits.picoWallets { _ = try await scene.paired("\(number)") }
            #expect(
                try await scene.client.send(
                    .post, "/api/pico/pairings", PicoWalletName(name: "more"), token: scene.session.token
                ).problem == "conflict")
            #expect(try await scene.list().count == Limits.picoWallets)
        }
    }
}
