import EllipticCurves
import Encodings
import Foundation
import Testing

@testable import Vault

/// The examples of `docs/vault-format.md`: made again byte by byte, and opened from the file alone.
@Suite struct VectorTests {
    let suite = TestSuite(seed: "another")

    /// The file among the sources; the other tests read the copy that was made when they were built.
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Fixtures/vault.json")

    /// After a change of the format that is meant,
    /// `COUNTERSIGN_RECORD=1 swift test --package-path Core --filter VaultTests.VectorTests/theFileIsMadeAgain` writes the
    /// file again; look at what differs.
    @Test func theFileIsMadeAgain() throws {
        let made = try Vectors().file().serialized() + [0x0A]
        if ProcessInfo.processInfo.environment["COUNTERSIGN_RECORD"] != nil { try Data(made).write(to: Self.file) }
        let kept = try Bytes(Data(contentsOf: Self.file))
        #expect(made.hasSameBytes(as: kept))
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
        let client = try ObliviousClient(input: PINAttempt.element(input), blind: pin.hex("blind"))
        #expect(try client.blindedElement == pin.hex("blinded"))
        let value = try client.value(
            evaluated: pin.hex("evaluated"), proof: pin.hex("evaluation_proof"), publicKey: pin.hex("public_key"))
        #expect(try value == pin.hex("value"))
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

    @Test func grantsOpenOnEachDevice() throws {
        let (file, compartment, _, _) = try opened()
        let inbox = try #require(file["inbox"])
        let grants = try file.list("grants")
        #expect(grants.count == 2)
        for grant in grants {
            let given = try grant.hex("given")
            let devices = try grant.list("devices")
            let end = 2 + 593 * devices.count
            #expect(given[0] == 1 && Int(given[1]) == devices.count)
            for (place, device) in devices.enumerated() {
                let key = try ECPrivateKey(.p256, scalar: device.hex("private_key"))
                let piece = Array(given[2 + 593 * place..<2 + 593 * (place + 1)])
                switch try SharedAccess(piece, with: key, id: compartment.id.bytes, suite: suite) {
                case .compartment(let shared, _):
                    #expect(shared == compartment.key && grant["role"] == .text("writer"))
                case .inbox(let point, _):
                    let expected = try inbox.hex("point")
                    #expect(point == expected && grant["role"] == .text("caretaker"))
                case .version: Issue.record("no version was given")
                }
            }
            let jws = try UnverifiedJWS.parse(Array(given[end...]))
            let signer = try #require(P256PublicKey(x963: try grant.hex("signing_point")))
            let said = try jws.payload(signedBy: signer, type: "countersign-vault-share+jwt", suite: suite)
            let digest = Base64.encode(SHA256.hash(Array(given[..<end])), .url)
            #expect(said["sealed"] == .string(digest) && said["compartment"] == .hex(compartment.id.bytes))
            #expect(said["aud"] == grant["audience"] && said["member"] == grant["member"])
            #expect(said["role"] == grant["role"])
        }
    }

    @Test func theInboxOpens() throws {
        let (file, compartment, _, _) = try opened()
        let inbox = try #require(file["inbox"])
        let key = try ECPrivateKey(.p256, scalar: inbox.hex("private_key"))
        let drop = try InboxDrop(
            inbox.hex("sealed"), id: NodeID(inbox.hex("id")), of: compartment.id, with: key, suite: suite)
        #expect(try drop.version.id.bytes == inbox.hex("version") && drop.version.key.bytes == inbox.hex("key"))
        #expect(try drop.metadata.encoded().dropFirst(4).starts(with: inbox.text("json")))
        var opener = try drop.version.opener(suite)
        var message: Bytes = []
        try opener.update(inbox.hex("content")[...], into: &message)
        try opener.finish(into: &message)
        #expect(message == Vectors.content(5))
    }

    @Test func theFileBehindALinkOpens() throws {
        let file = try Fixture.json("vault.json")
        let link = try #require(file["linked_file"])
        let opened = try suite.unbox(link.hex("sealed"), key: link.hex("key"), binding: Vectors.linkBinding)
        let head = Array(opened.dropFirst(4).prefix(Int(opened[3])))
        let said = try JSON.parse(head)
        #expect(opened[..<3] == [0, 0, 0] && said["name"] == link["name"] && said["type"] == link["type"])
        #expect(try Array(opened.dropFirst(4 + head.count)) == link.hex("content"))
    }

    @Test func theCutUploadGoesOn() throws {
        let (file, compartment, _, _) = try opened()
        let unfinished = try #require(file["unfinished"])
        let content = try file.list("contents")[1]
        var upload = try UnfinishedUpload(unfinished.hex("sealed"), of: compartment, suite: suite)
        #expect(try upload.version.id.bytes == content.hex("version") && upload.salt == content.hex("salt"))
        #expect(try upload.content == unfinished.hex("content") && Int64(upload.part) == unfinished.number("part"))
        let trails = try unfinished.list("trails")
        #expect(trails == upload.trails.map { JSON.hex($0) } && trails.count == 2)
        let sealed = try content.hex("sealed")
        for number in 0..<upload.parts {
            let isNew = try upload.follow(number, sealed: sealed, from: 0, suite: suite)
            #expect(isNew == (number == 2))
        }
    }

    @Test func draftsOpen() throws {
        let (file, compartment, _, _) = try opened()
        let drafts = try file.list("drafts")
        #expect(drafts.count == 2)
        for draft in drafts {
            let key = try draft.hex("key")
            #expect(try suite.derive(key, named: "draft-name", count: 16) == draft.hex("name"))
            let said = try suite.unbox(
                draft.hex("sealed"), key: suite.derive(key, named: "draft", count: 32),
                binding: Vectors.draftBinding(compartment))
            let json = try draft.text("json")
            #expect(said.count == 512 && Int(said[2]) << 8 | Int(said[3]) == json.count)
            #expect(said.dropFirst(4).starts(with: json))
        }
    }
}
