import FaultyObjectStore
import Storage
import Synchronization
import Testing

@testable import Server

extension FaultyObjectStore {
    /// A store in memory that is stopped after the test.
    static func run(_ body: (FaultyObjectStore) async throws -> Void) async throws {
        let store = try await start()
        do {
            try await body(store)
        } catch {
            try? await store.stop()
            throw error
        }
        try await store.stop()
    }

    /// A part of the bucket, as settings name it.
    var setting: ServerConfiguration.ObjectStore? {
        guard let name = S3BucketName("s3://\(Self.bucket)/p"), let endpoint = try? S3Endpoint(endpoint) else {
            return nil
        }
        return ServerConfiguration.ObjectStore(place: S3Place(name, endpoint: endpoint), credentials: .environment)
    }

    /// That part, with a clock that stands still and no waiting.
    ///
    /// - Parameter patience: how long at most an attempt may take.
    func stores(patience: Duration? = nil) async throws -> BlobStores {
        let place = try #require(setting).place
        let credentials = try #require(S3Credentials(accessKey: "key", secret: "secret"))
        var timing = S3Timing(now: { 1_790_000_000 }, sleep: { _ in }, random: { 0 })
        timing.patience = patience ?? timing.patience
        return try await .bucket(place, credentials: credentials, timing: timing)
    }
}

/// Lets callers through, or holds them.
final class Gate: Sendable {
    private struct State {
        var isOpen = true
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.held.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func someoneWaits() async {
        while state.withLock(\.held.isEmpty), !Task.isCancelled { await Task.yield() }
    }
}

/// A store whose checkpoints wait at a gate before they are written.
struct LateStore: BlobStore {
    let store: any BlobStore
    let gate: Gate

    func write(_ blobs: [Blob]) async throws {
        if blobs.contains(where: { $0.name == "checkpoint" }) { await gate.pass() }
        try await store.write(blobs)
    }

    func read(_ name: String) async throws -> [UInt8]? { try await store.read(name) }
    func delete(_ name: String) async throws -> Bool { try await store.delete(name) }
    func deleteAll(under folder: String) async throws { try await store.deleteAll(under: folder) }
    func size(_ name: String) async throws -> Int64? { try await store.size(name) }
    func list() async throws -> [BlobInfo] { try await store.list() }
}
