import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What somebody tries who is in the account, or sends two requests in the same instant.
///
/// Further attacks are in `ApprovalHandoverTests` and `ApprovalHandoverEndTests`.
@Suite("Attacks on handovers", .timeLimit(.minutes(5)))
struct ApprovalHandoverAttackTests {
    @Test("a denial and a taking in the same instant: never both, and nothing is taken afterwards", arguments: 0..<6)
    func denialAndTaking(round: Int) async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id).status == 200)
            let word = try scene.word(new)
            #expect(try await scene.agree(begun.id, word).status == 200)
            let message = try scene.message(new, word)
            async let denied = scene.deny(begun.id)
            async let taken = scene.take(begun, new, message: message)
            let (no, yes) = (try await denied, try await taken)
            #expect((no.status == 200) != (yes.status == 200), "\(no.status) \(yes.status)")
            for answer in [no, yes] where answer.status != 200 { #expect(answer.errorName == "already_answered") }
            let late = try await scene.take(begun, new, message: message)
            // The very message that was taken may come twice.
            #expect(late.status == yes.status)
            #expect(try await scene.claim(begun.id).errorName == "already_answered")
        }
    }

    @Test("a denial and a claim in the same instant: the denial holds", arguments: 0..<6)
    func denialAndClaim(round: Int) async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            async let claimed = scene.claim(begun.id)
            async let denied = scene.deny(begun.id)
            let (claim, no) = (try await claimed, try await denied)
            #expect(no.status == 200 && [200, 409].contains(claim.status))
            #expect(try await scene.own(begun.id)?.state == .denied)
            for answer in [
                try await scene.claim(begun.id), try await scene.agree(begun.id, scene.word(new)),
                try await scene.take(begun, new, scene.word(new)),
            ] { #expect(answer.errorName == "already_answered") }
        }
    }

    @Test("two devices that ask in the same instant: a word for the one is none for the other")
    func twoAsk() async throws {
        try await HandoverScene.serve { scene in
            let session = try await scene.client.addDevice(of: scene.person, scene.laptop)
            let begun = try await scene.bank.begin("alice")
            let (one, two) = (try TestApprover(begun, scene.phone), try TestApprover(begun, session))
            async let first = scene.ask(begun.id, one)
            async let second = scene.ask(begun.id, two)
            let answers = [try await first, try await second]
            #expect(answers.contains { $0.status == 200 })
            let claimed = try await scene.claim(begun.id).decode(ApprovalHandover.self)
            let seen = try #require([one, two].first { $0.key.publicKey.x963.base64URL == claimed.key })
            let other = seen.session.deviceID == one.session.deviceID ? two : one
            #expect(try await scene.agree(begun.id, scene.word(other)).errorName == "invalid_signature")
            let word = try scene.word(seen)
            #expect(try await scene.agree(begun.id, word).status == 200)
            #expect(try await scene.own(begun.id, other.session)?.handover == nil)
            #expect(try await scene.take(begun, other, word).errorName == "invalid_signature")
            #expect(try await scene.take(begun, seen, word).status == 200)
        }
    }

    @Test("digits that nobody compared add no device: the bank has to give those that both devices show")
    func notCompared() async throws {
        try await HandoverScene.serve { scene in
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id).status == 200)
            let word = try scene.word(new)
            #expect(try await scene.agree(begun.id, word).status == 200)
            #expect(try await scene.take(begun, new, word).status == 200)
            let code = try #require(try await scene.bank.enrolment(begun.id).code)
            let digits = try #require(Int(code))
            let other = String(String(1_000_000 + (digits + 1) % 1_000_000).dropFirst())
            #expect(try await scene.bank.confirm(begun.id, other).status != 200)
            #expect(try await scene.client.devices(scene.phone).map(\.name) == ["laptop"])
        }
    }

    @Test("a session without a device neither looks nor signs, with whatever key; it may say no")
    func withoutDevice() async throws {
        try await HandoverScene.serve { scene in
            let environment = scene.organisation.server.environment
            let session = try await environment.database.write { transaction in
                try environment.openSession(
                    account: scene.laptop.account, device: nil, in: transaction, now: environment.now()
                ).session
            }
            let (begun, new) = try await scene.asked()
            #expect(try await scene.claim(begun.id, as: session).problem == "device-required")
            #expect(try await scene.claim(begun.id).status == 200)
            #expect(try await scene.list(session).first?.key == nil)
            #expect(try await scene.agree(begun.id, scene.word(new), as: session).problem == "device-required")
            #expect(try await scene.deny(begun.id, as: session).status == 200)
        }
    }
}
