import Foundation
import Synchronization

@testable import Storage

/// How a test server's storage goes wrong, which is its database and its blobs; the log's files are always well.
final class StorageFaults: Sendable {
    /// What a server asks its storage to do.
    enum Step: Sendable {
        case read, write, scrub
        case readBlob, writeBlob, deleteBlob, listBlobs
    }

    /// The server is dead: nothing that it asks for is done any more.
    struct Killed: Error {}

    private struct State {
        var failing: [Step: StorageError] = [:]
        var held: [Step: Gate] = [:]
        /// How often each step was begun.
        var begun: [Step: Int] = [:]
        /// Steps before the one at which the server dies.
        var left: Int?
        /// Whether that one is still done.
        var isDone = false

        /// - Returns: where the step waits, and whether it is the last one.
        mutating func begin(_ step: Step) throws -> (gate: Gate?, isLast: Bool) {
            begun[step, default: 0] += 1
            if let error = failing[step] { throw error }
            guard let before = left else { return (held[step], false) }
            left = before - 1
            guard before > 0 || (before == 0 && isDone) else { throw Killed() }
            return (held[step], before == 0)
        }
    }

    private let state = Mutex(State())

    /// Lets a kind of steps fail until `heal`.
    func fail(_ step: Step, _ error: StorageError) { state.withLock { $0.failing[step] = error } }

    /// Lets a kind of steps wait at a gate until `heal`.
    func hold(_ step: Step, at gate: Gate) { state.withLock { $0.held[step] = gate } }

    /// Kills the server after so many steps, before or after the next one is done.
    func kill(after steps: Int, isDone: Bool) {
        state.withLock { state in
            state.left = steps
            state.isDone = isDone
        }
    }

    /// Lets nothing go wrong any more.
    func heal() { state.withLock { $0 = State() } }

    /// How often a kind of steps was begun since the last `heal`.
    func count(_ step: Step) -> Int { state.withLock { $0.begun[step, default: 0] } }

    /// Does a step, unless it goes wrong.
    func run<Value>(_ step: Step, _ body: () async throws -> Value) async throws -> Value {
        let (gate, isLast) = try state.withLock { try $0.begin(step) }
        await gate?.pass()
        let value = try await body()
        if isLast { throw Killed() }
        return value
    }

    /// Blobs that fail, and a log that does not, in a server's folder.
    func stores(in folder: URL) async throws -> BlobStores {
        let blobs = try await DirectoryBlobStore(folder.appendingPathComponent("blobs").path)
        let log = try await DirectoryBlobStore(folder.appendingPathComponent("log").path, permissions: 0o644)
        return BlobStores(blobs: FaultyBlobs(store: blobs, faults: self), log: log)
    }
}

private struct FaultyBlobs: BlobStore {
    let store: any BlobStore
    let faults: StorageFaults

    var readsPieces: Bool { store.readsPieces }

    func write(_ blobs: [Blob]) async throws { try await faults.run(.writeBlob) { try await store.write(blobs) } }

    func write(_ name: String, from next: () async throws -> [UInt8]?) async throws {
        try await faults.run(.writeBlob) { try await store.write(name, from: next) }
    }

    func read(_ name: String) async throws -> [UInt8]? {
        try await faults.run(.readBlob) { try await store.read(name) }
    }

    func read(_ name: String, from offset: Int64, count: Int) async throws -> [UInt8]? {
        try await faults.run(.readBlob) { try await store.read(name, from: offset, count: count) }
    }

    func read(
        _ name: String, from offset: Int64, count: Int, into buffer: PieceBuffer
    ) async throws -> Int? {
        try await faults.run(.readBlob) { try await store.read(name, from: offset, count: count, into: buffer) }
    }

    func delete(_ name: String) async throws -> Bool {
        try await faults.run(.deleteBlob) { try await store.delete(name) }
    }

    func deleteAll(under folder: String) async throws {
        try await faults.run(.deleteBlob) { try await store.deleteAll(under: folder) }
    }

    func size(_ name: String) async throws -> Int64? {
        try await faults.run(.listBlobs) { try await store.size(name) }
    }

    func list() async throws -> [BlobInfo] { try await faults.run(.listBlobs) { try await store.list() } }
}

/// A database that fails as the test says.
final class FaultyDatabase: Database {
    private let inner: any Database
    private let faults: StorageFaults

    init(inner: any Database, faults: StorageFaults) { (self.inner, self.faults) = (inner, faults) }

    var figures: WriteFigures { inner.figures }
    var notices: (any Notices)? { inner.notices }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await faults.run(.read) { try await inner.read(body) }
    }

    func pointRead<T: Sendable>(
        _ key: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await faults.run(.read) { try await inner.pointRead(key, body) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await faults.run(.write) { try await inner.write(body) }
    }

    func migrate(_ histories: [MigrationHistory]) async throws { try await inner.migrate(histories) }
    func scrub() async throws { try await faults.run(.scrub) { try await inner.scrub() } }
    func close() async throws { try await inner.close() }
}
