import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// How a new device gets the word of an older one through the server, and how others do not.
@Suite("Handover to a new device")
struct ApprovalHandoverTests {
    @Test("a new device asks, both show the digits of what both sign, the older one agrees, and the new one answers")
    func whole() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            // The one that asks does not ask itself.
            #expect(try await scene.list(scene.phone) == [])
            let waiting = try #require(try await scene.list(scene.laptop).first)
            #expect(waiting.id == begun.id && waiting.domain == "bank.example" && waiting.name == "phone")
            #expect(waiting.state == .asked && waiting.devices == ["laptop"] && waiting.expires == begun.expires)
            #expect(waiting.key == nil && waiting.by == nil, "nobody looks at it yet")
            #expect(waiting.own == [scene.older.key.publicKey.x963.base64URL])
            #expect(try await scene.own(begun.id) == OwnApprovalHandover(state: .asked))

            let claimed = try await scene.claim(begun.id).decode(ApprovalHandover.self)
            let by = scene.older.key.publicKey.x963.base64URL
            #expect(claimed.state == .claimed && claimed.by == by)
            #expect(claimed.key == new.key.publicKey.x963.base64URL)
            #expect(
                try await scene.own(begun.id) == OwnApprovalHandover(state: .claimed, by: by, device: "laptop"))
            // The same look again: the page was opened a second time.
            #expect(try await scene.claim(begun.id).status == 200)
            // Nothing counts before it was signed.
            #expect(try await scene.client.take(begun, new).errorName == "unknown_device")

            let word = try scene.word(new)
            #expect(try await scene.agree(begun.id, word).status == 200)
            #expect(try await scene.agree(begun.id, word).status == 200, "its answer was lost")
            #expect(try await scene.list(scene.laptop) == [])
            let told = try #require(try await scene.own(begun.id))
            #expect(told.state == .agreed && told.handover == word.base64URL)
            #expect(try await scene.take(begun, new, try #require(told.handover).decodedBytes()).status == 200)

            // The bank shows the digits that both devices have shown.
            let signed = try DeviceEnrolment(
                offer: new.offer, name: Bytes(text: "phone"), key: new.key.publicKey,
                voucher: scene.older.key.publicKey)
            let code = String(decoding: signed.code(new.offer, suite: SwiftCryptoSuite()), as: UTF8.self)
            #expect(try await scene.bank.enrolment(begun.id).code == code)
            #expect(try await scene.bank.confirm(begun.id, code).status == 200)
            #expect(try await scene.client.devices(scene.phone).map(\.name).sorted() == ["laptop", "phone"])
            let asked = try await scene.bank.ask(scene.bank.request("1"))
            #expect(try await scene.client.decide(asked.id, .allow(code: nil), new).status == 200)
            #expect(try await scene.bank.find(asked.id).state == .approved)
        }
    }

    @Test("another account can neither ask, see, look, sign nor deny")
    func stranger() async throws {
        try await HandoverScene.serve { scene in
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let own = try await scene.bank.enrol("eve", eve)
            let (begun, new) = try await scene.asked()
            #expect(try await scene.list(eve) == [])
            #expect(try await scene.ask(begun.id, try TestApprover(begun, eve)).errorName == "unknown_device")
            #expect(
                try await scene.client.send(.get, "/api/approvals/enrolments/\(begun.id)", token: eve.token).errorName
                    == "unknown_challenge")
            let word = try scene.word(new)
            for answer in [
                try await scene.claim(begun.id, by: own), try await scene.claim(begun.id, as: eve),
                try await scene.agree(begun.id, word, as: eve), try await scene.deny(begun.id, as: eve),
                try await scene.client.send(
                    .delete, "/api/approvals/enrolments/\(begun.id)/handover", token: eve.token),
            ] { #expect(answer.errorName == "unknown_challenge" && answer.status == 404) }
            #expect(try await scene.own(begun.id) == OwnApprovalHandover(state: .asked))
            // Nor does the phone get the word of somebody else's device.
            let other = try await scene.bank.begin("eve")
            #expect(try await scene.ask(other.id, try TestApprover(other, scene.phone)).errorName == "unknown_device")
        }
    }

    @Test("a device that answers for another user of the service cannot agree, nor a session without the key")
    func otherUser() async throws {
        try await HandoverScene.serve { scene in
            let work = try await scene.bank.enrol("alice at work", scene.laptop, name: "laptop at work")
            let tablet = try await scene.client.addDevice(of: scene.person, scene.laptop)
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id, by: work).errorName == "unknown_device")
            // It names the laptop's key, which is in another wallet, and would learn the new device's.
            #expect(try await scene.claim(begun.id, as: tablet).errorName == "unknown_device")
            #expect(try await scene.claim(begun.id).status == 200)
            #expect(try await scene.list(tablet).first?.key == nil, "the key is for the device that looks at it")
            #expect(try await scene.list(tablet).first?.own == [], "it has none to give its word with")
            #expect(try await scene.list(scene.laptop).first?.key == new.key.publicKey.x963.base64URL)
            let word = try scene.word(new, by: work)
            #expect(try await scene.agree(begun.id, word, by: work).errorName == "unknown_device")
            #expect(try await scene.agree(begun.id, scene.word(new), as: tablet).errorName == "unknown_device")
            #expect(try await scene.own(begun.id)?.state == .claimed)
        }
    }

    enum Moment: CaseIterable { case asked, claimed, agreed }

    @Test("a device that was removed gives no word, and what it gave before counts no more", arguments: Moment.allCases)
    func removed(moment: Moment) async throws {
        try await HandoverScene.serve { scene in
            // So that there is still somebody to ask.
            let other = try await scene.bank.enrol("alice", scene.laptop, name: "other", by: scene.older)
            let (begun, new) = try await scene.asked()
            let word = try scene.word(new)
            if moment != .asked { #expect(try await scene.claim(begun.id).status == 200) }
            if moment == .agreed { #expect(try await scene.agree(begun.id, word).status == 200) }
            try await scene.remove("laptop")
            if moment != .agreed {
                #expect(try await scene.list(scene.laptop).first?.own == [other.key.publicKey.x963.base64URL])
            }
            #expect(try await scene.claim(begun.id).errorName == "unknown_device")
            #expect(try await scene.agree(begun.id, word).errorName == "unknown_device")
            #expect(try await scene.take(begun, new, word).errorName == "unknown_device")
        }
    }

    @Test("a signature over other bytes, or with another key, is refused at once")
    func otherBytes() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            #expect(try await scene.agree(begun.id, scene.word(new)).errorName == "already_answered", "no look before")
            #expect(try await scene.claim(begun.id).status == 200)
            let other = try TestApprover(begun, scene.phone)
            let plain = try scene.older.key.sign(new.enrolment.bytesToSign(new.offer))
            for word in [
                try scene.word(other), try scene.word(new, name: "Phone"), plain, try new.key.sign([1, 2, 3]),
                Bytes(repeating: 0, count: 64),
            ] { #expect(try await scene.agree(begun.id, word).errorName == "invalid_signature") }
            for count in [0, 63, 65] {
                let word = Bytes(repeating: 1, count: count)
                #expect(try await scene.agree(begun.id, word).errorName == "malformed")
            }
            #expect(try await scene.own(begun.id)?.handover == nil)
            #expect(try await scene.agree(begun.id, scene.word(new)).status == 200)
        }
    }

    @Test("a word for one offer is none for the next")
    func replay() async throws {
        try await HandoverScene.serve { scene in
            let (first, new) = try await scene.asked()
            #expect(try await scene.claim(first.id).status == 200)
            let word = try scene.word(new)
            #expect(try await scene.agree(first.id, word).status == 200)
            let second = try await scene.bank.begin("alice")
            let again = try TestApprover(second, scene.phone, key: new.key)
            #expect(try await scene.ask(second.id, again).status == 200)
            #expect(try await scene.own(second.id) == OwnApprovalHandover(state: .asked), "nothing is carried over")
            #expect(try await scene.claim(second.id).status == 200)
            #expect(try await scene.agree(second.id, word).errorName == "invalid_signature")
            #expect(try await scene.take(second, again, word).errorName == "invalid_signature")
        }
    }

    enum End: CaseIterable { case expired, ended, another, taken, removed }

    @Test("a request ends with its offer", arguments: End.allCases)
    func end(end: End) async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id).status == 200)
            let word = try scene.word(new)
            switch end {
            case .expired: scene.organisation.clock.advance(.seconds(Limits.approvalOfferTime + 1))
            case .ended:
                let path = "enrolments/\(begun.id)/end"
                #expect(
                    try await scene.bank.send(.post, path, ApprovalEnrolmentEnd(session: TestBank.session)).status
                        == 200)
            case .another: _ = try await scene.bank.begin("alice")
            case .taken: #expect(try await scene.take(begun, new, word).status == 200)
            case .removed:
                let path = "/api/services/\(scene.bank.key.service.id)"
                #expect(try await scene.client.send(.delete, path, token: scene.bank.owner.token).status == 200)
            }
            #expect(try await scene.list(scene.laptop) == [])
            for answer in [
                try await scene.claim(begun.id), try await scene.agree(begun.id, word),
                try await scene.deny(begun.id), try await scene.ask(begun.id, new),
            ] {
                let name = end == .expired ? "expired" : end == .removed ? answer.errorName : "already_answered"
                #expect(answer.errorName == name && [404, 409, 410].contains(answer.status))
            }
            if end == .expired {
                #expect(try await scene.own(begun.id) == nil)
            }
        }
    }

    @Test("two older devices in the same instant: one looks at it, the other is told, until the new one asks again")
    func race() async throws {
        try await HandoverScene.serve { scene in
            let session = try await scene.client.addDevice(of: scene.person, scene.laptop)
            let tablet = try await scene.bank.enrol("alice", session, name: "tablet", by: scene.older)
            let (begun, new) = try await scene.asked()
            let answers = try await withThrowingTaskGroup(of: (String, TestClient.Answer).self) { group in
                for (name, one) in [("laptop", scene.older), ("tablet", tablet)] {
                    group.addTask { (name, try await scene.claim(begun.id, by: one)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            let winner = try #require(answers.first { $0.value.status == 200 }?.key)
            let loser = try #require(answers.first { $0.value.errorName == "already_answered" }?.key)
            let approvers = ["laptop": scene.older, "tablet": tablet]
            let (first, second) = (try #require(approvers[winner]), try #require(approvers[loser]))
            #expect(try await scene.own(begun.id)?.device == winner)
            let seen = try #require(try await scene.list(second.session).first)
            #expect(seen.state == .claimed && seen.by == first.key.publicKey.x963.base64URL && seen.key == nil)
            #expect(
                try await scene.agree(begun.id, scene.word(new, by: second), by: second).errorName
                    == "already_answered")
            #expect(try await scene.ask(begun.id, new).status == 200)
            #expect(try await scene.claim(begun.id, by: second).status == 200)
            #expect(
                try await scene.agree(begun.id, scene.word(new, by: first), by: first).errorName == "already_answered")
            #expect(try await scene.agree(begun.id, scene.word(new, by: second), by: second).status == 200)
        }
    }
}
