import CryptoProvider
import Encodings
import Interface

/// An authenticator whose key is in memory: ES256, attestation `none` (WebAuthn Level 3 sections 6.1 and 6.5).
struct BenchAuthenticator: Sendable {
    private let id = RandomBytes.make(32)
    private let key: SigningKey
    private let origin: String
    private let rpID: String

    init(origin: String, rpID: String) throws {
        key = try SigningKey()
        self.origin = origin
        self.rpID = rpID
    }

    /// Makes a passkey.
    func register(challenge: String) -> PasskeyRegistration {
        let point = key.publicKey.x963
        let cose: Bytes =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[1...32] + [0x22, 0x58, 0x20]
            + point[33...64]
        let data = data(flags: 0x5D) + Bytes(repeating: 0, count: 16) + [0, UInt8(id.count)] + id + cose
        let object: Bytes =
            [0xA3, 0x63] + Bytes(text: "fmt") + [0x64] + Bytes(text: "none") + [0x67] + Bytes(text: "attStmt")
            + [0xA0, 0x68] + Bytes(text: "authData") + [0x58, UInt8(data.count)] + data
        return PasskeyRegistration(
            id: Self.text(id), clientData: Self.text(client("webauthn.create", challenge)),
            attestationObject: Self.text(object), transports: ["internal"])
    }

    /// Answers a challenge.
    func assert(challenge: String, userHandle: String) throws -> PasskeyAssertion {
        let data = data(flags: 0x1D)
        let client = client("webauthn.get", challenge)
        return PasskeyAssertion(
            id: Self.text(id), clientData: Self.text(client), authenticatorData: Self.text(data),
            signature: Self.text(Self.der(try key.sign(data + SHA256.hash(client)))), userHandle: userHandle)
    }

    /// Authenticator data without a counter.
    private func data(flags: UInt8) -> Bytes { SHA256.hash(Bytes(text: rpID)) + [flags, 0, 0, 0, 0] }

    private func client(_ type: String, _ challenge: String) -> Bytes {
        JSON.members([
            ("type", .text(type)), ("challenge", .text(challenge)), ("origin", .text(origin)),
            ("crossOrigin", .bool(false)),
        ]).serialized()
    }

    static func text(_ bytes: Bytes) -> String { String(decoding: Base64.encode(bytes, .url), as: UTF8.self) }

    /// r and s as a DER sequence of integers, as authenticators write them.
    private static func der(_ raw: Bytes) -> Bytes {
        let integers = [raw[0..<32], raw[32..<64]].flatMap { half -> Bytes in
            var digits = Bytes(half.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}
