import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Requests for another device's word that are denied, replaced, given up, refused or forgotten.
@Suite("Handovers that come to nothing")
struct ApprovalHandoverEndTests {
    enum Moment: CaseIterable { case asked, claimed, agreed }

    @Test(
        "a denied request is answered no more, and an older device's word for it counts no more",
        arguments: Moment.allCases)
    func denied(moment: Moment) async throws {
        try await HandoverScene.serve { scene in
            // Any device can say no, with or without a key.
            let tablet = try await scene.client.addDevice(of: scene.person, scene.laptop)
            let (begun, new) = try await scene.asked()
            let word = try scene.word(new)
            if moment != .asked { #expect(try await scene.claim(begun.id).status == 200) }
            if moment == .agreed { #expect(try await scene.agree(begun.id, word).status == 200) }
            #expect(try await scene.deny(begun.id, as: tablet).decode(ApprovalHandover.self).state == .denied)
            #expect(try await scene.deny(begun.id).status == 200, "the same again")
            #expect(try await scene.list(scene.laptop) == [])
            let told = try #require(try await scene.own(begun.id))
            #expect(told.state == .denied && told.handover == nil)
            let given = try await scene.client.send(
                .delete, "/api/approvals/enrolments/\(begun.id)/handover", token: scene.phone.token)
            #expect(given.status == 200)
            for answer in [
                try await scene.claim(begun.id), try await scene.agree(begun.id, word),
                try await scene.ask(begun.id, new), try await scene.ask(begun.id, try TestApprover(begun, tablet)),
                try await scene.take(begun, new, word),
            ] { #expect(answer.errorName == "already_answered" && answer.status == 409) }
            #expect(try await scene.bank.enrolment(begun.id).state == .open)
            // The bank may begin again.
            #expect(try await scene.bank.begin("alice").state == .open)
        }
    }

    @Test("a denial keeps nobody out who has a recovery code")
    func code() async throws {
        try await HandoverScene.serve { scene in
            let made = try await scene.client.send(.post, "/api/approvals/recovery/codes", token: scene.laptop.token)
                .decode(ApprovalRecoveryCodes.self)
            scene.organisation.clock.advance(.seconds(Limits.approvalRecoveryWait))
            let laptop = try await scene.client.signIn(scene.person, device: scene.laptop.deviceID)
            let begun = try await scene.bank.begin("alice")
            let new = try TestApprover(begun, laptop)
            #expect(try await scene.ask(begun.id, new).status == 200)
            #expect(try await scene.deny(begun.id, as: laptop).status == 200)
            #expect(try await scene.client.take(begun, new).errorName == "already_answered")
            let offer = TakenApprovalOffer(message: new.message.base64URL, recoveryCode: made.codes[0])
            let taken = try await scene.client.send(
                .post, "/api/approvals/enrolments/\(begun.id)", offer, token: laptop.token)
            #expect(taken.status == 200)
        }
    }

    @Test("another device that asks instead is seen by the first, and gets no word that was meant for it")
    func replaced() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id).status == 200)
            let session = try await scene.client.addDevice(of: scene.person, scene.laptop)
            let other = try TestApprover(begun, session)
            #expect(try await scene.ask(begun.id, other).status == 200)
            #expect(try await scene.own(begun.id) == nil, "the first asks no more")
            #expect(try await scene.own(begun.id, session) == OwnApprovalHandover(state: .asked))
            let seen = try await scene.list(scene.laptop)
            #expect(seen.count == 1 && seen[0].state == .asked && seen[0].key == nil)
            // Not even after the person has compared: the older device has to look again.
            #expect(try await scene.agree(begun.id, scene.word(new)).errorName == "already_answered")
            #expect(try await scene.claim(begun.id).status == 200)
            #expect(try await scene.agree(begun.id, scene.word(new)).errorName == "invalid_signature")
        }
    }

    @Test("only the device that asks gives up, and then nothing waits")
    func givenUp() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            let path = "/api/approvals/enrolments/\(begun.id)/handover"
            #expect(
                try await scene.client.send(.delete, path, token: scene.laptop.token).errorName
                    == "unknown_challenge")
            #expect(try await scene.list(scene.laptop).count == 1)
            #expect(try await scene.client.send(.delete, path, token: scene.phone.token).status == 200)
            #expect(try await scene.list(scene.laptop) == [])
            #expect(try await scene.claim(begun.id).errorName == "unknown_challenge")
            #expect(try await scene.ask(begun.id, new).status == 200, "it may change its mind")
        }
    }

    @Test("keys that a device must not have, names out of form, and more than ten devices are refused")
    func refused() async throws {
        try await HandoverScene.serve { scene in
            let begun = try await scene.bank.begin("alice")
            let keys = ApprovalKeys(scene.organisation.server.environment.with(keys: [.approvalSecret]).keys)
            for key in [
                scene.older.key, scene.person.signing, try keys.signingKey(ofService: scene.bank.key.service.id),
            ] {
                let new = try TestApprover(begun, scene.phone, key: key)
                #expect(try await scene.ask(begun.id, new).errorName == "unsupported_key")
            }
            let key = try SigningKey().publicKey.x963.base64URL
            let path = "/api/approvals/enrolments/\(begun.id)/handover"
            for (name, key, error) in [
                ("", key, "malformed"), (String(repeating: "a", count: 101), key, "malformed"),
                ("phone\u{0}", key, "malformed"), ("phone\nlaptop", key, "malformed"),
                ("phone", "AAAA", "unsupported_key"), ("phone", "", "unsupported_key"),
            ] {
                let answer = try await scene.client.send(
                    .put, path, NewApprovalHandover(name: name, key: key), token: scene.phone.token)
                #expect(answer.errorName == error)
            }
            // Nobody could give a word.
            let first = try await scene.bank.begin("alice at work")
            #expect(
                try await scene.ask(first.id, try TestApprover(first, scene.phone)).errorName == "unknown_device")
            for number in 1..<10 {
                _ = try await scene.bank.enrol("alice", scene.laptop, name: "\(number)", by: scene.older)
            }
            let last = try await scene.bank.begin("alice")
            #expect(try await scene.ask(last.id, try TestApprover(last, scene.phone)).problem == "conflict")
        }
    }

    @Test("a device whose wallet was revoked asks no more")
    func revoked() async throws {
        try await HandoverScene.serve { scene in
            _ = try await scene.asked()
            let revoked = try await scene.client.send(
                .post, "/api/devices/\(scene.phone.deviceID)/revoke", Reason(reason: "lost"),
                token: scene.laptop.token)
            #expect(revoked.status == 200)
            #expect(try await scene.list(scene.laptop) == [])
        }
    }

    @Test("an account asks twenty times, and then once a minute")
    func rate() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            for _ in 1..<20 { #expect(try await scene.ask(begun.id, new).status == 200) }
            #expect(try await scene.ask(begun.id, new).problem == "too-many-requests")
            scene.organisation.clock.advance(.seconds(60))
            #expect(try await scene.ask(begun.id, new).status == 200)
        }
    }

    @Test("every device of the account hears of it at once, and every way of notices says it")
    func told() async throws {
        try await HandoverScene.serve { scene in
            let principal = try #require(
                await SessionService(environment: scene.organisation.server.environment)
                    .authenticate(token: scene.laptop.token))
            let stream = try scene.organisation.server.environment.events.subscribe(principal)
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id).status == 200)
            #expect(try await scene.agree(begun.id, scene.word(new)).status == 200)
            scene.organisation.server.environment.events.end(account: scene.laptop.account.id)
            var seen: [String] = []
            for await case .event(let event) in stream { seen.append("\(event.kind) \(event.id) \(event.state)") }
            #expect(seen == Array(repeating: "approval \(begun.id) handover", count: 3))
        }
        try await TestPhones.serve { (organisation, client, phones) async throws in
            let bank = try await client.bank()
            let person = try organisation.person("alice")
            let laptop = try await client.join(person)
            let phone = try await client.addDevice(of: person, laptop)
            _ = try await bank.enrol("alice", laptop, name: "laptop")
            let way = try await client.confirmedPhone("+4930901820", laptop, phones)
            _ = try await client.send(
                .put, "/api/notifications/ways/\(way.id)/content", NotificationContent(isOn: true), token: laptop.token)
            try await organisation.deliver()
            let begun = try await bank.begin("alice")
            let new = try TestApprover(begun, phone)
            let request = NewApprovalHandover(name: "phone", key: new.key.publicKey.x963.base64URL)
            _ = try await client.send(
                .put, "/api/approvals/enrolments/\(begun.id)/handover", request, token: phone.token)
            try await organisation.deliver()
            let words = "A device wants to answer Example Bank, and asks another one to agree."
            #expect(try #require(phones.messages.last).text.hasSuffix(words))
        }
    }

    @Test("erasing a person takes their request along, and another's stays")
    func erased() async throws {
        try await HandoverScene.serve { scene in
            let bob = try await scene.client.join(scene.organisation.person("bob"))
            _ = try await scene.bank.enrol("bob", bob)
            let theirs = try await scene.bank.begin("bob")
            #expect(try await scene.ask(theirs.id, try TestApprover(theirs, bob)).status == 200)
            _ = try await scene.asked()
            let erased = try await scene.client.send(
                .post, "/api/members/\(scene.laptop.account.id)/erase",
                Erasure(username: "alice", keepsDocuments: false), token: scene.bank.owner.token)
            #expect(erased.status == 200)
            let rows = try await scene.organisation.rows()["approval_offers"] ?? []
            #expect(!rows.joined().contains(.text(scene.laptop.account.id)))
            #expect(rows.count { $0.contains(.text("asked")) } == 1)
        }
    }
}
