import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("The enrolment of a device")
struct DeviceEnrolmentTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    private func parsed(_ vector: JSON) throws -> DeviceEnrolment {
        let devices = try vector.list("devices").map { value in
            try #require(value.string.flatMap { Hex.decode($0) }.flatMap { P256PublicKey(x963: $0) })
        }
        return try DeviceEnrolment.parse(
            try vector.hex("message"), for: try fixture.offer(), devices: devices,
            needsVoucher: vector["needs_voucher"]?.bool == true, serverKeys: [try fixture.json.key("other_server")],
            at: try vector.number("now"), suite: fixture.suite)
    }

    @Test("begins with an offer that has Python's bytes")
    func offer() throws {
        let offer = try fixture.offer()
        let members = try fixture.json.member("offer_members")
        #expect(offer.account == (try members.hex("account")))
        #expect(offer.id == (try members.hex("id")))
        #expect(offer.expires == (try members.number("expires")))
        let message = try fixture.json.hex("offer")
        #expect(offer.encoded(signature: Array(message.dropLast().suffix(64))) == message)
        for vector in try fixture.json.list("offers_refused") {
            let name = string(try vector.text("note"))
            do {
                _ = try ApprovalOffer.parse(
                    try vector.hex("message"), at: try vector.number("now"), suite: fixture.suite)
                Issue.record("accepted: \(name)")
            } catch let error as ApprovalError {
                #expect(string(error.name) == string(try vector.text("error")), "\(name)")
            }
        }
    }

    @Test("is accepted with the bytes, digits and confirmation that Python has")
    func accepted() throws {
        let offer = try fixture.offer()
        let vectors = try fixture.json.list("enrolments")
        #expect(vectors.count == 4)
        for vector in vectors {
            let name = string(try vector.text("note"))
            let enrolment = try parsed(vector)
            #expect(enrolment.key == (try vector.key("key")), "\(name)")
            #expect(enrolment.name == (try vector.text("name")), "\(name)")
            #expect(enrolment.bytesToSign(offer) == (try vector.hex("signed")), "\(name)")
            #expect(enrolment.code(offer, suite: fixture.suite) == (try vector.text("code")), "\(name)")
            let by = try vector["by"]?.string.flatMap { Hex.decode($0) }.map { try #require(P256PublicKey(x963: $0)) }
            #expect(enrolment.voucher == by, "\(name)")
            let confirmation = DeviceConfirmation(
                enrolment, of: offer, at: try vector.number("now"), suite: fixture.suite)
            #expect(confirmation.statement() == (try vector.hex("confirmation")), "\(name)")
            #expect(try DeviceConfirmation.parse(confirmation.statement()) == confirmation)
            #expect(
                try DeviceEnrolment(offer: offer, name: enrolment.name, key: enrolment.key, voucher: by) == enrolment)
        }
    }

    @Test("is refused if anything is missing, late or somebody else's")
    func refused() throws {
        let vectors = try fixture.json.list("enrolments_refused")
        #expect(vectors.count == 18)
        for vector in vectors {
            let name = string(try vector.text("note"))
            do {
                _ = try parsed(vector)
                Issue.record("accepted: \(name)")
            } catch let error as ApprovalError {
                #expect(string(error.name) == string(try vector.text("error")), "\(name)")
            }
        }
    }

    @Test("is refused after any single byte of it is changed or missing")
    func everyByte() throws {
        let offer = try fixture.offer()
        let vector = try fixture.json.list("enrolments")[2]
        let message = try vector.hex("message")
        let devices = [try #require(parsed(vector).voucher)]
        let now = try vector.number("now")
        func parse(_ message: Bytes, _ suite: some ApprovalCryptoSuite) throws {
            _ = try DeviceEnrolment.parse(
                message, for: offer, devices: devices, needsVoucher: true, serverKeys: [], at: now, suite: suite)
        }
        let learned = try LearnedSuite { try parse(message, $0) }
        try parse(message, learned)
        for index in 0..<message.count {
            for change: UInt8 in [1, 0x20, 0x80] {
                var changed = message
                changed[index] ^= change
                #expect(throws: ApprovalError.self) { try parse(changed, learned) }
            }
            #expect(throws: ApprovalError.self) { try parse(Array(message[0..<index]), learned) }
        }
    }

    @Test("shows other digits for another key, name, account or service")
    func digits() throws {
        let offer = try fixture.offer()
        let keys = try fixture.json.list("enrolments").map { try $0.key("key") }
        func code(_ key: P256PublicKey, _ name: String, _ offer: ApprovalOffer) throws -> Bytes {
            try DeviceEnrolment(offer: offer, name: Bytes(text: name), key: key).code(offer, suite: fixture.suite)
        }
        let other = try ApprovalOffer(
            id: offer.id, nonce: offer.nonce, account: Bytes(repeating: 0, count: 32), service: offer.service,
            serverKey: offer.serverKey, created: offer.created, expires: offer.expires, replyURL: offer.replyURL)
        let codes: Set<Bytes> = [
            try code(keys[0], "a", offer), try code(keys[1], "a", offer), try code(keys[0], "b", offer),
            try code(keys[0], "a", other),
        ]
        #expect(codes.count == 4)
        #expect(codes.allSatisfy { $0.count == 6 })
    }

    @Test("needs the offer to be there still")
    func used() throws {
        let vector = try fixture.json.list("enrolments")[0]
        #expect(throws: ApprovalError.unknownChallenge) {
            try DeviceEnrolment.parse(
                try vector.hex("message"), for: nil, devices: [], needsVoucher: false, serverKeys: [],
                at: try vector.number("now"), suite: fixture.suite)
        }
    }
}

extension LearnedSuite: ApprovalCryptoSuite {
    func isOnP256(_ publicKey: Bytes) -> Bool { PureSuite().isOnP256(publicKey) }
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}

extension LearnedSuite.Recorder: ApprovalCryptoSuite {
    func isOnP256(_ publicKey: Bytes) -> Bool { PureSuite().isOnP256(publicKey) }
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
