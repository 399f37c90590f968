import Encodings
import Testing

@Suite("Compact JWS")
struct CompactJWSTests {
    /// Accepts exactly one signature over one input by one key.
    private struct OneSignature: CryptoSuite {
        let input: Bytes
        let signature: Bytes
        let key: Bytes

        func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
            signature == self.signature && message == input && publicKey == key
        }

        func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    }

    private static let signature = Bytes(repeating: 0xA5, count: 64)

    private static func encoded(_ text: String) -> Bytes { Base64.encode(Bytes(text: text), .url) }

    private static func compact(
        _ header: String,
        _ payload: String = "{}",
        signature: Bytes = signature
    ) -> Bytes {
        encoded(header) + [0x2E] + encoded(payload) + [0x2E] + Base64.encode(signature, .url)
    }

    @Test(
        "Headers that ask for another algorithm, for extensions, or that are no object are refused",
        arguments: [
            (#"{"alg":"none"}"#, JWSError.unsupportedAlgorithm), (#"{"alg":"None"}"#, .unsupportedAlgorithm),
            (#"{"alg":"es256"}"#, .unsupportedAlgorithm), (#"{"alg":"HS256"}"#, .unsupportedAlgorithm),
            (#"{"alg":"ES384"}"#, .unsupportedAlgorithm), (#"{"alg":""}"#, .unsupportedAlgorithm),
            (#"{"alg":"ES256","crit":["b64"],"b64":false}"#, .unsupportedExtension),
            (#"{"alg":"ES256","crit":[]}"#, .unsupportedExtension),
            (#"{"alg":"ES256","b64":true}"#, .unsupportedExtension),
            (#"{"alg":"ES256","crit":null}"#, .unsupportedExtension),
            ("{}", .malformed), (#"{"alg":256}"#, .malformed), (#"{"alg":["ES256"]}"#, .malformed), ("[]", .malformed),
            (#""ES256""#, .malformed), ("", .malformed), (#"{"alg":"ES256","alg":"none"}"#, .malformed),
            (#"{"alg":"ES256"} x"#, .malformed), (#"{"ALG":"ES256"}"#, .malformed),
        ]
    )
    func badHeaders(header: String, error: JWSError) {
        #expect(throws: error) { try UnverifiedJWS.parse(Self.compact(header)) }
    }

    @Test(
        "Payloads that are no object are refused",
        arguments: ["", "1", "[]", #""x""#, "null", #"{"a":1,"a":2}"#, "{"]
    )
    func badPayloads(payload: String) {
        #expect(throws: JWSError.malformed) { try UnverifiedJWS.parse(Self.compact(#"{"alg":"ES256"}"#, payload)) }
    }

    @Test("Texts of other than three strict base64url parts are refused")
    func badForms() {
        let good = Self.compact(#"{"alg":"ES256"}"#)
        let refused: [Bytes] = [
            [], [0x2E], [0x2E, 0x2E], good + [0x2E], [0x2E] + good, good + [0x3D], good + [0x0A], [0x20] + good,
            good.filter { $0 != 0x2E }, good.map { $0 == 0x2E ? 0x2C : $0 },
            Self.encoded("{}") + [0x2E] + Self.encoded("{}"),
        ]
        for text in refused { #expect(throws: JWSError.malformed) { try UnverifiedJWS.parse(text) } }
        for count in [0, 1, 63, 65, 70, 128] {
            let text = Self.compact(#"{"alg":"ES256"}"#, signature: Bytes(repeating: 1, count: count))
            #expect(throws: JWSError.malformed) { try UnverifiedJWS.parse(text) }
        }
        #expect(throws: JWSError.tooLong) { try UnverifiedJWS.parse(good, maximumLength: good.count - 1) }
    }

    @Test("What was built is read back, and the payload is given out only for the right key, purpose and bytes")
    func roundTrip() throws {
        let key = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 1, count: 64)))
        let other = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 2, count: 64)))
        let payload = JSON.members([("aud", .text("x")), ("iat", .integer(1))])
        let input = CompactJWS.signingInput(type: "kb+jwt", header: [JSON.Member("kid", .text("k"))], payload: payload)
        let text = CompactJWS.text(signingInput: input, signature: Self.signature)
        let suite = OneSignature(input: input, signature: Self.signature, key: key.x963)

        let jws = try UnverifiedJWS.parse(text)
        #expect(jws.header.serialized().equals(#"{"alg":"ES256","typ":"kb+jwt","kid":"k"}"#))
        #expect(jws.signingInput == input)
        #expect(jws.signature == Self.signature)
        #expect(try jws.payload(signedBy: key, type: "kb+jwt", suite: suite) == payload)
        #expect(throws: JWSError.badSignature) { try jws.payload(signedBy: other, type: "kb+jwt", suite: suite) }
        for type in ["", "kb+jw", "KB+JWT", "statuslist+jwt"] as [StaticString] {
            #expect(throws: JWSError.wrongPurpose) { try jws.payload(signedBy: key, type: type, suite: suite) }
        }
        let changed = Bytes(repeating: 0xA4, count: 64)
        let forged = try UnverifiedJWS.parse(CompactJWS.text(signingInput: input, signature: changed))
        #expect(throws: JWSError.badSignature) { try forged.payload(signedBy: key, type: "kb+jwt", suite: suite) }
    }

    @Test("A header without purpose, or with one that is no text, serves no purpose", arguments: ["", #","typ":7"#])
    func noPurpose(member: String) throws {
        let key = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 1, count: 64)))
        let text = Self.compact(#"{"alg":"ES256"\#(member)}"#)
        let jws = try UnverifiedJWS.parse(text)
        let suite = OneSignature(input: jws.signingInput, signature: jws.signature, key: key.x963)
        #expect(throws: JWSError.wrongPurpose) { try jws.payload(signedBy: key, type: "", suite: suite) }
    }
}
