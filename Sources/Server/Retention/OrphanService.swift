import ServiceLifecycle
import Storage

/// Removes blobs that no row names, since their act never became durable, and what a crash left half-written.
///
/// It looks at them page by page, a while after the start and then every day: a start waits for no listing of a million
/// files. Young blobs are left alone, because their act may be under way.
package struct OrphanService: Service {
    let stores: BlobStores
    let environment: Environment
    /// Seconds: no act takes nearly as long.
    private static let age: Int64 = 3_600
    private static let first: Duration = .seconds(5)
    private static let pause: Duration = .seconds(86_400)
    /// How long it rests after a page, by how long it took to list and look at it: it has a day, and people wait for theirs.
    private static let rest = 9

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await environment.clock.sleep(Self.first)
            while !Task.isCancelled {
                // Blobs that cannot be removed now are removed tomorrow.
                try? await sweep { took in try await environment.clock.sleep(took * Self.rest) }
                try await environment.clock.sleep(Self.pause)
            }
        }
    }

    /// Looks at everything once.
    ///
    /// - Parameter rest: called after each page, with the time that it took.
    func sweep(rest: (Duration) async throws -> Void = { _ in }) async throws {
        for store in [stores.blobs, stores.log] { try await store.removeUnfinished(olderThan: Self.age) }
        try await Self.removeOrphans(environment, from: stores.blobs, olderThan: Self.age, rest: rest)
    }

    /// Removes blobs that no row names.
    ///
    /// - Parameters:
    ///   - age: in seconds, how old they must be.
    ///   - rest: called after each page, with the time that it took to list it and to look at it.
    static func removeOrphans(
        _ environment: Environment, from blobs: any BlobStore, olderThan age: Int64,
        rest: (Duration) async throws -> Void = { _ in }
    ) async throws {
        let now = environment.now()
        var start = environment.clock.uptime()
        try await blobs.forEachPage { page in
            let old = page.filter { age < 0 || now - $0.modified >= age }.map(\.name)
            if !old.isEmpty {
                let named = try await environment.database.read { transaction in
                    try BlobColumnStore(transaction: transaction, slices: environment.slices).names(among: old, at: now)
                }
                for name in old where !named.contains(name) { try await blobs.delete(name) }
            }
            // After a restore all are young, and to list them takes long enough.
            try await rest(environment.clock.uptime() - start)
            start = environment.clock.uptime()
        }
    }
}
