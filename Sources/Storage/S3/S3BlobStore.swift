import NIOHTTP1

/// Blobs as objects of a bucket whose keys begin alike.
package struct S3BlobStore: BlobStore {
    /// Requests under way for one call.
    private static let parallel = 8

    private let client: S3Client
    /// What keys begin with, a slash at its end.
    private let prefix: String

    init(client: S3Client, prefix: String) {
        self.client = client
        self.prefix = prefix
    }

    /// Puts the objects, several at once.
    package func write(_ blobs: [Blob]) async throws {
        let requests = try blobs.map { S3Request.put(try key($0.name), $0) }
        try await Self.forEach(requests) { _ = try await client.perform($0) }
    }

    /// Gets an object, and compares it with its length and checksum.
    package func read(_ name: String) async throws -> [UInt8]? { try await client.find(.get(key(name)))?.body }

    /// Deletes an object, after asking whether there is one: the answer to deleting does not tell.
    @discardableResult
    package func delete(_ name: String) async throws -> Bool {
        let key = try key(name)
        guard try await client.find(.head(key)) != nil else { return false }
        _ = try await client.perform(.delete(key))
        return true
    }

    /// Lists and deletes, several at once.
    package func deleteAll(under folder: String) async throws {
        try await forEachPage(of: try key(folder) + "/") { objects in
            try await Self.forEach(objects.map { S3Request.delete($0.name) }) { _ = try await client.perform($0) }
            return true
        }
    }

    /// Asks for an object's head.
    package func size(_ name: String) async throws -> Int64? {
        guard let answer = try await client.find(.head(key(name))) else { return nil }
        guard let size = answer.headers.first(name: "content-length").flatMap({ Int64($0) }), size >= 0 else {
            throw StorageError(.damaged, of: "HEAD", at: client.place)
        }
        return size
    }

    /// Lists page by page; objects whose keys are no names of ours are left out.
    package func list() async throws -> [BlobInfo] {
        var all: [BlobInfo] = []
        try await forEachPage { all += $0 }
        return all.sorted { $0.name < $1.name }
    }

    /// The pages as the store gives them.
    package func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        try await forEachPage(of: prefix) { objects in
            try await body(
                objects.compactMap { object in
                    guard let name = try? BlobName(String(object.name.dropFirst(prefix.count))) else { return nil }
                    return BlobInfo(name: name.text, size: object.size, modified: object.modified)
                })
            return true
        }
    }

    /// Lists from the first of the names to the last: a thousand keys come with one answer.
    package func missing(among names: [String]) async throws -> [String] {
        guard let first = names.min(), let last = names.max() else { return [] }
        var missing = Set(try names.map { try key($0) })
        // A listing begins behind a key, and the first name's is to be in it.
        let before = String(try key(first).dropLast())
        let end = try key(last)
        try await forEachPage(of: prefix, after: before) { objects in
            for object in objects { missing.remove(object.name) }
            return objects.last.map { $0.name < end } ?? true
        }
        return names.filter { missing.contains(prefix + $0) }
    }

    private func key(_ name: String) throws(StorageError) -> String { prefix + (try BlobName(name).text) }

    /// - Parameter body: says whether to go on.
    private func forEachPage(
        of beginning: String, after: String? = nil, _ body: ([BlobInfo]) async throws -> Bool
    ) async throws {
        var continuation: String?
        repeat {
            let answer = try await client.perform(.list(beginning, after: after, continuation: continuation))
            let page: S3Listing
            do {
                page = try S3Listing(answer.body)
                // A page that leads nowhere would be asked for again and again.
                guard page.continuation == nil || page.continuation != continuation,
                    page.objects.allSatisfy({ $0.name.hasPrefix(beginning) })
                else { throw S3Failure.malformedListing }
            } catch let failure as S3Failure {
                throw StorageError(failure, of: "list", at: client.place)
            }
            guard try await body(page.objects) else { return }
            continuation = page.continuation
        } while continuation != nil
    }

    private static func forEach(
        _ requests: [S3Request], _ body: @escaping @Sendable (S3Request) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, request) in requests.enumerated() {
                if number >= parallel { try await group.next() }
                group.addTask { try await body(request) }
            }
            try await group.waitForAll()
        }
    }
}

extension BlobStores {
    /// `blobs/` and `log/` in a part of a bucket, after trying it out.
    ///
    /// - Parameter source: where the credentials came from; a file is read again when the store refuses them.
    /// - Throws: what `tryOut()` throws.
    package static func bucket(
        _ place: S3Place, credentials: S3Credentials, source: S3Credentials.Source = .environment, timing: S3Timing
    ) async throws -> BlobStores {
        let stores = untriedBucket(place, credentials: credentials, source: source, timing: timing)
        try await stores.tryOut()
        return stores
    }

    /// The same, before anything was asked of the store: for who only reads, or wants to know what is wrong with it.
    package static func untriedBucket(
        _ place: S3Place, credentials: S3Credentials, source: S3Credentials.Source = .environment, timing: S3Timing
    ) -> BlobStores {
        let client = S3Client(place: place, credentials: credentials, source: source, timing: timing)
        let stores = ["blobs", "log", "check"].map { S3BlobStore(client: client, prefix: "\(place.prefix)\($0)/") }
        return BlobStores(blobs: stores[0], log: stores[1]) { try await stores[2].check(timing) }
    }
}

extension S3BlobStore {
    /// Writes something, finds it, and removes it.
    fileprivate func check(_ timing: S3Timing) async throws {
        let name = "start-\(timing.now())-\(UInt64.random(in: .min ... .max))"
        let bytes = Array(name.utf8)
        try await write(name, bytes)
        guard try await read(name) == bytes, try await list().contains(where: { $0.name == name }),
            try await delete(name)
        else {
            throw StorageError.objectStoreRefuses(
                detail:
                    "what was just stored in \(client.place.bucket) is not found there; the store must show at once "
                    + "what it has taken")
        }
    }
}
