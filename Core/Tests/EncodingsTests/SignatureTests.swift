import Encodings
import Testing

@Suite("Signatures and keys in their texts")
struct SignatureTests {
    private func bytes(_ hex: String) throws -> Bytes {
        try #require(Hex.decode(Bytes(text: hex.filter { $0 != " " })))
    }

    @Test(
        "DER signatures in any but the one form are refused",
        arguments: [
            ("", DERError.truncated), ("30 00", .truncated), ("30 03 02 01 01", .truncated),
            ("31 06 02 01 01 02 01 02", .unexpectedTag(0x31)), ("30 06 03 01 01 02 01 02", .unexpectedTag(0x03)),
            ("30 06 02 01 01 02 01 02 00", .trailing), ("30 09 02 01 01 02 01 02 02 01 03", .trailing),
            ("30 81 06 02 01 01 02 01 02", .notCanonical), ("30 07 02 02 00 01 02 01 02", .notCanonical),
            ("30 80 02 01 01 02 01 02 00 00", .notCanonical), ("30 05 02 00 02 01 02", .notCanonical),
            ("30 06 02 01 81 02 01 02", .unsupported), ("30 06 02 01 01 02 01 ff", .unsupported),
            ("30 07 02 01 01 02 01 02", .truncated),
        ]
    )
    func badDER(hex: String, error: DERError) throws {
        let input = try bytes(hex)
        #expect(throws: error) { try ECDSASignature.raw(fromDER: input) }
    }

    @Test("Numbers of more than 256 bits are refused, of 256 bits are read with and without their zero")
    func sizes() throws {
        let full = String(repeating: "f", count: 64)
        let raw = try ECDSASignature.raw(fromDER: bytes("30 26 02 21 00 \(full) 02 01 07"))
        #expect(raw == Bytes(repeating: 0xFF, count: 32) + Bytes(repeating: 0, count: 31) + [7])
        let large = try bytes("30 26 02 21 01 \(full) 02 01 07")
        #expect(throws: DERError.unsupported) { try ECDSASignature.raw(fromDER: large) }
        let zero = try ECDSASignature.raw(fromDER: bytes("30 06 02 01 00 02 01 00"))
        #expect(zero == Bytes(repeating: 0, count: 64))
    }

    /// Keys whose thumbprints were computed with Python's `joserfc`; the x of the second begins with a zero byte.
    static let keys: [(point: String, jwk: String, thumbprint: String)] = [
        (
            "0445dfa86e37555a11b098f18b51d60b637308b8353f6c8a0af691c10e71b3786b"
                + "8f5d6a022af67f65c258084f1554933578094dc3cdb9f57fd3a8e6b9b4343891",
            #"{"crv":"P-256","kty":"EC","x":"Rd-objdVWhGwmPGLUdYLY3MIuDU_bIoK9pHBDnGzeGs","#
                + #""y":"j11qAir2f2XCWAhPFVSTNXgJTcPNufV_06jmubQ0OJE"}"#,
            "BIl-VcyNP71Z2N1RDCAvl1uAsRUSOxNrpZPw1G5Mi8c"
        ),
        (
            "04005543894af3d00ed7d740abdbd75c96b06877b787db5f70eea78b90a8d7c00a"
                + "bb4c85a3d8ea29efaafa24406912dd84d5b14dc32bf656ef6c6bd58a5d943f92",
            #"{"crv":"P-256","kty":"EC","x":"AFVDiUrz0A7X10Cr29dclrBod7eH219w7qeLkKjXwAo","#
                + #""y":"u0yFo9jqKe-q-iRAaRLdhNWxTcMr9lbvbGvVil2UP5I"}"#,
            "7Yxe6c_3bAa6kiaK1G-BZmi9EeNsUmlcbdnrtLeuK4E"
        ),
    ]

    @Test("Keys have the thumbprints that joserfc gives them, and their JWK goes both ways", arguments: keys)
    func thumbprints(point: String, jwk: String, thumbprint: String) throws {
        let key = try #require(P256PublicKey(x963: bytes(point)))
        #expect(key.jwk.serialized() == Bytes(text: jwk))
        #expect(try key.jwk.canonical() == Bytes(text: jwk))
        #expect(Base64.encode(key.thumbprint, .url) == Bytes(text: thumbprint))
        #expect(P256PublicKey(jwk: try JSON.parse(Bytes(text: jwk))) == key)
        let decorated = jwk.dropLast() + #","use":"sig","kid":"1"}"#
        #expect(P256PublicKey(jwk: try JSON.parse(Bytes(text: String(decorated)))) == key)
    }

    @Test(
        "Keys of another kind, private keys and keys in another spelling are refused",
        arguments: [
            ("EC", "OKP"), ("EC", "ec"), ("P-256", "P-384"), ("P-256", "secp256k1"), (#""kty":"EC","#, ""),
            (#""crv":"P-256","#, ""), (#""kty""#, #""d":"AA","kty""#), (#""kty""#, #""d":null,"kty""#),
            ("Rd-objdV", "objdV"), ("Rd-objdV", "Rd+objdV"), (#"zeGs""#, #"zeGs=""#), (#"zeGs""#, #"zeGt""#),
            (#""x":"Rd"#, #""x":"AARd"#), (#""P-256""#, "256"), (#""x""#, #""X""#),
        ]
    )
    func badKeys(part: String, replacement: String) throws {
        let text = Self.keys[0].jwk
        let range = try #require(text.firstRange(of: part))
        let changed = try JSON.parse(Bytes(text: text.replacingCharacters(in: range, with: replacement)))
        #expect(P256PublicKey(jwk: changed) == nil)
    }

    @Test("Points that are not uncompressed are refused")
    func badPoints() throws {
        let point = try bytes(Self.keys[0].point)
        #expect(P256PublicKey(x963: Array(point.dropLast())) == nil)
        #expect(P256PublicKey(x963: point + [0]) == nil)
        #expect(P256PublicKey(x963: [2] + point.dropFirst()) == nil)
        #expect(P256PublicKey(x963: []) == nil)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with replacement: String) -> String {
        self[..<range.lowerBound] + replacement + self[range.upperBound...]
    }
}
