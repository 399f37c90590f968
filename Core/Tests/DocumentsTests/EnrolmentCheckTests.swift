import Documents
import EllipticCurves
import Encodings
import Testing

@Suite("A face-to-face check")
struct EnrolmentCheckTests {
    private func check() throws -> EnrolmentCheck {
        let json = try FaceToFace.json()
        return try EnrolmentCheck(
            code: try EnrolmentCode.parse(FaceToFace.prefix + (try json.text("code"))),
            server: try json.text("server"), nonce: try decoded(try json.text("nonce")))
    }

    @Test("accepts the answer that Python made, with Python's digits")
    func accepted() throws {
        let json = try FaceToFace.json()
        let shown = try FaceToFace.shown(json)
        let check = try check()
        try check.compare(shown)
        let answer = try check.accept(shown, suite: PureSuite())
        #expect(answer.digits == (try json.text("digits")))
        #expect(Base64.encode(answer.statementDigest, .url) == (try json.text("statement_digest")))
        #expect(answer.signingKey == shown.signingKey)
        #expect(answer.encryptionKey == shown.encryptionKey)
    }

    @Test("refuses every other answer, each for its own reason")
    func refused() throws {
        let check = try check()
        let cases = try FaceToFace.json().list("refused")
        #expect(cases.count == 29)
        for one in cases {
            let shown = try FaceToFace.shown(one)
            let expected = string(try one.text("error"))
            do {
                _ = try check.accept(shown, suite: PureSuite())
                Issue.record("accepted, and should be \(expected)")
            } catch {
                #expect("\(error)".hasPrefix(expected), "\(error) instead of \(expected)")
            }
        }
    }

    @Test("believes no signature by itself")
    func signature() throws {
        let shown = try FaceToFace.shown(try FaceToFace.json())
        #expect(throws: EnrolmentCheckError.notSigned(.badSignature)) {
            try check().accept(shown, suite: DistrustingSuite())
        }
    }

    @Test("begins only for the administrator's own server")
    func server() throws {
        let code = try check().code
        #expect(throws: EnrolmentCheckError.otherServer) {
            try EnrolmentCheck(code: code, server: Bytes(text: "https://sign.example.ed"), nonce: [])
        }
    }

    @Test("shows six digits whatever the number, and others for every other part")
    func digits() {
        let zero = Bytes(repeating: 0, count: 32)
        var seen: Set<Bytes> = []
        var hasLeadingZero = false
        func digits(_ key: Bytes, _ encryption: Bytes, _ holder: Bytes, _ administrator: Bytes) -> Bytes {
            EnrolmentDigits.digits(
                holderKey: key, encryptionKey: encryption, holderNonce: holder, administratorNonce: administrator)
        }
        for number in UInt8(0)..<200 {
            var other = zero
            other[31] = number
            let shown = digits(zero, zero, other, zero)
            #expect(shown.count == 6)
            #expect(shown.allSatisfy { $0 >= 0x30 && $0 <= 0x39 })
            if shown.first == 0x30 { hasLeadingZero = true }
            seen.insert(shown)
            seen.insert(digits(other, zero, zero, zero))
            // Where the server found the check by typed characters, nothing else shows that it exchanged this key.
            seen.insert(digits(zero, other, zero, zero))
            seen.insert(digits(zero, zero, zero, other))
        }
        #expect(hasLeadingZero)
        #expect(seen.count >= 4 * 199)
    }

    @Test("reads no check without keys from the interface")
    func shown() throws {
        let json = try FaceToFace.json()
        let shown = try #require(json["shown"])
        for name in ["id", "commitment", "device"] {
            let members = try members(shown).filter { !$0.name.equals(text: name) }
            #expect(ShownEnrolment(json: .object(members)) == nil)
        }
        #expect(ShownEnrolment(json: .null) == nil)
    }
}
