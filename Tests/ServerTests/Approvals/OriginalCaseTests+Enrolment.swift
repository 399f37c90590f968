import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Those of the 25 attacks that are about enrolment.
extension OriginalCaseTests {
    /// Public keys of other kinds, SubjectPublicKeyInfo in base64.
    static let otherKeys = [
        // P-224
        """
        ME4wEAYHKoZIzj0CAQYFK4EEACEDOgAE4l1NaV4V6cZEEZTLhW0c3b8E5Bm6JD5/
        6+17u8lXS0LMF2yngKtT6uOMjTePXEjcuYZEfzAIF2s=
        """,
        // P-384
        """
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAETej9sHc0iAPDGAGdSNiDdpHFtQ/bRREt
        CiOer2fRGfTOCjkCe611xtmLCnIwiGUVgrzDEVcL6xxS9rJjeZWPj3aWqdipvNGj
        V2NlXNzouKts043qPevk/EUy6D64dRf5
        """,
        // secp256k1
        """
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEbpvrSyzNxoLSa+gt2uhMeqVRy9UCA44P
        8I//qDYne5XFHrlWk8cy2Uleaf/ILMqFkViww1XuGR02Pg3qK87lqw==
        """,
        // Ed25519
        """
        MCowBQYDK2VwAyEAfxiYUp31YmPxVvfgKcbCtwB1uR15hpdWpMZBIRysfC8=
        """,
        // RSA-2048
        """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvfGqJEyw81PoxpCSb047
        5NrqDUVZ6sNt1B3FG+ZxIWmkT9tz/Sf0CLlaODGCcaECKNS3XSfESUgVvw4v42Gd
        IQOMIrC8QHmex+Tgnh6mqZXOtvwjjGhMD8Zgtk7IJq6CEP7T9E5pmxHaB838n1MC
        Pqyp8s4HgtPjouh1yIwBdM0tvgGtvlFqeT1ubPwvuiPp1XiVtEMI2fULSMlgzmYu
        HB3hehixoMc398ZeEUIjNjXpVGb+yN4nmyIHDoSNUtkm3vilnW3CW+OlSdzqMkqV
        nKDDLJDQViubrlWKiMCXNbM0p0cAIojPNsZ4NLhXub61wSvtUwzKRxZiZURml1JP
        jQIDAQAB
        """,
        // RSA-1024
        """
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDp7CiFfYgyG8iBemSloeNsYAQB
        sk4X13VdQNr5EPrmUL4Up8W4IiC1BN7RwdFN2ZTCJAQV94V8yPJUEa9A/anPqOxz
        AThtcUz4tjdbpCXxdRhhdRFUb+dgKgShG+rYas+FWR0Jprgi7GCijDsBrCLuVR38
        NPcS7paKfNYJEwjB7wIDAQAB
        """,
    ]

    @Test("case 1: a valid enrolment and a valid reply count")
    func case1() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            let (asked, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            #expect(asked.state == .pending)
            #expect(try await !stage.bank.isSigned(challenge))
            let answer = try await client.callback(stage.app.reply(challenge))
            #expect(answer.status == 200 && answer.body == OriginalAnswer.success)
            #expect(answer.mediaType == "application/json")
            #expect(try await stage.bank.isSigned(challenge))
            let listed = try await client.devices(stage.wallet.session)
            #expect(listed.map(\.publicKey).contains(stage.app.key.publicKey.x963.base64URL))
            let logged = try await client.send(.get, "/api/log/mine", token: stage.wallet.session.token)
                .decode(Listing<LoggedEntry>.self)
            #expect(
                logged.items.map(\.type).prefix(3) == ["approval.given", "approval_device.enrolled", "approval.given"])
            _ = organisation
        }
    }

    @Test("case 10: a second device cannot answer a used enrolment")
    func case10() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            let first = try TestBank.challenge(begun.link)
            let proven = try await stage.bank.prove(begun, stage.app)
            #expect(try await client.callback(TestApp().reply(first)).errorName == "already_answered")
            let asked = try await stage.bank.askWallet(proven.id).decode(OriginalEnrolment.self)
            let code = Bytes(text: try #require(asked.code))
            let agreed = try await client.decide(try #require(asked.question), .allow(code: code), stage.wallet)
            #expect(agreed.status == 200)
            #expect(try await client.callback(TestApp().reply(first)).errorName == "already_answered")
            #expect(try await stage.apps(organisation).map(\.publicKey) == [stage.app.key.publicKey.x963.base64URL])
        }
    }

    @Test("case 11: a stranger who answers an open enrolment first is found out by the second link, and enrols nothing")
    func case11() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            let (first, stranger) = (try TestBank.challenge(begun.link), try TestApp())
            #expect(try await client.callback(stranger.reply(first)).isSuccess)
            // Alice's own app is told so at once.
            #expect(try await client.callback(stage.app.reply(first)).errorName == "already_answered")
            let taken = try await stage.bank.original(begun.id)
            // The stranger has not seen the second link, and cannot answer without its bytes.
            #expect(try await client.callback(stranger.reply(first)).isSuccess)
            #expect(try await stage.bank.original(begun.id).state == .taken)
            #expect(
                try await client.callback(stage.app.reply(TestBank.challenge(taken.link))).errorName == "unknown_device"
            )
            #expect(try await stage.bank.original(begun.id).state == .ended)
            #expect(try await stage.bank.askWallet(begun.id).errorName == "already_answered")
            #expect(try await stage.apps(organisation).isEmpty)
        }
    }

    @Test("case 12: an enrolment an hour after its time is refused")
    func case12() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            organisation.clock.advance(.seconds(Limits.approvalOfferTime + 3_600))
            #expect(try await client.callback(stage.app.reply(TestBank.challenge(begun.link))).errorName == "expired")
            #expect(try await stage.bank.original(begun.id).state == .expired)
        }
    }

    @Test("case 13: keys of other kinds enrol nothing", arguments: otherKeys)
    func case13(key: String) async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            let pem = "-----BEGIN PUBLIC KEY-----\n\(key)\n-----END PUBLIC KEY-----"
            let body = try stage.app.reply(TestBank.challenge(begun.link), [("publickey", .text(pem))])
            #expect(try await client.callback(body).errorName == "unsupported_key")
            #expect(try await stage.bank.original(begun.id).state == .open)
        }
    }

    @Test("case 14: the server's own keys enrol nothing, and its own signature answers nothing")
    func case14() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            let signed = try OriginalLink.parse(Bytes(text: try #require(begun.link)))
            let info = try await client.service(stage.bank.key.apiKey)
            let rsa = JSON.text(try #require(info.originalKey))
            let echo = JSON.string(Hex.encode(signed.signature))
            for (changes, error) in [
                ([("publickey", rsa)], "unsupported_key"), ([("publickey", rsa), ("signature", echo)], "malformed"),
            ] {
                #expect(try await client.callback(stage.app.reply(signed.challenge, changes)).errorName == error)
            }
            // The key that signs the service's questions of version 2, by somebody who has it.
            let keys = organisation.server.environment.with(keys: [.approvalSecret]).keys
            let own = try TestApp(try ApprovalKeys(keys).signingKey(ofService: info.id))
            #expect(try await client.callback(own.reply(signed.challenge)).errorName == "unsupported_key")
            // And the key of the wallet: nobody has one key for two purposes.
            let wallet = try TestApp(stage.wallet.key)
            #expect(try await client.callback(wallet.reply(signed.challenge)).errorName == "unsupported_key")
            #expect(try await stage.bank.original(begun.id).state == .open)
        }
    }

    @Test(
        "case 15: a path is no key",
        arguments: ["file:///etc/passwd", "/srv/keys/mykey.pub", "file://srv-keys/mykey.pub"])
    func case15(path: String) async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage(client)
            let begun = try await stage.bank.beginOriginal("alice")
            let body = try stage.app.reply(TestBank.challenge(begun.link), [("publickey", .text(path))])
            #expect(try await client.callback(body).errorName == "unsupported_key")
        }
    }

    @Test("case 20: one key is one device, whatever token it is enrolled with and wherever")
    func case20() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            var again = stage.app
            again.token = String(repeating: "cd", count: 32)
            try await stage.bank.enrol(again, for: "alice", by: stage.wallet)
            let shop = try await stage.bank.shop()
            try await shop.setOriginal()
            let there = try await shop.enrol("alice at the shop", stage.wallet.session)
            again.token = String(repeating: "ef", count: 32)
            try await shop.enrol(again, for: "alice at the shop", by: there)
            let uses = try await stage.apps(organisation)
            #expect(uses.map(\.service).sorted() == [stage.bank.key.service.id, shop.key.service.id].sorted())
            #expect(Set(uses.map(\.publicKey)).count == 1)
            let key = again.key.publicKey.x963.base64URL
            let token = try await organisation.server.environment.database.read {
                try OriginalDeviceStore(transaction: $0).token(ofKey: key)
            }
            #expect(token == again.token)
            // Another account cannot have it.
            let bob = try await stage.bank.enrol("bob", try await client.join(organisation.person("bob")))
            let begun = try await stage.bank.beginOriginal("bob")
            let refused = try await client.callback(again.reply(TestBank.challenge(begun.link)))
            #expect(refused.errorName == "unsupported_key")
            _ = bob
        }
    }

    @Test("case 24: a logged-in session enrols no device that the person's other one did not agree to")
    func case24() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage(client)
            let thief = try TestApp()
            let proven = try await stage.bank.prove(try await stage.bank.beginOriginal("alice"), thief)
            #expect(proven.state == .proven)
            #expect(try await stage.apps(organisation).isEmpty)
            let asked = try await stage.bank.askWallet(proven.id).decode(OriginalEnrolment.self)
            let question = try #require(asked.question)
            let code = try #require(asked.code)
            let wrong = Bytes(text: code == "000000" ? "000001" : "000000")
            #expect(try await client.decide(question, .allow(code: wrong), stage.wallet).errorName == "wrong_code")
            let denied = try await client.decide(question, .deny(.notMe, .request), stage.wallet)
            #expect(denied.status == 200)
            #expect(try await stage.bank.original(proven.id).state == .ended)
            #expect(try await stage.apps(organisation).isEmpty)
            // A user without a device has nobody who could agree.
            let request = NewOriginalEnrolment(user: "nobody", session: TestBank.session)
            #expect(try await stage.bank.send(.post, "authreq/enrolments", request).errorName == "no_device")
        }
    }
}
