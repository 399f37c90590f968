import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("The original's protocol, attacked")
struct OriginalTests {
    private let suite = PureSuite()
    private let account = Bytes(text: "alice")

    private func vector(_ name: String) throws -> JSON {
        try #require(
            Fixture.vectors("replies").first {
                $0["id"]?.isString("") == false && string($0["id"]?.string ?? []) == name
            })
    }

    private func challenge(_ name: String) throws -> OriginalChallenge {
        try OriginalChallenge(try vector(name).member("challenge"))
    }

    /// The body of a vector with members changed; `nil` removes one.
    private func body(_ name: String, _ changes: [(String, JSON?)]) throws -> Bytes {
        var members = try #require(JSON.parse(try vector(name).text("body")).members)
        for (member, value) in changes {
            members.removeAll { $0.name.equals(text: member) }
            if let value { members.append(.init(member, value)) }
        }
        return JSON.object(members).serialized()
    }

    private func refusal(
        _ body: Bytes, _ challenge: OriginalChallenge, device: P256PublicKey? = nil, serverKeys: [P256PublicKey] = []
    ) -> ApprovalError? {
        do {
            _ = try OriginalReply.parse(body).verified(
                for: challenge, device: device, serverKeys: serverKeys, suite: suite)
            return nil
        } catch {
            return error
        }
    }

    @Test("enrols P-256 keys only: no path, no other curve, no RSA, nothing compressed, nothing of the server's")
    func keys() throws {
        let challenge = try challenge("r17-enrol-ok")
        let good = try vector("r17-enrol-ok").text("body")
        #expect(refusal(good, challenge) == nil)
        let sent = try #require(JSON.parse(good)["publickey"]?.string)
        let key = try OriginalDeviceKey.parse(sent, suite: suite)
        #expect(refusal(good, challenge, serverKeys: [key]) == .unsupportedKey)
        let rsa = try Fixture.json("challenges").text("server_public_pem")
        var bad: [Bytes] = [
            Bytes(text: "file:///etc/ssl/server.pem"), rsa, [], sent + sent, sent.dropLast(5) + [],
            Bytes(text: "-----BEGIN PUBLIC KEY-----\nMEYwEAYHKoZIzj0CAQYFK4EEAAoDMgAEAAAA\n-----END PUBLIC KEY-----"),
        ]
        bad.append(Bytes(text: string(sent).replacing("PUBLIC", with: "PRIVATE")))
        // One bit off the curve.
        bad.append(Bytes(text: string(sent).replacing("HSnBQ==", with: "HSnBA==")))
        for pem in bad {
            #expect(refusal(try body("r17-enrol-ok", [("publickey", .string(pem))]), challenge) == .unsupportedKey)
        }
        // The app's own spelling with CR LF, and with a line end after the last line.
        for pem in [string(sent).replacing("\n", with: "\r\n"), string(sent) + "\n"] {
            #expect(refusal(try body("r17-enrol-ok", [("publickey", .text(pem))]), challenge) == nil)
        }
    }

    @Test("does not ask which key a reply to an ordinary challenge carries")
    func carriedKey() throws {
        let challenge = try challenge("r01-ok")
        let device = try OriginalDeviceKey.parse(try vector("r01-ok").text("stored_device_pem"), suite: suite)
        #expect(refusal(try body("r01-ok", [("publickey", .text("anything"))]), challenge, device: device) == nil)
        // And takes none from it: an account without a device cannot be approved for.
        #expect(refusal(try vector("r01-ok").text("body"), challenge) == .unknownDevice)
        let server = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 1, count: 64)))
        #expect(
            refusal(try vector("r01-ok").text("body"), challenge, device: server, serverKeys: [server])
                == .unsupportedKey)
    }

    @Test("reads numbers as numbers and text as text, whatever somebody puts there")
    func types() throws {
        let challenge = try challenge("r01-ok")
        let device = try OriginalDeviceKey.parse(try vector("r01-ok").text("stored_device_pem"), suite: suite)
        let injected = "4001 UNION SELECT 1"
        let numbers: [JSON?] = [
            nil, .null, .bool(true), .text("4001"), .text(injected), .decimal(Bytes(text: "4001.0")),
            .decimal(Bytes(text: "9007199254740993")), .decimal(Bytes(text: "4.001e3")), .integer(-1),
            .array([.integer(4001)]),
        ]
        for number in numbers {
            #expect(refusal(try body("r01-ok", [("message_id", number)]), challenge, device: device) == .malformed)
        }
        for value in [nil, .null, .integer(1), .bool(false), .array([]), .object([])] as [JSON?] {
            #expect(refusal(try body("r01-ok", [("signature", value)]), challenge, device: device) == .malformed)
            #expect(refusal(try body("r01-ok", [("publickey", value)]), challenge, device: device) == .malformed)
        }
        for value in [.null, .integer(1), .text("xyz"), .text("abc"), .string(Bytes(repeating: 0x61, count: 514))]
            as [JSON]
        {
            #expect(refusal(try body("r01-ok", [("token", value)]), challenge, device: device) == .malformed)
        }
        for text in ["", "[]", "null", "{}", "message_id=1&signature=x", "{\"message_id\":", "\u{FEFF}{}", "1"] {
            #expect(throws: ApprovalError.malformed) { try OriginalReply.parse(Bytes(text: text)) }
        }
        let long = Bytes(text: "{\"a\":\"") + Bytes(repeating: 0x61, count: 1 << 16) + Bytes(text: "\"}")
        #expect(throws: ApprovalError.malformed) { try OriginalReply.parse(long) }
    }

    @Test("answers in JSON, always")
    func answers() {
        #expect(string(OriginalAnswer.success) == #"{"success":true}"#)
        #expect(string(OriginalAnswer.failure(.unknownChallenge)) == #"{"success":false,"error":"unknown_challenge"}"#)
        #expect(string(OriginalAnswer.isSigned(true)) == #"{"signed":true}"#)
        #expect(string(OriginalAnswer.isSigned(false)) == #"{"signed":false}"#)
    }

    @Test("makes replies that it reads")
    func reply() throws {
        let device = try OriginalDeviceKey.parse(try vector("r01-ok").text("stored_device_pem"), suite: suite)
        let sent = try OriginalReply.parse(try vector("r01-ok").text("body"))
        let made = try OriginalReply.body(
            messageID: sent.messageID, signature: sent.signature, publicKey: device, token: sent.token)
        #expect(try OriginalReply.parse(made) == sent)
        #expect(throws: ApprovalError.malformed) {
            try OriginalReply.body(messageID: 1, signature: [], publicKey: device, token: [])
        }
    }

    @Test("makes links without a slash, whatever the text is")
    func links() throws {
        let signature = Bytes(0...255)
        let texts = [
            "Is this you?", "??????", "a????", "\u{7F}\u{7F}\u{7F}\u{7F}", "\u{1F535}\u{1F535} caf\u{E9}?",
            "\u{FFFF}\u{10FFFF}?", "\"\\/\u{8}\u{1}\n", "\u{65E5}\u{672C}\u{8A9E}???",
        ]
        for text in texts {
            for shift in 0..<3 {
                let body = Bytes(repeating: 0x61, count: shift) + Bytes(text: text)
                let challenge = try OriginalChallenge(
                    body: body, category: OriginalChallenge.challengeCategory, expiry: -1, messageID: 1,
                    nonce: body, responseURL: Bytes(text: "https://a.example/?b"), shortTitle: body, subtitle: body)
                let sent = UnverifiedOriginalChallenge(challenge: challenge, signature: signature)
                let link = OriginalLink.encode(sent)
                #expect(!link.dropFirst(OriginalLink.scheme.count).contains(0x2F))
                #expect(try OriginalLink.parse(link) == sent)
                #expect(try OriginalLink.parse(OriginalLink.encodeAsOriginal(sent)) == sent)
            }
        }
        for link in ["", "authreq://", "authreq:eyJ9", "authreq://e30=", "authreq://e30", "authreq://e30=\n"] {
            #expect(throws: ApprovalError.malformed) { try OriginalLink.parse(Bytes(text: link)) }
        }
    }

    @Test("signs text as it came, and takes two spellings of one letter for two")
    func bytes() throws {
        func challenge(_ body: Bytes) throws -> OriginalChallenge {
            try OriginalChallenge(
                body: body, category: OriginalChallenge.enrolmentCategory, expiry: 0, messageID: 0, nonce: [],
                responseURL: [], shortTitle: [], subtitle: [], title: [])
        }
        let composed = try challenge(Bytes(text: "\u{E9}"))
        let decomposed = try challenge(Bytes(text: "e\u{301}"))
        #expect(composed != decomposed)
        #expect(composed.canonical() != decomposed.canonical())
        #expect(try Bencode.parse(composed.canonical())["body"]?.string == Bytes(text: "\u{E9}"))
        #expect(throws: ApprovalError.malformed) { try challenge([0xFF]) }
        #expect(throws: ApprovalError.malformed) {
            try OriginalChallenge(
                body: [], category: Bytes(text: "other"), expiry: 0, messageID: 0, nonce: [], responseURL: [],
                shortTitle: [], subtitle: [])
        }
    }

    @Test("takes RSA keys of 2,048 to 4,096 bits, and signatures to the last bit")
    func rsa() throws {
        let file = try Fixture.json("challenges")
        let key = try OriginalServerKey(pem: try file.text("server_public_pem"))
        #expect(key.modulus.count == 256)
        #expect(key.exponent == [1, 0, 1])
        let vector = try file.list("vectors")[0]
        let message = try vector.hex("canonical_hex")
        let signature = try #require(Base64.decode(try vector.text("server_signature_b64"), .standard))
        func isValid(_ signature: Bytes, _ message: Bytes, _ modulus: Bytes, _ exponent: Bytes) -> Bool {
            suite.isValidRSAWithSHA384(signature, over: message, modulus: modulus, exponent: exponent)
        }
        #expect(isValid(signature, message, key.modulus, key.exponent))
        #expect(!isValid(signature, message + [0], key.modulus, key.exponent))
        for bit in stride(from: 0, to: 2_048, by: 97) {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(changed, message, key.modulus, key.exponent))
        }
        #expect(!isValid(Bytes(repeating: 0, count: 256), message, key.modulus, key.exponent))
        #expect(!isValid([0] + signature, message, key.modulus, key.exponent))
        #expect(!isValid(Array(signature.dropLast()), message, key.modulus, key.exponent))
        #expect(!isValid(key.modulus, message, key.modulus, key.exponent))
        #expect(!isValid(signature, message, key.modulus, [1]))
        #expect(!isValid(signature, message, key.modulus, []))
        #expect(!isValid(signature, message, Array(key.modulus.dropLast()) + [0], key.exponent))
        // The same number plus the modulus is the same signature to arithmetic, and a second spelling of it.
        let small = try file.list("vectors")[4]
        var sum = try #require(Base64.decode(try small.text("server_signature_b64"), .standard))
        #expect(isValid(sum, try small.hex("canonical_hex"), key.modulus, key.exponent))
        var carry = 0
        for index in (0..<256).reversed() {
            carry += Int(sum[index]) + Int(key.modulus[index])
            sum[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        #expect(carry == 0)
        #expect(!isValid(sum, try small.hex("canonical_hex"), key.modulus, key.exponent))
        for pem in [Bytes(), try vector.text("public_key_pem")] {
            #expect(throws: ApprovalError.self) { try OriginalServerKey(pem: pem) }
        }
    }
}
