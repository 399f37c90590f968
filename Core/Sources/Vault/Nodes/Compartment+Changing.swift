public import Encodings

// What is done to nodes. Every change counts the revision up by one, except for a new wrapping under a parent's new key.
extension Compartment {
    /// Makes a node.
    ///
    /// - Parameters:
    ///   - id: of the node; without it a random one.
    ///   - locks: at most two, any one of which opens it.
    ///   - content: the first version of a file, with the server's name of its ciphertext.
    /// - Throws: `notFound` if the version is of another node.
    public func make<Suite: VaultCryptoSuite>(
        _ metadata: NodeMetadata, in parent: NodeKey, id: NodeID? = nil, locks: [ItemLock] = [],
        content: (version: OpenedVersion, name: Bytes)? = nil, suite: Suite
    ) throws(VaultError) -> OpenedNode {
        let node = if let id { id } else { try NodeID.random(suite) }
        let key = try NodeKey.random(node, generation: 1, suite: suite)
        let wrapping = try KeyWrapping(key, locks: locks, in: self.id, suite: suite)
        var versions: [VersionRecord] = []
        if let content {
            guard content.version.node == node else { throw .notFound }
            versions = [try content.version.record(content: content.name, of: key, in: self.id, suite: suite)]
        }
        return try seal(
            key, metadata, wrapping, in: parent, revision: 1, versions: versions, suite: suite)
    }

    /// A node that was made and not stored yet, for the present key of its folder: revision and key stay.
    ///
    /// - Throws: `notFound` if it was made for another folder, or was changed since.
    public func unborn<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, in parent: NodeKey, suite: Suite
    ) throws(VaultError) -> OpenedNode {
        guard parent.node == node.parent, node.record.revision == 1 else { throw .notFound }
        return try seal(
            node.key, node.metadata, try wrapping(node), in: parent, revision: 1, versions: node.record.versions,
            suite: suite)
    }

    /// Gives a node other metadata: a rename, tags, the text of a note.
    public func change<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, to metadata: NodeMetadata, in parent: NodeKey, suite: Suite
    ) throws(VaultError) -> OpenedNode {
        guard parent.node == node.parent else { throw .notFound }
        return try seal(
            node.key, metadata, try wrapping(node), in: parent, revision: node.record.revision + 1,
            versions: node.record.versions, suite: suite)
    }

    /// Moves a node to another folder.
    ///
    /// `VaultTree.move` refuses folders that lie in the node itself.
    ///
    /// - Parameter metadata: other metadata in the same revision, such as another name.
    public func move<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, to parent: NodeKey, metadata: NodeMetadata? = nil, suite: Suite
    ) throws(VaultError) -> OpenedNode {
        guard parent.node != node.id else { throw .cyclicMove }
        return try seal(
            node.key, metadata ?? node.metadata, try wrapping(node), in: parent, revision: node.record.revision + 1,
            versions: node.record.versions, suite: suite)
    }

    /// Begins a new version of a file, whose content is to be sealed and stored.
    ///
    /// - Parameters:
    ///   - size: of the content in bytes.
    ///   - now: in milliseconds since 1970.
    public func newVersion<Suite: VaultCryptoSuite>(
        of node: NodeID, size: UInt64, now: Int64, suite: Suite
    ) throws(VaultError) -> OpenedVersion {
        try .new(of: node, in: id, size: size, now: now, suite: suite)
    }

    /// Puts a stored version before the others.
    ///
    /// - Parameters:
    ///   - content: the server's name of the ciphertext.
    ///   - metadata: with the new size and time.
    ///   - kept: how many of the older versions stay.
    public func add<Suite: VaultCryptoSuite>(
        _ version: OpenedVersion, content: Bytes, to node: OpenedNode, metadata: NodeMetadata, in parent: NodeKey,
        keeping kept: Int = 10, suite: Suite
    ) throws(VaultError) -> OpenedNode {
        guard version.node == node.id, parent.node == node.parent else { throw .notFound }
        let record = try version.record(content: content, of: node.key, in: id, suite: suite)
        return try seal(
            node.key, metadata, try wrapping(node), in: parent, revision: node.record.revision + 1,
            versions: [record] + node.record.versions.prefix(kept), suite: suite)
    }

    /// Exchanges the key of a node: after a lock is put before it or taken off, and when somebody may no longer read it.
    ///
    /// The contents stay as they are: their keys are wrapped again.
    ///
    /// - Parameters:
    ///   - locks: those that are before it from now on; none takes all off.
    ///   - children: the records of the nodes in it. They come back with their keys wrapped again and the same revision.
    public func rotate<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, in parent: NodeKey, locks: [ItemLock], children: [NodeRecord], suite: Suite
    ) throws(VaultError) -> (node: OpenedNode, children: [NodeRecord]) {
        guard parent.node == node.parent else { throw .notFound }
        guard node.key.generation < UInt32.max else { throw .outOfRange }
        let key = try NodeKey.random(node.id, generation: node.key.generation + 1, suite: suite)
        let rotated = try seal(
            key, node.metadata, try KeyWrapping(key, locks: locks, in: id, suite: suite), in: parent,
            revision: node.record.revision + 1, versions: try rewrap(node, under: key, in: self, suite: suite),
            suite: suite)
        var wrapped: [NodeRecord] = []
        for child in children { wrapped.append(try rewrap(child, from: node.key, to: key, suite: suite)) }
        return (rotated, wrapped)
    }

    /// Takes a node over from another compartment: when that one's key is exchanged, or a node goes from one to the other.
    ///
    /// Node, versions and contents keep their names; the node gets a new key. The locks of the old place do not hold here.
    ///
    /// - Parameter metadata: what is known of it from now on, where some of it stays behind; without it, all comes along.
    public func adopt<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, from other: Compartment, in parent: NodeKey, as metadata: NodeMetadata? = nil,
        locks: [ItemLock] = [], suite: Suite
    ) throws(VaultError) -> OpenedNode {
        let key = try NodeKey.random(node.id, generation: 1, suite: suite)
        var versions: [VersionRecord] = []
        for version in node.record.versions {
            let opened = try other.open(version, of: node.key, suite: suite)
            versions.append(try opened.record(content: version.content, of: key, in: id, suite: suite))
        }
        return try seal(
            key, metadata ?? node.metadata, try KeyWrapping(key, locks: locks, in: id, suite: suite), in: parent,
            revision: 1, versions: versions, suite: suite)
    }

    /// The keys of a node's versions under another key of the node.
    private func rewrap<Suite: VaultCryptoSuite>(
        _ node: OpenedNode, under key: NodeKey, in compartment: Compartment, suite: Suite
    ) throws(VaultError) -> [VersionRecord] {
        var versions: [VersionRecord] = []
        for version in node.record.versions {
            let opened = try open(version, of: node.key, suite: suite)
            versions.append(try opened.record(content: version.content, of: key, in: compartment.id, suite: suite))
        }
        return versions
    }

    /// A child under the new key of its parent: also one whose own lock is closed.
    private func rewrap<Suite: VaultCryptoSuite>(
        _ child: NodeRecord, from old: NodeKey, to new: NodeKey, suite: Suite
    ) throws(VaultError) -> NodeRecord {
        guard try parent(of: child, suite: suite) == old.node else { throw .notFound }
        let wrapping = try KeyWrapping(child, parent: old, in: id, suite: suite)
        return try NodeRecord(
            id: child.id, place: child.place, key: wrapping.sealed(child.id, parent: new, in: id, suite: suite),
            metadata: child.metadata, revision: child.revision, versions: child.versions)
    }

    private func wrapping(_ node: OpenedNode) throws(VaultError) -> KeyWrapping {
        KeyWrapping(
            generation: node.key.generation, plain: node.locks.isEmpty ? node.key.secret : nil, locks: node.locks)
    }

    private func seal<Suite: VaultCryptoSuite>(
        _ key: NodeKey, _ metadata: NodeMetadata, _ wrapping: KeyWrapping, in parent: NodeKey, revision: UInt64,
        versions: [VersionRecord], suite: Suite
    ) throws(VaultError) -> OpenedNode {
        let node = key.node
        let sealed = try key.secret.derived(.metadata, suite: suite)
            .seal(metadata.encoded(), .metadata, metadataBinding(node, revision), suite: suite)
        let record = try NodeRecord(
            id: node, place: placeKey.seal(parent.node.bytes, .place, id.bytes + node.bytes, suite: suite),
            key: wrapping.sealed(node, parent: parent, in: id, suite: suite), metadata: sealed, revision: revision,
            versions: versions)
        return OpenedNode(
            record: record, parent: parent.node, key: key, metadata: metadata, locks: wrapping.locks)
    }
}
