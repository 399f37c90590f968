import EllipticCurves
import Encodings

@testable import Vault

// What other people get.
extension Vectors {
    /// What a member and a caretaker are given: sealed to two devices of theirs, and signed by one of the owner's.
    func grants() throws -> JSON {
        let folder = SharedAccess.compartment(compartment.key, name: try NodeName(.text("Together")))
        let inbox = SharedAccess.inbox(inboxKey.publicKey.x963, name: try NodeName(.text("inbox")))
        return .array([try grant(folder, role: "writer"), try grant(inbox, role: "caretaker")])
    }

    private func grant(_ access: SharedAccess, role: String) throws -> JSON {
        let devices = [memberPhone, member]
        var sealed: Bytes = [1, UInt8(devices.count)]
        for device in devices {
            sealed += try access.sealed(to: device.publicKey.x963, id: compartment.id.bytes, suite: suite)
        }
        let payload = JSON.members([
            ("aud", .text("https://sign.example.edu")), ("compartment", .hex(compartment.id.bytes)),
            ("iat", .integer(1_700_000_000)), ("member", .text("bob")), ("role", .text(role)),
            ("sealed", .string(Base64.encode(SHA256.hash(sealed), .url))),
        ])
        let input = CompactJWS.signingInput(type: "countersign-vault-share+jwt", payload: payload)
        let signature = ECDSASignature.lowS(signingKey.rawSignature(over: input, with: .sha256))
        let statement = CompactJWS.text(signingInput: input, signature: signature)
        return .members([
            ("audience", .text("https://sign.example.edu")), ("member", .text("bob")), ("role", .text(role)),
            ("signing_key", .hex(signingKey.secretScalar)), ("signing_point", .hex(signingKey.publicKey.x963)),
            ("devices", .array(devices.map { Self.pair($0) })), ("given", .hex(sealed + statement)),
        ])
    }

    private static func pair(_ key: ECPrivateKey) -> JSON {
        .members([("private_key", .hex(key.secretScalar)), ("point", .hex(key.publicKey.x963))])
    }

    /// A file that a caretaker has put in.
    func inbox() throws -> JSON {
        let version = try InboxDrop.newVersion(for: compartment.id, size: 5, now: 1_700_000_000_003, suite: suite)
        let drop = InboxDrop(version, name: try NodeName(.text("Letter.pdf")), mediaType: .text("application/pdf"))
        let sealed = try drop.sealed(to: inboxKey.publicKey.x963, of: compartment.id, suite: suite)
        let salt = suite.randomBytes(24)
        var sealer = try version.sealer(repeating: salt, suite)
        var ciphertext = sealer.header
        try sealer.update(Self.content(5)[...], into: &ciphertext)
        while !(try sealer.finish(into: &ciphertext)) {}
        let said = try drop.metadata.encoded()
        let length = said.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return .members([
            ("private_key", .hex(inboxKey.secretScalar)), ("point", .hex(inboxKey.publicKey.x963)),
            ("id", .hex(version.node.bytes)), ("version", .hex(version.id.bytes)), ("key", .hex(version.key.bytes)),
            ("json", .string(Array(said[4..<4 + length]))), ("sealed", .hex(sealed)), ("salt", .hex(salt)),
            ("content", .hex(ciphertext)),
        ])
    }

    /// What a link holds; the wallet and the page have the code for it, and open this one too.
    func linkedFile() throws -> JSON {
        let key = suite.randomBytes(32)
        let content = Self.content(40)
        let head = JSON.members([("name", .text("Letter.pdf")), ("type", .text("application/pdf"))]).serialized()
        let packed = bigEndian(UInt64(head.count), count: 4) + head + content
        let check = SHA256.hash(Bytes.text("countersign share key v1") + key)
        return .members([
            ("key", .hex(key)), ("key_check", .string(Base64.encode(check, .url))), ("name", .text("Letter.pdf")),
            ("type", .text("application/pdf")), ("content", .hex(content)),
            ("sealed", .hex(try suite.box(packed, key: key, binding: Self.linkBinding))),
        ])
    }

    static let linkBinding = Bytes.text("countersign secret box v1\ncountersign vault link v1")
}
