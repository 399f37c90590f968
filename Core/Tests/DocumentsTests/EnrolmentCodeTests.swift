import Documents
import Encodings
import Testing

/// One check, as Python sees it.
enum FaceToFace {
    static func json() throws -> JSON { try Fixture.json("face-to-face") }

    /// What the server shows in a case.
    static func shown(_ json: JSON) throws -> ShownEnrolment {
        guard let value = json["shown"], let shown = ShownEnrolment(json: value) else { throw Missing() }
        return shown
    }

    static let prefix = Bytes(text: "countersign-enrol:")
    static let server = Bytes(text: "https://sign.example.edu")
    static let hash = String(repeating: "A", count: 43)

    /// A payload as text.
    static func text(_ json: String) -> Bytes { Base64.encode(Bytes(text: json), .url) }

    /// The members of an enrolment code, in canonical order.
    static func payload(
        commitment: String = hash, key: String = hash, enrolment: String = "e", server: String = "https://a",
        first: String = ""
    ) -> Bytes {
        text(
            "{\(first)\"commitment\":\"\(commitment)\",\"encryption_key\":\"\(hash)\",\"enrolment\":\"\(enrolment)\","
                + "\"key\":\"\(key)\",\"server\":\"\(server)\"}")
    }
}

@Suite("The code of a face-to-face check")
struct EnrolmentCodeTests {
    @Test("is read in both forms, with white space around it, and written as Python writes it")
    func forms() throws {
        let payload = try FaceToFace.json().text("code")
        let text = FaceToFace.prefix + payload
        let code = try EnrolmentCode.parse(text)
        #expect(code.text == text)
        #expect(code.link == FaceToFace.server + Bytes(text: "/console/check#") + payload)
        #expect(code.server == FaceToFace.server)
        #expect(string(code.enrolment) == "0123456789abcdef0123456789abcdef")
        #expect(try EnrolmentCode.parse(Bytes(text: " \t") + text + [0x0D, 0x0A]) == code)
        #expect(try EnrolmentCode.parse(code.link + [0x0A]) == code)
        #expect(try EnrolmentCode.parse(FaceToFace.server + Bytes(text: "/console/check#") + text) == code)
        let shown = try FaceToFace.shown(try FaceToFace.json())
        #expect(code.signingKey == shown.signingKey.thumbprint)
        #expect(code.encryptionKey == shown.encryptionKey.thumbprint)
        #expect(Base64.encode(code.commitment, .url) == shown.commitment)
    }

    @Test("is refused as a link to another server or another page")
    func links() throws {
        let payload = try FaceToFace.json().text("code")
        for server in [
            "https://sign.example.edu.evil.example", "http://sign.example.edu", "https://sign.example.edu/a",
        ] {
            #expect(throws: CodeError.otherServer) {
                try EnrolmentCode.parse(Bytes(text: server + "/console/check#") + payload)
            }
        }
        for start in [
            "https://sign.example.edu/console/issue#", "https://sign.example.edu/console/check/#",
            "https://sign.example.edu/console/check?#", "https://sign.example.edu/console/check##", "/console/check#",
            "https://sign.example.edu/add-device#", "",
        ] {
            #expect(throws: CodeError.unknownForm) { try EnrolmentCode.parse(Bytes(text: start) + payload) }
        }
        #expect(throws: CodeError.malformed) {
            try EnrolmentCode.parse(FaceToFace.server + Bytes(text: "/console/check#"))
        }
    }

    @Test(
        "is refused in any other spelling",
        arguments: [
            (Bytes(), CodeError.unknownForm), (Bytes(text: "hello"), .unknownForm),
            (Bytes(text: "COUNTERSIGN-ENROL:abcd"), .unknownForm), (FaceToFace.prefix, .malformed),
            (FaceToFace.prefix + FaceToFace.payload() + [0x3D], .malformed),
            (FaceToFace.prefix + FaceToFace.payload() + [0x41], .malformed),
            (FaceToFace.prefix + Array(FaceToFace.payload().dropLast()), .malformed),
            (FaceToFace.prefix + Bytes(repeating: 0x41, count: 2_000), .tooLong),
            (FaceToFace.prefix + FaceToFace.text("[]"), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.text("{}"), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.text("{\"server\":\"https://a\"}"), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.text("{\"server\":{\"a\":1}}"), .malformed),
            // Not canonical: order and white space.
            (FaceToFace.prefix + FaceToFace.payload(first: "\"z\":1,"), .malformed),
            (FaceToFace.prefix + FaceToFace.payload(first: " "), .malformed),
            // A member too many, a short or foreign hash, an empty or long id, no server.
            (FaceToFace.prefix + FaceToFace.payload(first: "\"a\":1,"), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.payload(commitment: "AAAA"), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.payload(key: String(repeating: "B", count: 43)), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.payload(enrolment: ""), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.payload(enrolment: String(repeating: "e", count: 65)), .unexpectedPart),
            (FaceToFace.prefix + FaceToFace.payload(server: ""), .unexpectedPart),
        ])
    func refused(text: Bytes, error: CodeError) {
        #expect(throws: error) { try EnrolmentCode.parse(text) }
    }
}

@Suite("The code of a pairing")
struct PairingCodeTests {
    @Test("is read, and written as Python writes it")
    func roundTrip() throws {
        let json = try FaceToFace.json()
        let link = FaceToFace.server + Bytes(text: "/add-device#") + (try json.text("pairing_code"))
        let code = try PairingCode.parse([0x20] + link)
        #expect(code.link == link)
        #expect(string(code.pairing) == "p-1")
        let enrolment = try EnrolmentCode.parse(FaceToFace.prefix + (try json.text("code")))
        #expect(code.signingKey == enrolment.signingKey)
        #expect(code.encryptionKey == enrolment.encryptionKey)
    }

    @Test("is refused bare, for another server, and in any other spelling")
    func refused() throws {
        let payload = try FaceToFace.json().text("pairing_code")
        let start = FaceToFace.server + Bytes(text: "/add-device#")
        #expect(throws: CodeError.unknownForm) { try PairingCode.parse(payload) }
        #expect(throws: CodeError.unknownForm) {
            try PairingCode.parse(FaceToFace.server + Bytes(text: "/console/check#") + payload)
        }
        #expect(throws: CodeError.otherServer) {
            try PairingCode.parse(Bytes(text: "https://sigh.example.edu/add-device#") + payload)
        }
        #expect(throws: CodeError.malformed) { try PairingCode.parse(start + payload + [0x41]) }
        #expect(throws: CodeError.unexpectedPart) { try PairingCode.parse(start + FaceToFace.payload()) }
        #expect(throws: CodeError.unexpectedPart) { try PairingCode.parse(start + FaceToFace.text("{}")) }
        #expect(throws: CodeError.tooLong) {
            try PairingCode.parse(start + Bytes(repeating: 0x41, count: PairingCode.maximumLength))
        }
    }
}
