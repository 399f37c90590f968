import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("The vectors of the original's protocol")
struct OriginalVectorTests {
    private let suite = PureSuite()

    /// The value of a vector, written with tags.
    private func value(_ json: JSON) throws -> Bencode {
        switch string(try json.text("t")) {
        case "int":
            let text = string(try json.text("v"))
            return .integer(try #require(Int64(text)))
        case "str": return .string(try json.text("v"))
        case "bytes": return .string(try json.hex("hex"))
        case "list": return .list(try json.list("v").map(value))
        case "dict":
            return .dictionary(
                try json.list("v").map { pair in
                    let parts = try #require(pair.array)
                    let key = try parts[0].string ?? parts[0].hex("hex")
                    return Bencode.Entry(key, try value(parts[1]))
                })
        default: throw Missing()
        }
    }

    @Test("of Bencode are written, read and refused as they say")
    func bencode() throws {
        let vectors = try Fixture.vectors("bencode")
        #expect(vectors.count == 32)
        for vector in vectors {
            let name = string(try vector.text("id"))
            let bytes = try vector.hex("bytes_hex")
            if try vector.text("op").equals("encode") {
                #expect(try value(vector.member("value")).encoded() == bytes, "\(name)")
                #expect(try Bencode.parse(bytes).encoded() == bytes)
            } else if try vector.text("expect").equals("accept") {
                #expect(try Bencode.parse(bytes).encoded() == bytes, "\(name)")
            } else {
                #expect(throws: BencodeError.self, "\(name)") { try Bencode.parse(bytes) }
            }
        }
    }

    @Test("of challenges have our bytes and digests, and both signatures hold")
    func challenges() throws {
        let file = try Fixture.json("challenges")
        let server = try OriginalServerKey(pem: try file.text("server_public_pem"))
        let vectors = try file.list("vectors")
        #expect(vectors.count == 12)
        for vector in vectors {
            let name = string(try vector.text("id"))
            let challenge = try OriginalChallenge(try vector.member("fields"))
            let bytes = try vector.hex("canonical_hex")
            #expect(challenge.canonical() == bytes, "\(name)")
            #expect(challenge.digest == (try vector.hex("sha384_hex")), "\(name)")
            let key = try OriginalDeviceKey.parse(try vector.text("public_key_pem"), suite: suite)
            #expect(OriginalDeviceKey.pem(key) == (try vector.text("public_key_pem")))
            let signature = try ECDSASignature.raw(fromDER: try vector.hex("signature_hex"))
            let isSHA384 = suite.isValidP256WithSHA384(signature, over: bytes, publicKey: key.x963)
            // The paper's own sample is of the time before SHA-384, and must be refused now.
            #expect(isSHA384 == (try vector.text("hash").equals("sha384")), "\(name)")
            #expect(isSHA384 != suite.isValidP256(signature, over: bytes, publicKey: key.x963), "\(name)")
            guard let base64 = vector["server_signature_b64"]?.string else { continue }
            let signed = UnverifiedOriginalChallenge(
                challenge: challenge, signature: try #require(Base64.decode(base64, .standard)))
            #expect(try signed.verified(by: server, suite: suite) == challenge, "\(name)")
        }
    }

    @Test("of links are accepted and refused as they say")
    func payloads() throws {
        let file = try Fixture.json("payloads")
        let server = try OriginalServerKey(pem: try file.text("server_public_pem"))
        let vectors = try file.list("vectors")
        #expect(vectors.count == 11)
        for vector in vectors {
            let name = string(try vector.text("id"))
            let url = try vector.text("url")
            guard try vector.text("expect").equals("accept") else {
                let expected = try vector.text("reason")
                do {
                    _ = try OriginalLink.parse(url).verified(by: server, suite: suite)
                    Issue.record("\(name) was accepted")
                } catch {
                    #expect((error == .invalidSignature) == expected.equals("bad_server_signature"), "\(name)")
                    #expect((error == .malformed) == expected.equals("malformed"), "\(name)")
                }
                continue
            }
            let signed = try OriginalLink.parse(url)
            let challenge = try signed.verified(by: server, suite: suite)
            #expect(try challenge == OriginalChallenge(try vector.member("fields")), "\(name)")
            #expect(challenge.canonical() == (try vector.hex("canonical_hex")), "\(name)")
            // The first is the link as the original's service makes it, and so do we, to the last byte.
            if name == "p01-good" { #expect(OriginalLink.encodeAsOriginal(signed) == url) }
        }
    }

    @Test("of replies do what they say to a request, and to no other")
    func replies() throws {
        let vectors = try Fixture.vectors("replies")
        #expect(vectors.count == 20)
        for vector in vectors { try reply(vector) }
    }

    private func reply(_ vector: JSON) throws {
        let name = string(try vector.text("id"))
        let challenge = try OriginalChallenge(try vector.member("challenge"))
        let stored = try vector["stored_device_pem"]?.string.map { try OriginalDeviceKey.parse($0, suite: suite) }
        let now = try vector.number("now")
        let account = Bytes(text: "alice")
        var request = ApprovalLifecycle(expires: challenge.expiry, approvers: [account])
        let body = try vector.text("body")
        func answer() throws(ApprovalError) -> GivenAnswer {
            let sent = try OriginalReply.parse(body)
            let known = sent.messageID == challenge.messageID ? challenge : nil
            let reply = try sent.verified(for: known, device: stored, serverKeys: [], suite: suite)
            return GivenAnswer(approver: account, key: reply.key, decision: .allow(code: nil))
        }
        let other = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 9, count: 64)))
        switch string(try vector.text("challenge_state")) {
        case "approved-by-same-reply": _ = try request.take(answer(), at: now)
        case "approved-by-other-reply":
            _ = try request.take(GivenAnswer(approver: account, key: other, decision: .allow(code: nil)), at: now)
        case "denied":
            let key = stored ?? other
            _ = try request.take(
                GivenAnswer(approver: account, key: key, decision: .deny(.notMe, .request)), at: now)
        default: break
        }
        let before = request
        let expected = string(try vector.text("expect"))
        do {
            let effect = try request.take(answer(), at: now)
            #expect(effect == (expected == "approved" ? .approved : .repeated), "\(name)")
            #expect(expected != "refused", "\(name) was accepted")
        } catch {
            #expect(expected == "refused", "\(name) was refused: \(error)")
            #expect(string(error.name) == string(try vector.text("reason")), "\(name)")
            #expect(request == before, "\(name)")
        }
    }
}
