import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// How a device is enrolled at a service, and how strangers try to be.
@Suite("Enrolment of devices at services")
struct ApprovalEnrolmentTests {
    @Test("a device takes an offer, both screens show one code, and the session that began confirms it")
    func whole() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            #expect(begun.state == .open && begun.code == nil)
            let approver = try TestApprover(begun, alice)
            #expect(approver.offer.serverKey.x963.base64URL == bank.key.service.publicKey)
            let taken = try await client.take(begun, approver).decode(MemberEnrolment.self)
            #expect(taken.state == .taken && taken.device == nil)
            // Nothing counts before the codes were compared.
            #expect(try await client.devices(alice) == [])
            #expect(try await bank.send(.post, "challenges", bank.request("1")).errorName == "no_device")
            let shown = try await bank.enrolment(begun.id)
            #expect(shown.state == .taken && shown.deviceName == "phone" && shown.link == nil)
            let code = String(decoding: approver.code, as: UTF8.self)
            #expect(shown.code == code)
            #expect(try await bank.confirm(begun.id, code).status == 200)
            let found = try await client.send(.get, "/api/approvals/enrolments/\(begun.id)", token: alice.token)
                .decode(MemberEnrolment.self)
            let device = try #require(found.device)
            #expect(try await client.devices(alice) == [device])
            // The service's word, signed with the key that the device keeps.
            let word = try device.confirmation.decodedBytes()
            let confirmation = try DeviceConfirmation.parse(word)
            #expect(confirmation.device == approver.key.publicKey && confirmation.account == approver.offer.account)
            #expect(
                SwiftCryptoSuite().isValidP256(
                    try device.signature.decodedBytes(), over: word, publicKey: approver.offer.serverKey.x963))
            let logged = try await client.send(.get, "/api/log/mine", token: alice.token)
                .decode(Listing<LoggedEntry>.self).items
            #expect(logged.first?.type == "approval_device.enrolled")
        }
    }

    @Test(
        "case 10: an offer is taken once: the same message again succeeds, a second device and a stranger are refused")
    func once() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let begun = try await bank.begin("alice")
            let approver = try TestApprover(begun, alice)
            #expect(try await client.take(begun, approver).status == 200)
            #expect(try await client.take(begun, approver).status == 200)
            for answer in [
                try await client.take(begun, try TestApprover(begun, alice)),
                try await client.take(begun, try TestApprover(begun, eve)),
                try await client.take(begun, approver, as: eve),
            ] { #expect(answer.errorName == "already_answered" && answer.status == 409) }
            #expect(
                try await client.send(.get, "/api/approvals/enrolments/\(begun.id)", token: eve.token).errorName
                    == "unknown_challenge")
            #expect(try await bank.confirm(begun.id, String(decoding: approver.code, as: UTF8.self)).status == 200)
            // Used up: not even the same device takes it again for something else, and nothing is stored twice.
            #expect(try await client.take(begun, try TestApprover(begun, eve)).errorName == "already_answered")
            #expect(try await bank.confirm(begun.id, String(decoding: approver.code, as: UTF8.self)).status == 200)
            #expect(try await client.devices(alice).count == 1)
        }
    }

    @Test("two devices that take one offer in the same instant: one wins")
    func race() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await client.take(begun, try TestApprover(begun, alice)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.errorName == "already_answered" } == 5)
        }
    }

    @Test("case 11: a stranger who takes the offer first shows in the code, and a wrong code ends the enrolment")
    func stranger() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let begun = try await bank.begin("alice")
            let (mine, strangers) = (try TestApprover(begun, alice), try TestApprover(begun, eve))
            #expect(try await client.take(begun, strangers).status == 200)
            #expect(mine.code != strangers.code)
            let wrong = try await bank.confirm(begun.id, String(decoding: mine.code, as: UTF8.self))
            #expect(wrong.errorName == "wrong_code")
            // There is no second try, not even with the right code.
            let again = try await bank.confirm(begun.id, String(decoding: strangers.code, as: UTF8.self))
            #expect(again.errorName == "already_answered")
            #expect(try await bank.enrolment(begun.id).state == .ended)
            #expect(try await client.devices(eve) == [])
        }
    }

    @Test("only the session that began confirms or ends, and only its own service sees it")
    func session() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let approver = try TestApprover(begun, alice)
            #expect(try await client.take(begun, approver).status == 200)
            let code = String(decoding: approver.code, as: UTF8.self)
            for answer in [
                try await bank.confirm(begun.id, code, session: "another session of it"),
                try await shop.confirm(begun.id, code), try await shop.send(.get, "enrolments/\(begun.id)"),
                try await bank.send(
                    .post, "enrolments/\(begun.id)/end", ApprovalEnrolmentEnd(session: "another session of it")),
                try await shop.send(
                    .post, "enrolments/\(begun.id)/end", ApprovalEnrolmentEnd(session: TestBank.session)),
            ] { #expect(answer.errorName == "unknown_challenge") }
            #expect(try await bank.enrolment(begun.id).state == .taken)
            #expect(try await bank.confirm(begun.id, code).status == 200)
        }
    }

    @Test("case 12: an offer works ten minutes: taking and confirming after that are refused")
    func late() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let (one, two) = (try await bank.begin("alice"), try await bank.begin("bob"))
            let (first, second) = (try TestApprover(one, alice), try TestApprover(two, alice))
            organisation.clock.advance(.seconds(Limits.approvalOfferTime))
            #expect(try await client.take(one, first).status == 200)
            organisation.clock.advance(.seconds(1))
            #expect(try await client.take(two, second).errorName == "expired")
            let confirmed = try await bank.confirm(one.id, String(decoding: first.code, as: UTF8.self))
            #expect(confirmed.errorName == "expired" && confirmed.status == 410)
            #expect(try await bank.enrolment(one.id).state == .expired)
            #expect(try await client.devices(alice) == [])
        }
    }

    @Test("a service has one enrolment of a user under way: another ends the first")
    func another() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let first = try await bank.begin("alice")
            let approver = try TestApprover(first, alice)
            #expect(try await client.take(first, approver).status == 200)
            _ = try await bank.begin("alice")
            let code = String(decoding: approver.code, as: UTF8.self)
            #expect(try await bank.confirm(first.id, code).errorName == "already_answered")
        }
    }

    @Test("case 14: keys that a device must not have are refused: the server's, the wallet's, another device's")
    func keys() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let person = try organisation.person("alice")
            let alice = try await client.join(person)
            let known = try await bank.enrol("alice", alice)
            // The wallet's own key would link this service with everything else that it signs.
            let keys = ApprovalKeys(organisation.server.environment.with(keys: [.approvalSecret]).keys)
            for key in [
                person.signing, known.key, try keys.signingKey(ofService: bank.key.service.id),
                try keys.signingKey(ofService: bank.key.service.id),
            ] {
                let begun = try await bank.begin("alice at work")
                let answer = try await client.take(begun, try TestApprover(begun, alice, key: key))
                #expect(answer.errorName == "unsupported_key")
            }
        }
    }

    @Test("a name with control characters enrols nothing", arguments: ["phone\u{0}", "phone\nlaptop", "\u{7F}"])
    func names(name: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let unnamed = try TestApprover(begun, alice, name: name)
            #expect(try await client.take(begun, unnamed).errorName == "malformed")
            #expect(try await client.take(begun, try TestApprover(begun, alice)).status == 200)
        }
    }

    @Test("a message that is changed in any byte enrols nothing")
    func changed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let approver = try TestApprover(begun, alice)
            for index in stride(from: 0, to: approver.message.count, by: 7) {
                var message = approver.message
                message[index] ^= 1
                let answer = try await client.send(
                    .post, "/api/approvals/enrolments/\(begun.id)", ApprovalMessage(message: message.base64URL),
                    token: alice.token)
                #expect((400..<500).contains(answer.status), "\(index)")
            }
            #expect(try await bank.enrolment(begun.id).state == .open)
            #expect(try await client.take(begun, approver).status == 200)
        }
    }

    @Test("case 24: a further device needs the word of one that there is, and another account never gets in")
    func further() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let first = try await bank.enrol("alice", alice)
            let begun = try await bank.begin("alice")
            for (approver, name) in [
                (try TestApprover(begun, alice), "unknown_device"),
                (try TestApprover(begun, eve, voucher: first), "unknown_device"),
                (
                    try TestApprover(begun, alice, voucher: try TestApprover(begun, alice)), "unknown_device"
                ),
            ] { #expect(try await client.take(begun, approver).errorName == name) }
            let second = try await bank.enrol("alice", alice, name: "tablet", by: first)
            #expect(try await client.devices(alice).map(\.name).sorted() == ["phone", "tablet"])
            // One that was removed vouches for nobody.
            let phone = try #require(try await client.devices(alice).first { $0.name == "phone" })
            let removed = try await client.send(
                .delete, "/api/approvals/devices/\(phone.id)", token: alice.token)
            #expect(removed.status == 200)
            let next = try await bank.begin("alice")
            let late = try await client.take(next, try TestApprover(next, alice, voucher: first))
            #expect(late.errorName == "unknown_device")
            #expect(try await client.take(next, try TestApprover(next, alice, voucher: second)).status == 200)
        }
    }

    @Test("a user has ten devices at a service, and removing one makes room")
    func ten() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let first = try await bank.enrol("alice", alice, name: "0")
            for number in 1..<10 { _ = try await bank.enrol("alice", alice, name: "\(number)", by: first) }
            let begun = try await bank.begin("alice")
            let eleventh = try TestApprover(begun, alice, voucher: first)
            #expect(try await client.take(begun, eleventh).problem == "conflict")
            let last = try #require(try await client.devices(alice).first { $0.name == "9" })
            #expect(
                try await client.send(.delete, "/api/approvals/devices/\(last.id)", token: alice.token).status == 200)
            #expect(try await client.take(begun, eleventh).status == 200)
        }
    }

    @Test("nobody removes another's device, and removing needs a confirmation")
    func removal() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            _ = try await bank.enrol("alice", alice)
            let device = try #require(try await client.devices(alice).first)
            let path = "/api/approvals/devices/\(device.id)"
            #expect(try await client.send(.delete, path, token: eve.token).problem == "not-found")
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await client.send(.delete, path, token: alice.token).problem == "confirmation-required")
            #expect(try await client.devices(alice) == [device])
        }
    }

    @Test("the database has nothing of what the service calls its user or its session")
    func stored() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            _ = try await bank.enrol("customer-4711", alice)
            let rows = try await organisation.rows()
            for name in ["approval_offers", "approval_devices"] {
                let table = rows[name] ?? []
                #expect(!table.isEmpty)
                for value in table.joined() {
                    guard case .text(let text) = value else { continue }
                    #expect(!text.contains("4711") && !text.contains(TestBank.session))
                    let bytes = Base64.decode(Bytes(text: text), .url) ?? []
                    #expect(!String(decoding: bytes, as: UTF8.self).contains("4711"))
                }
            }
        }
    }

    @Test("a device whose wallet was revoked after it took an offer is not enrolled")
    func revoked() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let approver = try TestApprover(begun, alice)
            #expect(try await client.take(begun, approver).status == 200)
            let revoked = try await client.send(
                .post, "/api/devices/\(alice.deviceID)/revoke", Reason(reason: "lost"), token: alice.token)
            #expect(revoked.status == 200)
            let code = String(decoding: approver.code, as: UTF8.self)
            #expect(try await bank.confirm(begun.id, code).errorName == "unknown_device")
            #expect(try await bank.send(.post, "challenges", bank.request("1")).errorName == "no_device")
        }
    }
}

extension TestClient {
    func devices(_ session: NewSession) async throws -> [ApprovalDevice] {
        try await send(.get, "/api/approvals/devices", token: session.token).decode(Listing<ApprovalDevice>.self).items
    }
}
