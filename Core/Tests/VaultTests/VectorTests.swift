import EllipticCurves
import Encodings
import Foundation
import Testing

@testable import Vault

/// The examples of `docs/vault-format.md`: made again byte by byte, and opened from the file alone.
@Suite struct VectorTests {
    let suite = TestSuite(seed: "another")

    /// To make the file again after a change of the format: `VAULT_VECTORS=/tmp/vault.json swift test …`.
    @Test func theFileIsMadeAgain() throws {
        let made = try Vectors().file().serialized() + [0x0A]
        if let path = ProcessInfo.processInfo.environment["VAULT_VECTORS"] {
            try Data(made).write(to: URL(fileURLWithPath: path))
        }
        #expect(try made.hasSameBytes(as: Fixture.bytes("vault.json")))
    }

    private func opened() throws -> (file: JSON, compartment: Compartment, locks: [ItemLock], account: VaultAccount) {
        let file = try Fixture.json("vault.json")
        guard let key = try file["compartment"]?.hex("key") else { throw Missing() }
        let locks = try file.list("locks")
        let pin = ItemLock(pin: try VaultSecret(locks[0].hex("key")), id: try LockID(locks[0].hex("id")))
        let passkey = try ItemLock(prf: locks[1].hex("prf"), id: LockID(locks[1].hex("id")), suite: suite)
        #expect(try passkey.key.bytes == locks[1].hex("key"))
        return (
            file, try Compartment(VaultSecret(key), suite: suite), [pin, passkey],
            try VaultAccount(salt: file.hex("account_salt"))
        )
    }

    private func records(_ file: JSON) throws -> [NodeRecord] {
        try file.list("nodes").map { node in
            try NodeRecord(
                id: NodeID(node.hex("id")), place: node.hex("place"), key: node.hex("key"),
                metadata: node.hex("metadata"), revision: UInt64(node.number("revision")),
                versions: node.list("versions").map {
                    try VersionRecord(
                        id: VersionID($0.hex("id")), content: $0.hex("content"), key: $0.hex("key"),
                        sealedLength: UInt64($0.number("sealed_length")))
                })
        }
    }

    @Test func nodesAndHeadOpen() throws {
        let (file, compartment, locks, _) = try opened()
        #expect(try file["compartment"]?.hex("id") == compartment.id.bytes)
        let records = try records(file)
        for lock in locks {
            let tree = try VaultTree(records, of: compartment, with: [lock], suite: suite)
            #expect(tree.nodes.count == 3 && tree.unreachable.isEmpty)
            for node in try file.list("nodes") {
                let opened = try #require(try tree.node(NodeID(node.hex("id"))))
                #expect(try opened.parent.bytes == node.hex("parent"))
                #expect(try opened.key.secret.bytes == node.hex("node_key"))
                #expect(try SHA256.hash(opened.record.vouchedBytes) == node.hex("vouched_sha256"))
                #expect(try opened.metadata.encoded().dropFirst(4).starts(with: node.text("json")))
            }
        }
        let sealed = try #require(try file["head"]?.hex("sealed"))
        let head = try VaultHead(sealed, of: compartment, suite: suite)
        #expect(throws: Never.self) { try head.check(records, in: compartment, suite: suite) }
        var seen = try SeenState(file.hex("seen"), of: compartment, suite: suite)
        #expect(throws: Never.self) { try seen.check(head, records) }
    }

    @Test func contentsOpen() throws {
        let (file, compartment, locks, _) = try opened()
        let tree = try VaultTree(records(file), of: compartment, with: locks, suite: suite)
        for content in try file.list("contents") {
            let node = try #require(try tree.node(NodeID(content.hex("node"))))
            let id = try VersionID(content.hex("version"))
            let record = try #require(node.record.versions.first { $0.id == id })
            let version = try compartment.open(record, of: node.key, suite: suite)
            #expect(try version.context == content.hex("context") && version.key.bytes == content.hex("key"))
            var opener = try version.opener(suite)
            var message: Bytes = []
            try opener.update(content.hex("sealed")[...], into: &message)
            try opener.finish(into: &message)
            #expect(message == Vectors.content(Int(version.size)))
        }
    }

    @Test func slotsOpen() throws {
        let (file, compartment, _, account) = try opened()
        let slots = try #require(file["slots"])
        for slot in try slots.list("secret") {
            let secret = try VaultSecret(slot.hex("secret"))
            let opened = try SecretSlot(slot.hex("slot"))
                .open(with: secret, id: SlotID(slot.hex("id")), of: account, suite: suite)
            #expect(opened.id == compartment.id)
            if let words = slot["words"]?.string { #expect(try RecoveryWords.key(of: words, suite: suite) == secret) }
            if let texts = slot["shares"]?.array?.compactMap({ $0.string }) {
                let shares = try texts.map { try RecoveryShare($0, suite: suite) }
                #expect(try RecoveryShare.combine(shares[2], shares[0]) == secret)
            }
        }
        let contact = try #require(slots["contact"])
        let key = try ECPrivateKey(.p256, scalar: contact.hex("private_key"))
        let opened = try ContactSlot(contact.hex("slot"))
            .open(with: key, id: SlotID(contact.hex("id")), of: account, suite: suite)
        #expect(opened.id == compartment.id)
    }

    @Test func thePINSlotOpens() throws {
        let (file, compartment, _, account) = try opened()
        let pin = try #require(file["pin"])
        let input = try PINSlot.input(pin.text("pin"), of: account, suite: suite)
        #expect(try input.bytes == pin.hex("input"))
        let contents = try PINSlot.open(
            pin.hex("slot"), index: 2, input: input, output: pin.hex("value"), of: account, suite: suite)
        #expect(contents.purpose == .main && contents.key == compartment.key)
        #expect(try contents.scalar == pin.hex("scalar"))
        var state = try PINGuard(pin.hex("guard_state"))
        let proofs = try PINProof.none(suite)
        let proof = try PINProof(pin.hex("proof"))
        let answer = try state.prove(
            pin.hex("try"), [proofs[0], proofs[1], proof, proofs[3]], now: 1_700_000_000_001, suite: suite)
        #expect(answer.isProved && state.slots.map(\.count) == [0, 0, 0, 0])
    }

    @Test func sharesOpen() throws {
        let (file, compartment, _, _) = try opened()
        for share in try file.list("shares") {
            let key = try ECPrivateKey(.p256, scalar: share.hex("private_key"))
            let access = try SharedAccess(share.hex("to_member"), with: key, id: share.hex("id"), suite: suite)
            let link = try SharedAccess(
                share.hex("by_link"), link: VaultSecret(share.hex("link_key")), code: share.text("code"),
                id: share.hex("id"), suite: suite)
            #expect(access == link)
            if case .compartment(let key, _) = access { #expect(key == compartment.key) }
        }
    }
}
