import CryptoProvider
import Encodings
import Testing

@Suite("Encryption of push messages")
struct WebPushTests {
    private static func bytes(_ text: String) throws -> Bytes { try #require(Base64.decode(Bytes(text: text), .url)) }

    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private static let receiver =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"

    private static func encrypt(
        _ text: String, receiver: P256PublicKey? = nil, auth: Bytes? = nil, salt: Bytes? = nil, paddedTo length: Int = 0
    ) throws -> Bytes {
        try WebPushEncryption.encrypt(
            Bytes(text: text), for: receiver ?? #require(P256PublicKey(x963: bytes(Self.receiver))),
            auth: auth ?? bytes(Self.auth), with: EncryptionKey(rawRepresentation: bytes(sender)),
            salt: salt ?? bytes(Self.salt), paddedTo: length)
    }

    @Test("the example of RFC 8291, appendix A, byte for byte")
    func example() throws {
        let expected =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru"
            + "3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        #expect(try Self.encrypt("When I grow up, I want to be a watermelon") == Self.bytes(expected))
    }

    @Test("padded messages have one length, and the longest fills one record")
    func lengths() throws {
        let head = 16 + 4 + 1 + 65
        for text in ["", "a", String(repeating: "a", count: 100)] {
            #expect(try Self.encrypt(text, paddedTo: 100).count == head + 100 + 1 + 16)
        }
        let longest = String(repeating: "a", count: WebPushEncryption.maximumPlaintext)
        #expect(try Self.encrypt(longest, paddedTo: 9_999).count == 4_096)
        #expect(throws: KeyError.malformed) { _ = try Self.encrypt(longest + "a") }
    }

    @Test("a secret or salt of another length, and a key beside the curve, are refused")
    func refused() throws {
        #expect(throws: KeyError.malformed) { _ = try Self.encrypt("a", auth: Bytes(repeating: 1, count: 15)) }
        #expect(throws: KeyError.malformed) { _ = try Self.encrypt("a", salt: Bytes(repeating: 1, count: 17)) }
        var point = try Self.bytes(Self.receiver)
        point[64] ^= 1
        if let beside = P256PublicKey(x963: point) {
            #expect(throws: KeyError.notOnCurve) { _ = try Self.encrypt("a", receiver: beside) }
        }
    }
}
