import Encodings

@testable import Vault

// What a device keeps.
extension Vectors {
    /// An upload that was cut after two of its three parts; its ciphertext is that of the second content.
    func unfinished(_ version: OpenedVersion, _ content: JSON) throws -> JSON {
        let sealed = try content.hex("sealed")
        var upload = try UnfinishedUpload(
            version, salt: content.hex("salt"), content: .text("upload-1"), part: 10_000)
        for number: UInt64 in 0..<2 { _ = try upload.follow(number, sealed: sealed, from: 0, suite: suite) }
        return .members([
            ("version", .hex(version.id.bytes)), ("content", .hex(upload.content)), ("part", .integer(10_000)),
            ("trails", .array(upload.trails.map { JSON.hex($0) })),
            ("sealed", .hex(try upload.sealed(of: compartment, suite: suite))),
        ])
    }

    /// The drafts of a new note, and of one behind a lock.
    ///
    /// Only the page keeps drafts: these are written as the format says, and the page opens them.
    func drafts(_ note: OpenedNode) throws -> JSON {
        let new = JSON.members([
            ("id", .null), ("folder", .hex(NodeID.root.bytes)), ("name", .text("Plan")), ("text", .text("One Ω")),
        ])
        let changed = JSON.members([
            ("id", .hex(note.id.bytes)), ("folder", .hex(NodeID.root.bytes)), ("name", .text("Codes")),
            ("text", .text("Two")), ("before", .string(note.metadata.text ?? [])),
        ])
        return .array([
            try draft(new, key: compartment.key.bytes), try draft(changed, key: note.key.secret.bytes),
        ])
    }

    private func draft(_ draft: JSON, key: Bytes) throws -> JSON {
        let json = draft.serialized()
        let said = bigEndian(UInt64(json.count), count: 4) + json
        let length = Int(Padme.length(of: UInt64(said.count)))
        let padded = said + Bytes(repeating: 0, count: length - said.count)
        let sealed = try suite.box(
            padded, key: suite.derive(key, named: "draft", count: 32), binding: Self.draftBinding(compartment))
        return .members([
            ("key", .hex(key)), ("name", .hex(suite.derive(key, named: "draft-name", count: 16))),
            ("json", .string(json)), ("sealed", .hex(sealed)),
        ])
    }

    static func draftBinding(_ compartment: Compartment) -> Bytes {
        Bytes.text("countersign/vault/v1/draft") + [0] + compartment.id.bytes
    }
}

// For objects that `Core` itself neither makes nor reads.
extension TestSuite {
    /// `derive` of the format, with a label that `VaultLabel` does not have.
    func derive(_ key: Bytes, named name: String, count: Int) -> Bytes {
        let extracted = hmacSHA256(key, key: Bytes(repeating: 0, count: 32))
        return expandSHA256(extracted, info: Bytes.text("countersign/vault/v1/" + name) + [0], count: count)
    }

    /// Nonce, ciphertext and tag; the binding is all of the additional data.
    func box(_ plaintext: Bytes, key: Bytes, binding: Bytes) throws -> Bytes {
        let nonce = randomBytes(12)
        var box = nonce
        guard sealAES256GCM(plaintext[...], key: key, nonce: nonce, additionalData: binding, appendingTo: &box) else {
            throw Missing()
        }
        return box
    }

    /// What is in such a box.
    func unbox(_ box: Bytes, key: Bytes, binding: Bytes) throws -> Bytes {
        var plaintext: Bytes = []
        guard
            openAES256GCM(
                box[12...], key: key, nonce: Array(box[..<12]), additionalData: binding, appendingTo: &plaintext)
        else { throw Missing() }
        return plaintext
    }
}
