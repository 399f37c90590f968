import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// How somebody gets back in who has lost every device, and how thieves do not.
@Suite("The way back to services without a device")
struct ApprovalRecoveryTests {
    @Test("a recovery code stands for a device's word, once, three days after it was made, and the lost devices end")
    func codes() async throws {
        try await Self.withPerson { scene in
            let lost = try await scene.bank.enrol("alice", scene.session)
            let made = try await scene.makeCodes()
            #expect(made.codes.count == 10 && Set(made.codes).count == 10)
            #expect(
                made.codes.allSatisfy { $0.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}/) != nil })
            let early = try await scene.take(code: made.codes[0])
            #expect(early.errorName == "too_early" && early.status == 409)
            try await scene.wait(made.from - scene.now)
            #expect(try await scene.take().errorName == "unknown_device")
            #expect(try await scene.take(code: "0000-0000-0000").problem == "wrong-code")
            #expect(try await scene.take(code: "not a code!").problem == "wrong-code")
            // As a person types it.
            let typed = made.codes[0].lowercased().replacing("-", with: " ")
            let found = try await scene.enrol(code: typed)
            #expect(
                try await scene.client.devices(scene.session).map(\.publicKey) == [found.key.publicKey.x963.base64URL])
            #expect(try await scene.take(code: made.codes[0]).problem == "wrong-code")
            #expect(try await scene.recovery().codes == 9)
            // What was lost answers no more; what came does.
            let asked = try await scene.bank.ask(scene.bank.request("1"))
            for (approver, name) in [(lost, "unknown_device"), (found, nil)] {
                let challenge = try await scene.client.fetch(asked.id, found)
                let signature = try approver.key.sign(
                    challenge.bytesToSign(.allow(code: nil), suite: SwiftCryptoSuite()))
                let answer = ApprovalAnswer(
                    to: challenge, .allow(code: nil), key: approver.key.publicKey, signature: signature,
                    suite: SwiftCryptoSuite())
                let answered = try await scene.client.send(ApprovalMessage(message: answer.encoded().base64URL))
                #expect(answered.errorName == name)
            }
            #expect(try await scene.bank.find(asked.id).state == .approved)
            #expect(
                try await scene.logged().prefix(4) == [
                    "approval.given", "approval_device.enrolled", "approval_device.removed",
                    "approval_recovery.codes_made",
                ])
        }
    }

    @Test("codes are their owner's alone, end when others are made, and the database has none of them")
    func secret() async throws {
        try await Self.withPerson { scene in
            _ = try await scene.bank.enrol("alice", scene.session)
            let old = try await scene.makeCodes()
            let eve = try scene.organisation.person("eve")
            let stranger = try await scene.client.join(eve)
            let made = try await scene.makeCodes()
            let theirs = try await scene.client.send(.post, "/api/approvals/recovery/codes", token: stranger.token)
                .decode(ApprovalRecoveryCodes.self)
            let stored = try await scene.organisation.rows()["approval_recovery_codes"] ?? []
            let texts = stored.joined().compactMap { value -> String? in
                guard case .text(let text) = value else { return nil }
                return text
            }
            #expect(texts.count == 40 && Set(texts).isDisjoint(with: made.codes + old.codes + theirs.codes))
            try await scene.wait(Limits.approvalRecoveryWait)
            #expect(try await scene.take(code: old.codes[0]).problem == "wrong-code")
            #expect(try await scene.take(code: theirs.codes[0]).problem == "wrong-code")
            // Nor does somebody else's code make them the bank's user.
            let again = try await scene.client.signIn(eve, device: try #require(stranger.device).id)
            let begun = try await scene.bank.begin("alice")
            let offer = TakenApprovalOffer(
                message: try TestApprover(begun, again).message.base64URL, recoveryCode: theirs.codes[0])
            let answer = try await scene.client.send(
                .post, "/api/approvals/enrolments/\(begun.id)", offer, token: again.token)
            #expect(answer.errorName == "unknown_device")
            #expect(try await scene.take(code: made.codes[3]).status == 200)
        }
    }

    @Test("without a code: three days of waiting, then a device is enrolled within a day, and not after it")
    func waiting() async throws {
        try await Self.withPerson { scene in
            _ = try await scene.bank.enrol("alice", scene.session)
            let wait = try #require(try await scene.begin().decode(ApprovalRecovery.self).wait)
            #expect(wait.opens == scene.now + 3 * 86_400 && wait.closes == wait.opens + 86_400)
            #expect(try await scene.begin().problem == "conflict")
            try await scene.wait(wait.opens - scene.now - 1)
            #expect(try await scene.take().errorName == "unknown_device")
            scene.organisation.clock.advance(.seconds(1))
            let found = try await scene.enrol()
            #expect(
                try await scene.client.devices(scene.session).map(\.publicKey) == [found.key.publicKey.x963.base64URL])
            try await scene.wait(wait.closes - scene.now)
            #expect(try await scene.take().status == 200)
            scene.organisation.clock.advance(.seconds(1))
            #expect(try await scene.take().errorName == "unknown_device")
            #expect(try await scene.recovery().wait == nil)
        }
    }

    @Test("any device of the account ends the waiting, also after the new device has taken the offer")
    func veto() async throws {
        try await Self.withPerson { scene in
            _ = try await scene.bank.enrol("alice", scene.session)
            #expect(try await scene.begin().status == 201)
            #expect(try await scene.end().decode(ApprovalRecovery.self).wait == nil)
            #expect(try await scene.end().problem == "not-found")
            try await scene.wait(Limits.approvalRecoveryWait)
            #expect(try await scene.take().errorName == "unknown_device")
            #expect(try await scene.begin().status == 201)
            try await scene.wait(Limits.approvalRecoveryWait)
            let begun = try await scene.bank.begin("alice")
            let approver = try TestApprover(begun, scene.session)
            #expect(try await scene.client.take(begun, approver).status == 200)
            #expect(try await scene.end().status == 200)
            let code = String(decoding: approver.code, as: UTF8.self)
            #expect(try await scene.bank.confirm(begun.id, code).errorName == "unknown_device")
            #expect(try await scene.client.devices(scene.session).map(\.name) == ["phone"])
            let logged = try await scene.logged()
            #expect(logged.filter { $0 == "approval_recovery.begun" }.count == 2)
            #expect(logged.filter { $0 == "approval_recovery.ended" }.count == 2)
        }
    }

    @Test("another device of the account hears of it at once and by every way, and ends the waiting")
    func told() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let scene = try await Scene(organisation, client)
            let tablet = try await client.addDevice(of: scene.person, scene.session)
            try await client.subscribe(scene.session)
            try await organisation.deliver()
            let environment = organisation.server.environment
            let principal = try #require(
                await SessionService(environment: environment).authenticate(token: tablet.token))
            let stream = try environment.events.subscribe(principal)
            func isTold() async throws {
                #expect(try await organisation.outbox() == ["protection push"])
                try await organisation.deliver()
            }
            _ = try await scene.makeCodes()
            try await isTold()
            #expect(try await scene.begin().status == 201)
            try await isTold()
            let ended = try await client.send(.delete, "/api/approvals/recovery", token: tablet.token)
            #expect(try ended.decode(ApprovalRecovery.self).wait == nil)
            try await isTold()
            environment.events.end(session: principal.session)
            var events: [LiveEvent] = []
            for await case .event(let event) in stream where event.kind == "approval_recovery" { events.append(event) }
            #expect(events.map(\.state) == ["codes", "begun", "ended"])
        }
    }

    @Test("removing every device opens no door: not for a thief with the account, and not for another account")
    func removed() async throws {
        try await Self.withPerson { scene in
            _ = try await scene.bank.enrol("alice", scene.session)
            let device = try #require(try await scene.client.devices(scene.session).first)
            let path = "/api/approvals/devices/\(device.id)"
            #expect(try await scene.client.send(.delete, path, token: scene.session.token).status == 200)
            #expect(try await scene.take().errorName == "unknown_device")
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let begun = try await scene.bank.begin("alice")
            #expect(try await scene.client.take(begun, try TestApprover(begun, eve)).errorName == "unknown_device")
            // What somebody makes today works in three days only.
            #expect(try await scene.take(code: try await scene.makeCodes().codes[0]).errorName == "too_early")
        }
    }

    @Test("making codes and beginning to wait need a confirmation, and only ending does not")
    func confirmation() async throws {
        try await Self.withPerson { scene in
            #expect(try await scene.begin().status == 201)
            scene.organisation.clock.advance(.seconds(Limits.confirmationTime))
            let codes = try await scene.client.send(
                .post, "/api/approvals/recovery/codes", token: scene.session.token)
            #expect(codes.problem == "confirmation-required")
            #expect(try await scene.begin().problem == "confirmation-required")
            #expect(try await scene.end().status == 200)
        }
    }

    /// A service, and a member who uses it.
    final class Scene: @unchecked Sendable {
        let organisation: TestOrganisation
        let client: TestClient
        let bank: TestBank
        let person: TestPerson
        /// As they are signed in now; only one task uses it.
        var session: NewSession
        var now: Int64 { organisation.clock.clock.now() }

        init(_ organisation: TestOrganisation, _ client: TestClient) async throws {
            self.organisation = organisation
            self.client = client
            bank = try await client.bank()
            person = try organisation.person("alice")
            session = try await client.join(person)
        }

        /// Lets time pass, after which people have to sign in again.
        func wait(_ seconds: Int64) async throws {
            organisation.clock.advance(.seconds(seconds))
            session = try await client.signIn(person, device: try #require(session.device).id)
        }

        func send(_ method: HTTPRequest.Method, _ path: String) async throws -> TestClient.Answer {
            try await client.send(method, "/api/approvals/recovery\(path)", token: session.token)
        }
        func begin() async throws -> TestClient.Answer { try await send(.post, "") }
        func end() async throws -> TestClient.Answer { try await send(.delete, "") }
        func recovery() async throws -> ApprovalRecovery {
            try await send(.get, "").decode(ApprovalRecovery.self)
        }
        func makeCodes() async throws -> ApprovalRecoveryCodes {
            try await send(.post, "/codes").decode(ApprovalRecoveryCodes.self)
        }

        /// A new device takes a new offer.
        func take(code: String? = nil) async throws -> TestClient.Answer {
            let begun = try await bank.begin("alice")
            return try await take(begun, try TestApprover(begun, session, name: "new phone"), code)
        }

        /// A new device is enrolled.
        func enrol(code: String? = nil) async throws -> TestApprover {
            let begun = try await bank.begin("alice")
            let approver = try TestApprover(begun, session, name: "new phone")
            #expect(try await take(begun, approver, code).status == 200)
            let digits = String(decoding: approver.code, as: UTF8.self)
            #expect(try await bank.confirm(begun.id, digits).status == 200)
            return approver
        }

        func logged() async throws -> [String] {
            try await client.send(.get, "/api/log/mine", token: session.token)
                .decode(Listing<LoggedEntry>.self).items.map(\.type)
        }

        private func take(
            _ begun: ApprovalEnrolment, _ approver: TestApprover, _ code: String?
        ) async throws -> TestClient.Answer {
            try await client.send(
                .post, "/api/approvals/enrolments/\(begun.id)",
                TakenApprovalOffer(message: approver.message.base64URL, recoveryCode: code), token: session.token)
        }
    }

    static func withPerson(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in try await body(try await Scene(organisation, client)) }
    }
}
