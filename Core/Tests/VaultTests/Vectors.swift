import EllipticCurves
import Encodings

@testable import Vault

/// Makes an example of every object, always the same: `Fixtures/vault.json`.
struct Vectors {
    let suite = TestSuite(seed: "vault vectors")
    let account: VaultAccount
    let compartment: Compartment
    let lock: ItemLock
    let passkeyLock: ItemLock
    let prf: Bytes
    let member: ECPrivateKey
    // Of another seed, so that the examples from before these keys stay as they were.
    let memberPhone: ECPrivateKey
    let inboxKey: ECPrivateKey
    let signingKey: ECPrivateKey

    init() throws {
        account = try .random(suite)
        compartment = try .random(suite)
        lock = ItemLock(pin: try .random(suite), id: try .random(suite))
        prf = suite.randomBytes(32)
        passkeyLock = try ItemLock(prf: prf, id: .random(suite), suite: suite)
        member = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        let later = TestSuite(seed: "later vault vectors")
        memberPhone = try ECPrivateKey.generate(on: .p256, randomBytes: later.randomBytes)
        inboxKey = try ECPrivateKey.generate(on: .p256, randomBytes: later.randomBytes)
        signingKey = try ECPrivateKey.generate(on: .p256, randomBytes: later.randomBytes)
    }

    func file() throws -> JSON {
        let folder = try compartment.make(Sample.metadata(.folder, "Papers"), in: compartment.root, suite: suite)
        let empty = try compartment.make(MetadataTests.full(), in: folder.key, suite: suite)
        let first = try version(of: empty.id, size: 5, now: 1_700_000_000_001)
        let second = try version(of: empty.id, size: 20_000, now: 1_700_000_000_002)
        let once = try compartment.add(
            first, content: .text("content-1"), to: empty, metadata: empty.metadata, in: folder.key, suite: suite)
        let file = try compartment.add(
            second, content: .text("content-2"), to: once, metadata: once.metadata, in: folder.key, suite: suite)
        var text = try Sample.metadata(.note, "Codes")
        text.text = .text("Ω\n\"quoted\"")
        let open = try compartment.make(text, in: compartment.root, suite: suite)
        let note = try compartment.rotate(
            open, in: compartment.root, locks: [lock, passkeyLock], children: [], suite: suite
        ).node
        let records = [folder.record, file.record, note.record]
        let head = try VaultHead().changed(removing: [], adding: records, in: compartment, suite: suite)
        var seen = SeenState()
        try seen.check(head, records)
        let contents = try [content(first, of: file), content(second, of: file)]
        return .members([
            ("account_salt", .hex(account.salt)),
            (
                "compartment",
                .members([
                    ("key", .hex(compartment.key.bytes)), ("id", .hex(compartment.id.bytes)),
                    ("place_key", .hex(compartment.placeKey.bytes)), ("root_key", .hex(compartment.root.secret.bytes)),
                    ("head_key", .hex(compartment.headKey.bytes)),
                    ("accumulator_key", .hex(compartment.accumulatorKey.bytes)),
                ])
            ),
            (
                "locks",
                .array([
                    .members([("method", .integer(1)), ("id", .hex(lock.id.bytes)), ("key", .hex(lock.key.bytes))]),
                    .members([
                        ("method", .integer(2)), ("id", .hex(passkeyLock.id.bytes)), ("prf", .hex(prf)),
                        ("salt", .hex(ItemLock.prfSalt(compartment.id, note.id, passkeyLock.id, suite: suite))),
                        ("key", .hex(passkeyLock.key.bytes)),
                    ]),
                ])
            ),
            ("nodes", .array(try [folder, file, note].map(node))),
            ("contents", .array(contents)),
            (
                "head",
                .members([
                    ("sequence", .integer(1)), ("count", .integer(3)),
                    ("sealed", .hex(try head.sealed(of: compartment, suite: suite))),
                ])
            ),
            ("seen", .hex(try seen.sealed(of: compartment, suite: suite))),
            ("slots", try slots()), ("pin", try pin()), ("shares", try shares(file, first)),
            // New ones come last: each takes its random numbers after those before it.
            ("grants", try grants()), ("inbox", try inbox()), ("linked_file", try linkedFile()),
            ("unfinished", try unfinished(second, contents[1])), ("drafts", try drafts(note)),
        ])
    }

    private func version(of node: NodeID, size: UInt64, now: Int64) throws -> OpenedVersion {
        try compartment.newVersion(of: node, size: size, now: now, suite: suite)
    }

    private func node(_ node: OpenedNode) throws -> JSON {
        let record = node.record
        let json = try node.metadata.encoded()
        let length = json.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return .members([
            ("id", .hex(record.id.bytes)), ("parent", .hex(node.parent.bytes)),
            ("revision", .integer(Int64(record.revision))), ("generation", .integer(Int64(node.key.generation))),
            ("place", .hex(record.place)), ("key", .hex(record.key)), ("metadata", .hex(record.metadata)),
            (
                "versions",
                .array(
                    record.versions.map {
                        .members([
                            ("id", .hex($0.id.bytes)), ("content", .hex($0.content)), ("key", .hex($0.key)),
                            ("sealed_length", .integer(Int64($0.sealedLength))),
                        ])
                    })
            ),
            ("node_key", .hex(node.key.secret.bytes)), ("json", .string(Array(json[4..<4 + length]))),
            ("locks", .integer(Int64(node.locks.count))), ("vouched_sha256", .hex(SHA256.hash(record.vouchedBytes))),
        ])
    }

    /// The content of a vector: byte `i` is 31·i.
    static func content(_ size: Int) -> Bytes { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    private func content(_ version: OpenedVersion, of file: OpenedNode) throws -> JSON {
        let salt = suite.randomBytes(24)
        var sealer = try ContentSealer(version, salt: salt, suite: suite)
        var sealed = sealer.header
        try sealer.update(Self.content(Int(version.size))[...], into: &sealed)
        while !(try sealer.finish(into: &sealed)) {}
        return .members([
            ("node", .hex(file.id.bytes)), ("version", .hex(version.id.bytes)), ("key", .hex(version.key.bytes)),
            ("context", .hex(version.context)), ("size", .integer(Int64(version.size))),
            ("created", .integer(version.created)), ("salt", .hex(salt)), ("sealed", .hex(sealed)),
        ])
    }

    private func slots() throws -> JSON {
        let kinds: [SecretSlot.Kind] = [.passkey, .recovery, .device, .shares]
        let secrets: [JSON] = try kinds.map { kind in
            let secret = try VaultSecret.random(suite)
            let id = try SlotID.random(suite)
            let slot = try SecretSlot.make(kind, secret: secret, id: id, of: account, for: compartment, suite: suite)
            var members: [(String, JSON)] = [
                ("kind", .integer(Int64(kind.rawValue))), ("id", .hex(id.bytes)), ("secret", .hex(secret.bytes)),
                ("slot", .hex(slot.bytes)),
            ]
            if kind == .passkey { members.append(("prf_salt", .hex(SecretSlot.prfSalt(account, suite: suite)))) }
            if kind == .recovery { members.append(("words", .string(RecoveryWords.text(of: secret, suite: suite)))) }
            if kind == .shares {
                let shares = try RecoveryShare.split(secret, suite: suite)
                members.append(("shares", .array(shares.map { .string($0.text(suite)) })))
            }
            return .members(members)
        }
        let id = try SlotID.random(suite)
        let contact = try ContactSlot(
            for: member.publicKey.x963, id: id, of: account, compartment: compartment, suite: suite)
        return .members([
            ("secret", .array(secrets)),
            (
                "contact",
                .members([
                    ("id", .hex(id.bytes)), ("private_key", .hex(member.secretScalar)), ("slot", .hex(contact.bytes)),
                ])
            ),
        ])
    }

    private func pin() throws -> JSON {
        let pin = Bytes.text("583920")
        let input = try PINSlot.input(pin, of: account, suite: suite)
        let guardKey = try ObliviousFunction.randomScalar(suite.randomBytes)
        let server = try ObliviousServer(key: guardKey)
        let blind = suite.upcomingBytes(48)
        let attempt = try PINAttempt(input, of: account, suite: suite)
        let answer = try server.evaluate(
            [attempt.blindedElement], randomness: ObliviousFunction.randomScalar(suite.randomBytes))
        let value = try attempt.value(
            .init(element: answer.elements[0], proof: answer.proof), publicKey: server.publicKey)
        let reset = try VaultSecret.random(suite)
        let made = try attempt.makeSlot(
            .main, key: compartment.key, index: 2, value: value, resetKey: reset, suite: suite)
        let opened = try attempt.open(made.slot, index: 2, value: value, suite: suite)
        let tryID = suite.randomBytes(16)
        let proofs = try attempt.proofs(
            [nil, nil, opened, nil], resetKeys: [nil, nil, reset, nil], tryID: tryID, suite: suite)
        var state = try PINGuard(
            verifiers: [.unused(resetKey: reset, suite: suite), made.verifier, made.verifier, made.verifier])
        _ = try state.begin(tryID, blinded: attempt.blindedElement, now: 1_700_000_000_000)
        return .members([
            ("pin", .string(pin)), ("input", .hex(input.bytes)), ("guard_key", .hex(guardKey)),
            ("public_key", .hex(server.publicKey)), ("blind", .hex(blind)), ("blinded", .hex(attempt.blindedElement)),
            ("evaluated", .hex(answer.elements[0])), ("evaluation_proof", .hex(answer.proof)), ("value", .hex(value)),
            ("index", .integer(2)), ("slot", .hex(made.slot)), ("scalar", .hex(opened.scalar)),
            ("reset_key", .hex(reset.bytes)), ("verifier", .hex(made.verifier.bytes)), ("try", .hex(tryID)),
            ("proof", .hex(proofs[2].bytes)), ("guard_state", .hex(state.bytes)),
        ])
    }

    private func shares(_ file: OpenedNode, _ version: OpenedVersion) throws -> JSON {
        let link = try VaultSecret.random(suite)
        let accesses: [SharedAccess] = [
            .compartment(compartment.key, name: try NodeName(.text("Together"))),
            .version(version, name: file.metadata.name, mediaType: .text("application/pdf")),
        ]
        return .array(
            try accesses.map { access in
                .members([
                    ("id", .hex(.text("share"))), ("private_key", .hex(member.secretScalar)),
                    ("to_member", .hex(try access.sealed(to: member.publicKey.x963, id: .text("share"), suite: suite))),
                    ("link_key", .hex(link.bytes)), ("code", .string(.text("4711"))),
                    (
                        "by_link",
                        .hex(try access.sealed(link: link, code: .text("4711"), id: .text("share"), suite: suite))
                    ),
                ])
            })
    }
}

extension JSON {
    static func hex(_ bytes: Bytes) -> JSON { .string(Hex.encode(bytes)) }
}
