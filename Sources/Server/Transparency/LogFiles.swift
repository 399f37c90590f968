import CryptoProvider
import Encodings
import Interface
import Storage
import Transparency

/// The log as files that anybody may read (C2SP tlog-tiles): `checkpoint` and `tile/…`, in a folder or a bucket.
final class LogFiles: Sendable {
    private let store: any BlobStore
    private let known = TileCache()

    init(store: any BlobStore) { self.store = store }

    /// The right edge of the tree that the database says was sealed, checked against its signed checkpoint.
    func state(
        of sealed: LogStore.Sealed, signer: CheckpointSigner, suite: SwiftCryptoSuite
    ) async throws -> TreeState {
        guard !sealed.checkpoint.isEmpty else { return TreeState() }
        let size = UInt64(sealed.size)
        do {
            let checkpoint = try VerifiedCheckpoint.verify(
                Bytes(text: sealed.checkpoint), policy: signer.ownPolicy, suite: suite
            ).checkpoint
            let state = try await edge(of: size, suite: suite)
            guard checkpoint.size == size, checkpoint.root == state.root(suite: suite) else {
                throw TransparencyLog.LogError.damaged("the tiles do not give the signed root")
            }
            return state
        } catch let error as TransparencyError {
            throw TransparencyLog.LogError.damaged("\(error)")
        }
    }

    /// The right edge of a tree, as the files have it.
    func edge(of size: UInt64, suite: SwiftCryptoSuite) async throws -> TreeState {
        var bundle: Bytes = []
        var hashes = FetchedTiles()
        for content in try await fetch(Tile.partial(inTreeOf: size)) {
            if content.tile.kind == .entries {
                bundle = content.bytes
            } else {
                try hashes.add(content.tile, content.bytes)
                known.remember(content)
            }
        }
        return try TreeState(size: size, source: hashes, entries: bundle, suite: suite)
    }

    /// A published checkpoint of a larger tree means that the database is older than the log, as after restoring a
    /// backup: going on would show two histories.
    func check(
        _ published: Bytes?, isNotBeyond sealed: LogStore.Sealed, signer: CheckpointSigner, suite: SwiftCryptoSuite
    ) throws {
        guard let published else { return }
        guard !sealed.checkpoint.isEmpty else {
            throw TransparencyLog.LogError.damaged("there is a published log, but the database knows of none")
        }
        do {
            let size = try VerifiedCheckpoint.verify(published, policy: signer.ownPolicy, suite: suite)
                .checkpoint.size
            guard size <= UInt64(sealed.size) else {
                throw TransparencyLog.LogError.damaged(
                    "the published log has \(size) entries, the database only \(sealed.size)")
            }
        } catch let error as TransparencyError {
            throw TransparencyLog.LogError.damaged("\(error)")
        }
    }

    /// A file by its name in the log, or `nil` when there is none.
    func read(_ path: String) async throws -> Bytes? { try await store.read(path) }

    /// Makes tiles and bundles durable.
    ///
    /// - Parameter state: the tree that they bring about, if the nodes above its partial tiles are known.
    func write(_ contents: [TileContent], of state: TreeState? = nil) async throws {
        try await store.write(
            contents.map { Blob(name: $0.tile.path, bytes: $0.bytes, serving: .immutable) })
        for content in contents { known.remember(content, nodes: state?.nodes(of: content.tile)) }
    }

    /// Replaces the last checkpoint with a new one.
    func publish(_ checkpoint: Bytes) async throws {
        try await store.write([Blob(name: "checkpoint", bytes: checkpoint, serving: .changingText)])
    }

    /// Removes the partial forms of those tiles of a tree of `size` entries that were written as full ones since.
    ///
    /// A client that still asks for a partial one takes the beginning of the full one. Nobody waits for this, and what
    /// is left of it when it fails does no harm.
    func removePartialForms(of contents: [TileContent], inTreeOf size: UInt64) {
        let full = Tile.partial(inTreeOf: size).compactMap { Tile($0.kind, index: $0.index) }
            .filter { tile in contents.contains { $0.tile == tile } }
        guard !full.isEmpty else { return }
        Task { [store] in
            for tile in full { try? await store.deleteAll(under: "\(tile.path).p") }
        }
    }

    /// The receipt of an entry in the tree of `size` entries, made on any free core and not by the one writer.
    @concurrent nonisolated func receipt(
        _ stored: LogStore.Stored, size: UInt64, checkpoint: Bytes, suite: SwiftCryptoSuite
    ) async throws -> Interface.Receipt {
        let index = UInt64(stored.position)
        guard let opening = Base64.decode(Bytes(text: stored.opening), .url) else {
            throw StoredValueError(column: "log_entries.opening")
        }
        let extra = ReceiptExtra(
            entry: Bytes(text: stored.entry), opening: opening, record: try JSON.parse(Bytes(text: stored.record)))
        let hashes = try await hashes(of: try ProofPlan.inclusion(of: index, in: size), suite: suite)
        let text = try Transparency.Receipt.build(
            extra: extra, index: index, hashes: hashes, checkpoint: checkpoint, suite: suite)
        return Interface.Receipt(proof: String(decoding: text, as: UTF8.self))
    }

    /// The proof that the tree of `from` entries is the beginning of that of `size` entries, made on any core.
    @concurrent nonisolated func consistency(
        from: UInt64, to size: UInt64, suite: SwiftCryptoSuite
    ) async throws -> [Bytes] {
        try await hashes(of: try ProofPlan.consistency(from: from, to: size), suite: suite)
    }

    /// The hashes of a proof: at once when its tiles are known, else after fetching those that are not.
    private func hashes(of plan: ProofPlan, suite: SwiftCryptoSuite) async throws -> [Bytes] {
        do {
            return try plan.hashes(suite: suite) { (tile) throws(TransparencyError) in
                guard let nodes = try known.nodes(of: tile, suite: suite) else { throw .missing(tile) }
                return nodes
            }
        } catch TransparencyError.missing {}
        var gathered: [Tile.Place: TileNodes] = [:]
        var missing: [Tile] = []
        for tile in plan.tiles {
            if let nodes = try known.nodes(of: tile, suite: suite) {
                gathered[try place(of: tile)] = nodes
            } else {
                missing.append(tile)
            }
        }
        for content in try await fetch(missing) {
            gathered[try place(of: content.tile)] = try TileNodes(tile: content.bytes, suite: suite)
            known.remember(content)
        }
        return try plan.hashes(suite: suite) { (tile) throws(TransparencyError) in
            guard let nodes = gathered[try place(of: tile)] else { throw .missing(tile) }
            return nodes
        }
    }

    private func place(of tile: Tile) throws(TransparencyError) -> Tile.Place {
        guard let place = Tile.Place(tile) else { throw .malformedTile }
        return place
    }

    /// Reads tiles, several at once.
    ///
    /// A partial one may be gone when the full one is there: then it is the beginning of that.
    private func fetch(_ tiles: [Tile]) async throws -> [TileContent] {
        try await withThrowingTaskGroup(of: TileContent.self) { group in
            for tile in tiles { group.addTask { try await self.fetch(tile) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// A tile as it is stored.
    ///
    /// - Throws: `TransparencyError` when it is not there, or what is there is not one.
    func fetch(_ tile: Tile) async throws -> TileContent {
        if let bytes = try await store.read(tile.path) { return TileContent(tile: tile, bytes: bytes) }
        guard !tile.isFull, let full = Tile(tile.kind, index: tile.index), let bytes = try await store.read(full.path)
        else { throw TransparencyError.missing(tile) }
        guard tile.kind == .entries else {
            return TileContent(tile: tile, bytes: Array(bytes.prefix(tile.width * MerkleTree.hashLength)))
        }
        let entries = try EntryBundle.parse(bytes, width: full.width)
        return TileContent(tile: tile, bytes: try EntryBundle.encode(Array(entries.prefix(tile.width))))
    }
}
