import Approvals
import CryptoProvider
import Encodings

/// An app of version 1, honest or not.
struct AttackApp: Sendable {
    let key: OriginalSigningKey
    let token: String

    init(token: String = String(repeating: "ab", count: 32)) throws {
        key = try OriginalSigningKey(rawRepresentation: try SigningKey().rawRepresentation)
        self.token = token
    }

    private init(key: OriginalSigningKey, token: String) {
        self.key = key
        self.token = token
    }

    /// The same app after its push service has given it another token.
    func with(token: String) -> AttackApp { AttackApp(key: key, token: token) }

    /// The key as it is sent.
    var pem: JSON { .string(OriginalDeviceKey.pem(key.publicKey)) }

    /// A good reply, or one in which members are something else.
    func reply(_ challenge: OriginalChallenge, _ changes: [(String, JSON)] = []) throws -> Bytes {
        try reply(signing: challenge.canonical(), number: challenge.messageID, changes)
    }

    /// A reply that signs any bytes.
    func reply(signing bytes: Bytes, number: Int64, _ changes: [(String, JSON)] = []) throws -> Bytes {
        guard let der = ECDSASignature.der(fromRaw: try key.sign(bytes)) else {
            throw AttackTrouble(words: "no signature")
        }
        return Self.body(
            [
                ("message_id", .integer(number)), ("signature", .string(Hex.encode(der))), ("publickey", pem),
                ("token", .text(token)),
            ], changes)
    }

    /// Members, some of them changed.
    static func body(_ members: [(String, JSON)], _ changes: [(String, JSON)]) -> Bytes {
        JSON.members(
            members.map { name, value in (name, changes.last { $0.0 == name }?.1 ?? value) }
        ).serialized()
    }
}
