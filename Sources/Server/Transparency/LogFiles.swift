import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage
import Synchronization
import Transparency

/// The log as plain files (C2SP tlog-tiles): `checkpoint` and `tile/…`, served as they are.
final class LogFiles: TileSource, Sendable {
    private let folder: String
    private let queue = DispatchQueue(label: "countersign.log")
    /// The nodes of tiles that were used lately, 16 KiB each; proofs ask for the same few again and again.
    private let nodes = Mutex<[Tile.Place: TileNodes]>([:])
    private static let cached = 256

    init(folder: String) { self.folder = folder }

    /// The right edge of the tree that the database says was sealed, checked against its signed checkpoint.
    func state(
        of sealed: LogStore.Sealed, signer: CheckpointSigner, suite: SwiftCryptoSuite
    ) throws -> TreeState {
        guard !sealed.checkpoint.isEmpty else { return TreeState() }
        let size = UInt64(sealed.size)
        do {
            let checkpoint = try VerifiedCheckpoint.verify(
                Bytes(text: sealed.checkpoint), logKey: signer.verifierKey, suite: suite
            ).checkpoint
            let state = try TreeState(size: size, source: self, entries: bundle(atRightOf: size), suite: suite)
            guard checkpoint.size == size, checkpoint.root == state.root(suite: suite) else {
                throw TransparencyLog.LogError.damaged("the tiles do not give the signed root")
            }
            return state
        } catch let error as TransparencyError {
            throw TransparencyLog.LogError.damaged("\(error)")
        }
    }

    /// The partial bundle at the right of a tree.
    ///
    /// Whoever made the tile full and died before its checkpoint has left the full one only.
    private func bundle(atRightOf size: UInt64) throws -> Bytes {
        guard let tile = Tile(.entries, index: size >> 8, inTreeOf: size) else { return [] }
        if let bytes = try read(tile.path) { return bytes }
        guard let full = Tile(.entries, index: tile.index), let bytes = try read(full.path) else { return [] }
        return try EntryBundle.encode(Array(EntryBundle.parse(bytes, width: full.width).prefix(tile.width)))
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
            let size = try VerifiedCheckpoint.verify(published, logKey: signer.verifierKey, suite: suite)
                .checkpoint.size
            guard size <= UInt64(sealed.size) else {
                throw TransparencyLog.LogError.damaged(
                    "the published log has \(size) entries, the database only \(sealed.size)")
            }
        } catch let error as TransparencyError {
            throw TransparencyLog.LogError.damaged("\(error)")
        }
    }

    /// A file below the log's folder, or `nil` when there is none.
    func read(_ path: String) throws -> Bytes? {
        try DurableFile.read("\(folder)/\(path)")
    }

    func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes {
        guard let tile = Tile(.hashes(level: level), index: index, width: width),
            let full = Tile(.hashes(level: level), index: index)
        else { throw .outOfRange }
        for candidate in [tile, full] {
            guard let bytes = try? read(candidate.path) else { continue }
            return Array(bytes.prefix(width * MerkleTree.hashLength))
        }
        throw .missing(tile)
    }

    /// Makes tiles and bundles durable.
    ///
    /// The partial forms of tiles that are full now are removed.
    func write(_ contents: [TileContent]) async throws {
        try await run { [self] in
            try DurableFile.write(
                contents.map { DurableFile.Item(path: "\(folder)/\($0.tile.path)", bytes: $0.bytes) })
            for content in contents {
                if content.tile.isFull {
                    try? FileManager.default.removeItem(atPath: "\(folder)/\(content.tile.path).p")
                }
            }
        }
    }

    func publish(_ checkpoint: Bytes) async throws {
        try await run { [self] in try store(checkpoint: checkpoint) }
    }

    private func store(checkpoint: Bytes) throws {
        try DurableFile.write([DurableFile.Item(path: "\(folder)/checkpoint", bytes: checkpoint)])
    }

    /// The receipt of an entry, made on whichever core is free and not by the one writer.
    @concurrent nonisolated func makeReceipt(
        _ stored: LogStore.Stored, size: UInt64, checkpoint: Bytes, suite: SwiftCryptoSuite
    ) async throws -> Interface.Receipt {
        Interface.Receipt(proof: try receipt(stored, size: size, checkpoint: checkpoint, suite: suite))
    }

    /// The receipt of an entry in the tree of `size` entries.
    func receipt(
        _ stored: LogStore.Stored, size: UInt64, checkpoint: Bytes, suite: SwiftCryptoSuite
    ) throws -> String {
        let index = UInt64(stored.position)
        guard let opening = Base64.decode(Bytes(text: stored.opening), .url) else {
            throw StoredValueError(column: "log_entries.opening")
        }
        let extra = ReceiptExtra(
            entry: Bytes(text: stored.entry), opening: opening, record: try JSON.parse(Bytes(text: stored.record)))
        let hashes = try ProofPlan.inclusion(of: index, in: size).hashes(suite: suite) {
            (tile) throws(TransparencyError) in try knownNodes(of: tile, suite: suite)
        }
        let text = try Transparency.Receipt.build(extra: extra, index: index, hashes: hashes, checkpoint: checkpoint)
        return String(decoding: text, as: UTF8.self)
    }

    private func knownNodes(of tile: Tile, suite: SwiftCryptoSuite) throws(TransparencyError) -> TileNodes {
        guard case .hashes(let level) = tile.kind else { throw .malformedTile }
        let place = Tile.Place(level: level, index: tile.index, width: tile.width)
        if let known = nodes.withLock({ $0[place] }) { return known }
        let bytes = try self.tile(level: level, index: tile.index, width: tile.width)
        let made = try TileNodes(tile: bytes, suite: suite)
        nodes.withLock { nodes in
            if nodes.count >= Self.cached { nodes.removeAll(keepingCapacity: true) }
            nodes[place] = made
        }
        return made
    }

    private func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension Tile {
    /// What tells one tile of hashes from another.
    fileprivate struct Place: Hashable {
        let level: Int
        let index: UInt64
        let width: Int
    }
}
