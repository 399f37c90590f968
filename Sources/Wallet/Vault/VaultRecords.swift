import Encodings
import Interface
import Vault

/// A record as the server has it, with what only the server says.
struct KeptRecord: Sendable {
    let record: NodeRecord
    /// Since when it is in the trash, in seconds since 1970.
    var trashed: Int64?
}

extension VaultIdentifier {
    /// As the server spells it: 32 hexadecimal digits.
    package var text: String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

    /// Reads 32 hexadecimal digits in small letters.
    package init?(text: String) {
        guard let bytes = Hex.decode(Bytes(text: text)), let id = try? Self(bytes), id.text == text else { return nil }
        self = id
    }
}

extension NodeRecord {
    /// What the server keeps of a node.
    ///
    /// An older version whose key the server has lost is left out.
    ///
    /// - Throws: `lost`, `broken`.
    init(_ node: VaultNode) throws {
        if node.lost == true || node.versions.first?.key.isEmpty == true { throw VaultFault.lost(1) }
        do {
            let versions = try node.versions.filter { !$0.key.isEmpty }.map { version in
                try VersionRecord(
                    id: VersionID(Self.hex(version.id)), content: Self.hex(version.content),
                    key: Self.bytes(version.key),
                    sealedLength: UInt64(exactly: version.size) ?? 0)
            }
            try self.init(
                id: NodeID(Self.hex(node.id)), place: Self.bytes(node.place), key: Self.bytes(node.key),
                metadata: Self.bytes(node.metadata), revision: UInt64(exactly: node.revision) ?? 0, versions: versions)
        } catch {
            throw VaultFault.broken
        }
    }

    /// As the server takes it.
    var put: VaultChange.Put {
        VaultChange.Put(
            id: id.text, revision: Int64(clamping: revision), place: place.base64URL, key: key.base64URL,
            metadata: metadata.base64URL,
            versions: versions.map { version in
                VaultChange.Put.Version(
                    id: version.id.text, content: String(decoding: Hex.encode(version.content), as: UTF8.self),
                    key: version.key.base64URL, size: Int64(clamping: version.sealedLength))
            })
    }

    private static func bytes(_ text: String) throws -> Bytes {
        guard let bytes = text.fromBase64URL else { throw VaultFault.broken }
        return bytes
    }

    private static func hex(_ text: String) throws -> Bytes {
        guard let bytes = Hex.decode(Bytes(text: text)) else { throw VaultFault.broken }
        return bytes
    }
}

extension VersionRecord {
    /// The server's name of the content.
    var contentText: String { String(decoding: Hex.encode(content), as: UTF8.self) }
}
