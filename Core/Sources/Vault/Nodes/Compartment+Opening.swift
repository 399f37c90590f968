import Encodings

// The one way to open a node: list, search, thumbnail, export and everything else come through here.
extension Compartment {
    /// The folder that a node is in.
    ///
    /// - Throws: `cannotOpen` for a record of another node or compartment.
    public func parent<Suite: VaultCryptoSuite>(
        of record: NodeRecord, suite: Suite
    ) throws(VaultError) -> NodeID {
        try NodeID(placeKey.open(record.place, .place, id.bytes + record.id.bytes, suite: suite))
    }

    /// Opens a node.
    ///
    /// - Parameters:
    ///   - record: what the server keeps.
    ///   - parent: the key of the folder that it is in.
    ///   - locks: the locks of items that are open.
    /// - Throws: `locked` if another lock is before it, `cannotOpen` if any part is changed, of another revision or of
    ///   another place.
    public func open<Suite: VaultCryptoSuite>(
        _ record: NodeRecord, in parent: NodeKey, with locks: [ItemLock] = [], suite: Suite
    ) throws(VaultError) -> OpenedNode {
        guard try self.parent(of: record, suite: suite) == parent.node else { throw .cannotOpen }
        let wrapping = try KeyWrapping(record, parent: parent, in: id, suite: suite)
        let key = try wrapping.key(of: record.id, with: locks, in: id, suite: suite)
        let plaintext = try key.secret.derived(.metadata, suite: suite)
            .open(record.metadata, .metadata, metadataBinding(record.id, record.revision), suite: suite)
        return OpenedNode(
            record: record, parent: parent.node, key: key, metadata: try NodeMetadata(encoded: plaintext),
            locks: wrapping.locks)
    }

    /// What a folder tells of a node that is locked.
    public func lockedNode<Suite: VaultCryptoSuite>(
        _ record: NodeRecord, in parent: NodeKey, suite: Suite
    ) throws(VaultError) -> LockedNode {
        guard try self.parent(of: record, suite: suite) == parent.node else { throw .cannotOpen }
        let wrapping = try KeyWrapping(record, parent: parent, in: id, suite: suite)
        return LockedNode(record: record, parent: parent.node, locks: wrapping.locks)
    }

    /// Opens a version of a file.
    ///
    /// - Throws: `cannotOpen` for a version of another node or compartment.
    public func open<Suite: VaultCryptoSuite>(
        _ version: VersionRecord, of node: NodeKey, suite: Suite
    ) throws(VaultError) -> OpenedVersion {
        try OpenedVersion(version, of: node, in: id, suite: suite)
    }

    func metadataBinding(_ node: NodeID, _ revision: UInt64) -> Bytes {
        id.bytes + node.bytes + bigEndianBytes(revision)
    }
}
