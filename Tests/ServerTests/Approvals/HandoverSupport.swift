import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// A person with two devices, one of which answers the bank; the other wants to.
struct HandoverScene: Sendable {
    let organisation: TestOrganisation
    let client: TestClient
    let bank: TestBank
    let person: TestPerson
    let laptop: NewSession
    let phone: NewSession
    let older: TestApprover

    static func serve(_ body: @escaping @Sendable (HandoverScene) async throws -> Void) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let person = try organisation.person("alice")
            let laptop = try await client.join(person)
            let phone = try await client.addDevice(of: person, laptop)
            let older = try await bank.enrol("alice", laptop, name: "laptop")
            try await body(
                HandoverScene(
                    organisation: organisation, client: client, bank: bank, person: person, laptop: laptop,
                    phone: phone, older: older))
        }
    }

    /// The bank begins, and the phone makes a key, and asks with it.
    func asked(_ user: String = "alice") async throws -> (begun: ApprovalEnrolment, new: TestApprover) {
        let begun = try await bank.begin(user)
        let new = try TestApprover(begun, phone)
        let answer = try await ask(begun.id, new)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return (begun, new)
    }

    func ask(_ id: String, _ new: TestApprover, as session: NewSession? = nil) async throws -> TestClient.Answer {
        let request = NewApprovalHandover(
            name: String(decoding: new.enrolment.name, as: UTF8.self), key: new.key.publicKey.x963.base64URL)
        return try await client.send(
            .put, "/api/approvals/enrolments/\(id)/handover", request, token: (session ?? new.session).token)
    }

    func list(_ session: NewSession) async throws -> [ApprovalHandover] {
        try await client.send(.get, "/api/approvals/handovers", token: session.token)
            .decode(Listing<ApprovalHandover>.self).items
    }

    /// What the new device sees.
    func own(_ id: String, _ session: NewSession? = nil) async throws -> OwnApprovalHandover? {
        try await client.send(.get, "/api/approvals/enrolments/\(id)", token: (session ?? phone).token)
            .decode(MemberEnrolment.self).handover
    }

    func claim(
        _ id: String, by older: TestApprover? = nil, as session: NewSession? = nil
    ) async throws -> TestClient.Answer {
        let older = older ?? self.older
        return try await client.send(
            .post, "/api/approvals/handovers/\(id)/claim",
            ApprovalHandoverClaim(by: older.key.publicKey.x963.base64URL), token: (session ?? older.session).token)
    }

    /// The older device's signature over what the new one signs.
    func word(_ new: TestApprover, by older: TestApprover? = nil, name: String? = nil) throws -> Bytes {
        let older = older ?? self.older
        let enrolment = try DeviceEnrolment(
            offer: new.offer, name: name.map { Bytes(text: $0) } ?? new.enrolment.name, key: new.key.publicKey,
            voucher: older.key.publicKey)
        return try older.key.sign(enrolment.bytesToSign(new.offer))
    }

    func agree(
        _ id: String, _ word: Bytes, by older: TestApprover? = nil, as session: NewSession? = nil
    ) async throws -> TestClient.Answer {
        let older = older ?? self.older
        return try await client.send(
            .post, "/api/approvals/handovers/\(id)/agree",
            ApprovalHandoverWord(by: older.key.publicKey.x963.base64URL, handover: word.base64URL),
            token: (session ?? older.session).token)
    }

    func deny(_ id: String, as session: NewSession? = nil) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/approvals/handovers/\(id)/deny", token: (session ?? laptop).token)
    }

    /// The new device takes the offer with a word.
    func take(
        _ begun: ApprovalEnrolment, _ new: TestApprover, _ word: Bytes, by older: TestApprover? = nil
    ) async throws -> TestClient.Answer {
        try await take(begun, new, message: message(new, word, by: older))
    }

    /// The message by which it does: signed again, it is another one.
    func message(_ new: TestApprover, _ word: Bytes, by older: TestApprover? = nil) throws -> Bytes {
        let enrolment = try DeviceEnrolment(
            offer: new.offer, name: new.enrolment.name, key: new.key.publicKey,
            voucher: (older ?? self.older).key.publicKey)
        return enrolment.encoded(
            signature: try new.key.sign(enrolment.bytesToSign(new.offer)), handover: word)
    }

    func take(
        _ begun: ApprovalEnrolment, _ new: TestApprover, message: Bytes
    ) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/approvals/enrolments/\(begun.id)", ApprovalMessage(message: message.base64URL),
            token: new.session.token)
    }

    func remove(_ name: String) async throws {
        let device = try #require(try await client.devices(laptop).first { $0.name == name })
        let answer = try await client.send(.delete, "/api/approvals/devices/\(device.id)", token: laptop.token)
        #expect(answer.status == 200)
    }
}

extension TestClient {
    /// Another device of a person's account, with a session of its own.
    func addDevice(of person: TestPerson, _ session: NewSession) async throws -> NewSession {
        var device = try PairingTests.NewDevice(of: person.username, organisation)
        let pairing = try await device.ask(self)
        let endorsed = try await send(
            .post, "/api/pairings/\(pairing.id)/endorse",
            PairingEndorsement(statement: try device.statement(by: person.signing)), token: session.token)
        #expect(endorsed.status == 200)
        return try await device.session(self).decode(NewSession.self)
    }
}
