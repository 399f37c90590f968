import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What protects a person holds for the apps of version 1 too: freezing, saying no, the way back, and being told.
@Suite("Version 1: what protects people")
struct OriginalProtectionTests {
    @Test(
        "freezing, and a denial of a service or of everything, end what waits for an app",
        arguments: ["freeze", "service", "account"])
    func ended(by act: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let session = stage.wallet.session
            let question = try await stage.bank.ask(stage.bank.request("1"))
            let (_, waiting) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let ended =
                switch act {
                case "freeze": try await client.send(.put, "/api/approvals/freeze", token: session.token)
                default:
                    try await client.decide(
                        question.id, .deny(.notMe, act == "service" ? .service : .account), stage.wallet)
                }
            #expect(ended.status == 200)
            // What has ended stays so, also when the owner lets services ask again.
            let unfrozen = try await client.send(.delete, "/api/approvals/freeze", token: session.token)
            #expect(unfrozen.status == 200, "\(String(decoding: unfrozen.body, as: UTF8.self))")
            #expect(try await !client.callback(stage.app.reply(waiting)).isSuccess)
            #expect(try await !stage.bank.isSigned(waiting))
        }
    }

    @Test("a denial of one service ends nothing of another")
    func otherService() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let shop = try await stage.bank.shop()
            let wallet = try await shop.enrol("alice", stage.wallet.session)
            let (_, waiting) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let question = try await shop.ask(shop.request("1"))
            #expect(try await client.decide(question.id, .deny(.notMe, .service), wallet).status == 200)
            #expect(try await client.callback(stage.app.reply(waiting)).isSuccess)
            #expect(try await stage.bank.isSigned(waiting))
        }
    }

    @Test("a recovery ends the apps with the lost devices, and the log says so")
    func recovery() async throws {
        try await ApprovalRecoveryTests.withPerson { scene in
            try await scene.bank.setOriginal()
            let lost = try await scene.bank.enrol("alice", scene.session)
            let app = try TestApp()
            try await scene.bank.enrol(app, for: "alice", by: lost)
            let made = try await scene.makeCodes()
            try await scene.wait(made.from - scene.now)
            let (_, waiting) = try await scene.bank.askOriginal(scene.bank.originalRequest(lifetime: 3_600))
            let found = try await scene.enrol(code: made.codes[0])
            #expect(
                try await scene.client.devices(scene.session).map(\.publicKey)
                    == [found.key.publicKey.x963.base64URL])
            #expect(try await scene.client.callback(app.reply(waiting)).errorName == "unknown_device")
            #expect(
                try await scene.bank.send(.post, "authreq/challenges", scene.bank.originalRequest()).errorName
                    == "no_device")
            #expect(try await scene.logged().count { $0 == "approval_device.removed" } == 2)
        }
    }

    @Test("the owner is told of the question for an app, of the app, and of its removal")
    func told() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let stage = try await OriginalStage(client)
            let session = stage.wallet.session
            try await client.subscribe(session)
            let proven = try await stage.bank.prove(try await stage.bank.beginOriginal("alice"), stage.app)
            let asked = try await stage.bank.askWallet(proven.id).decode(OriginalEnrolment.self)
            #expect(try await organisation.outbox() == ["approval push"])
            let code = Bytes(text: try #require(asked.code))
            #expect(
                try await client.decide(try #require(asked.question), .allow(code: code), stage.wallet).status == 200)
            #expect(try await stage.bank.original(proven.id).state == .completed)
            #expect(try await organisation.outbox() == ["device push"])
            try await organisation.deliver()
            let app = try #require(try await client.devices(session).last)
            #expect(
                try await client.send(.delete, "/api/approvals/devices/\(app.id)", token: session.token).status == 200)
            #expect(try await organisation.outbox() == ["device push"])
        }
    }
}
