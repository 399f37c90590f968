import Encodings
import Testing

@testable import CryptoProvider

@Suite struct JWETests {
    static let type = "countersign-package+jwe"
    let plaintext = Bytes(text: "Transcript of records")

    /// A sealed message with other header members, authentic in itself: what a hostile sender could make.
    private func sealed(_ change: ([JSON.Member]) -> [JSON.Member], to key: EncryptionKey) throws -> Bytes {
        let honest = try JWE.seal(plaintext, to: key.publicKey, type: Self.type)
        var parts = honest.split(at: 0x2E)
        let header = try JSON.parse(try #require(Base64.decode(parts[0], .url)))
        parts[0] = Base64.encode(JSON.object(change(try #require(header.members))).serialized(), .url)
        return Bytes(parts.joined(separator: [0x2E]))
    }

    private static func set(_ name: String, _ value: JSON?) -> ([JSON.Member]) -> [JSON.Member] {
        { members in
            let others = members.filter { $0.name != Bytes(text: name) }
            return value.map { others + [JSON.Member(name, $0)] } ?? others
        }
    }

    static let point65 = Base64.encode(Bytes(repeating: 7, count: 32), .url)

    static let headers: [(String, JSON?, JWEError)] = [
        ("alg", .text("dir"), .unsupportedAlgorithm),
        ("alg", .text("ECDH-ES+A256KW"), .unsupportedAlgorithm),
        ("alg", .text("RSA-OAEP"), .unsupportedAlgorithm),
        ("alg", nil, .malformed),
        ("alg", .integer(1), .malformed),
        ("enc", .text("A128GCM"), .unsupportedAlgorithm),
        ("enc", .text("A128CBC-HS256"), .unsupportedAlgorithm),
        ("enc", nil, .malformed),
        ("zip", .text("DEF"), .unsupportedExtension),
        ("crit", .array([.text("exp")]), .unsupportedExtension),
        ("typ", .text("other"), .wrongPurpose),
        ("typ", nil, .wrongPurpose),
        ("kid", .text("someone-else"), .wrongRecipient),
        ("kid", .integer(1), .wrongRecipient),
        ("epk", nil, .badKey),
        ("epk", .text("x"), .badKey),
        ("epk", .members([("kty", .text("OKP")), ("crv", .text("X25519")), ("x", .string(point65))]), .badKey),
        (
            // Not a point on the curve: the way of the invalid-curve attack.
            "epk",
            .members([
                ("kty", .text("EC")), ("crv", .text("P-256")), ("x", .string(point65)), ("y", .string(point65)),
            ]), .badKey
        ),
        ("apu", .integer(1), .malformed),
        ("apv", .text("not base64url!"), .malformed),
        ("apu", .text("QWxpY2U"), .notAuthentic),
        ("added", .bool(true), .notAuthentic),
    ]

    @Test("A header that we did not agree to is refused for the right reason", arguments: headers)
    func header(_ name: String, _ value: JSON?, _ error: JWEError) throws {
        let key = try EncryptionKey()
        let compact = try sealed(Self.set(name, value), to: key)
        #expect(throws: error) { try JWE.open(compact, with: key, type: Self.type) }
    }

    @Test(
        "What is no compact JWE is refused",
        arguments: [
            "", ".", "....", "a.b.c.d.e", "e30....", "e30.AA.AAAAAAAAAAAAAAAA..AAAAAAAAAAAAAAAAAAAAAA", "W10....",
        ])
    func malformed(_ text: String) throws {
        let key = try EncryptionKey()
        #expect(throws: JWEError.malformed) { try JWE.open(Bytes(text: text), with: key, type: Self.type) }
    }

    @Test("A duplicate header member is refused")
    func duplicateMember() throws {
        let key = try EncryptionKey()
        let compact = try sealed({ $0 + [JSON.Member("alg", .text("ECDH-ES"))] }, to: key)
        #expect(throws: JWEError.malformed) { try JWE.open(compact, with: key, type: Self.type) }
    }

    @Test("An encrypted key, a short nonce, a short tag or a sixth part is refused")
    func parts() throws {
        let key = try EncryptionKey()
        let parts = try JWE.seal(plaintext, to: key.publicKey, type: Self.type).split(at: 0x2E)
        func joined(_ index: Int, _ value: Bytes) -> Bytes {
            var changed = parts
            changed[index] = value
            return Bytes(changed.joined(separator: [0x2E]))
        }
        let bad = [
            joined(1, Bytes(text: "AAAA")), joined(2, Bytes(text: "AAAA")), joined(4, Bytes(parts[4].dropLast(2))),
            joined(4, []), Bytes((parts + [[]]).joined(separator: [0x2E])),
        ]
        for compact in bad {
            #expect(throws: JWEError.malformed) { try JWE.open(compact, with: key, type: Self.type) }
        }
    }

    @Test("No changed character goes unnoticed")
    func changed() throws {
        let key = try EncryptionKey()
        let compact = try JWE.seal(plaintext, to: key.publicKey, type: Self.type)
        for index in compact.indices {
            var changed = compact
            changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
            #expect(throws: JWEError.self) { try JWE.open(changed, with: key, type: Self.type) }
        }
    }

    @Test("Another key does not open it, even when the recipient's name is left out")
    func otherKey() throws {
        let key = try EncryptionKey()
        let compact = try JWE.seal(plaintext, to: try EncryptionKey().publicKey, type: Self.type)
        #expect(throws: JWEError.wrongRecipient) { try JWE.open(compact, with: key, type: Self.type) }
        let anonymous = try sealed(Self.set("kid", nil), to: try EncryptionKey())
        #expect(throws: JWEError.notAuthentic) { try JWE.open(anonymous, with: key, type: Self.type) }
    }

    @Test("Nothing is sealed to a key that is not on the curve")
    func badRecipient() throws {
        let recipient = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 9, count: 64)))
        #expect(throws: JWEError.badKey) { try JWE.seal(plaintext, to: recipient, type: Self.type) }
    }

    @Test("What is sealed is opened, whatever the length", arguments: [0, 1, 2, 3, 1000, 1 << 18])
    func roundTrip(_ length: Int) throws {
        let key = try EncryptionKey()
        let message = Bytes(repeating: 0x5A, count: length)
        let compact = try JWE.seal(message, to: key.publicKey, type: Self.type)
        #expect(try JWE.open(compact, with: key, type: Self.type) == message)
        #expect(try JWE.seal(message, to: key.publicKey, type: Self.type) != compact)
    }

    @Test("Key agreement and derivation give the answer of RFC 7518 Appendix C")
    func appendixC() throws {
        func decoded(_ text: String) throws -> Bytes { try #require(Base64.decode(Bytes(text: text), .url)) }
        let alice = try EncryptionKey(rawRepresentation: decoded("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo"))
        let bob = try #require(
            P256PublicKey(
                x963: [4] + decoded("weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ")
                    + decoded("e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck")))
        let key = ConcatKDF.derive(
            secret: try alice.sharedSecret(with: bob), algorithm: "A128GCM", partyU: Bytes(text: "Alice"),
            partyV: Bytes(text: "Bob"), length: 16)
        #expect(key == (try decoded("VqqN6vgjbSBcIijNcacQGg")))
    }
}

/// The Python package joserfc on the other side.
@Suite struct JoserfcTests {
    private func privateJWK(_ key: EncryptionKey) -> JSON {
        JSON.object(
            (key.publicKey.jwk.members ?? []) + [
                JSON.Member("d", .string(Base64.encode(key.rawRepresentation, .url)))
            ])
    }

    @Test("joserfc opens what we seal")
    func theyOpen() throws {
        let key = try EncryptionKey()
        let compact = try JWE.seal(Bytes(text: "blåbærsyltetøy"), to: key.publicKey, type: JWETests.type)
        let input = JSON.members([("key", privateJWK(key)), ("jwe", .string(compact))]).serialized()
        let program = """
            import json, sys
            from joserfc import jwe
            from joserfc.jwk import ECKey
            given = json.load(sys.stdin)
            key = ECKey.import_key(given["key"])
            opened = jwe.decrypt_compact(given["jwe"], key, algorithms=["ECDH-ES", "A256GCM"])
            sys.stdout.buffer.write(opened.plaintext.hex().encode() + b" " + opened.protected["typ"].encode())
            """
        let output = try OtherPrograms.python(program, input: String(decoding: input, as: UTF8.self))
        let expected = String(decoding: Hex.encode(Bytes(text: "blåbærsyltetøy")), as: UTF8.self)
        #expect(output == "\(expected) \(JWETests.type)")
    }

    @Test("We open what joserfc seals, with and without names of the parties", arguments: [false, true])
    func weOpen(_ withParties: Bool) throws {
        let key = try EncryptionKey()
        let input = String(decoding: key.publicKey.jwk.serialized(), as: UTF8.self)
        let parties = withParties ? ", 'apu': 'QWxpY2U', 'apv': 'Qm9i'" : ""
        let program = """
            import json, sys
            from joserfc import jwe
            from joserfc.jwk import ECKey
            key = ECKey.import_key(json.load(sys.stdin))
            header = {'alg': 'ECDH-ES', 'enc': 'A256GCM', 'typ': '\(JWETests.type)'\(parties)}
            print(jwe.encrypt_compact(header, b'sealed elsewhere', key, algorithms=["ECDH-ES", "A256GCM"]))
            """
        let compact = Bytes(text: try OtherPrograms.python(program, input: input))
        #expect(try JWE.open(compact, with: key, type: JWETests.type) == Bytes(text: "sealed elsewhere"))
    }
}
