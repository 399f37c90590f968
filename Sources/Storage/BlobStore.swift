/// A named sequence of bytes.
package struct Blob: Sendable, Equatable {
    /// How a web server that serves a store as it is should describe a blob.
    package enum Serving: Sendable {
        /// For the server alone.
        case sealed
        /// For everybody, and never changed.
        case immutable
        /// For everybody: text that changes.
        case changingText
    }

    /// The name.
    package let name: String
    /// All of its bytes.
    package let bytes: [UInt8]
    /// The description of a blob for a store that web servers read directly.
    package let serving: Serving

    /// A blob.
    package init(name: String, bytes: [UInt8], serving: Serving = .sealed) {
        self.name = name
        self.bytes = bytes
        self.serving = serving
    }
}

/// A blob as it is listed.
package struct BlobInfo: Sendable, Equatable {
    /// The blob's name.
    package let name: String
    /// Bytes.
    package let size: Int64
    /// When it was written, in seconds since 1970: what collects garbage leaves the young alone.
    package let modified: Int64

    /// What a store lists.
    package init(name: String, size: Int64, modified: Int64) {
        (self.name, self.size, self.modified) = (name, size, modified)
    }
}

/// Named sequences of bytes, each written as a whole: a directory, or a part of a bucket.
///
/// Names are one or more parts with slashes between them, at most 512 bytes. A part is 1 to 128 bytes of ASCII letters,
/// digits, `-`, `_` and `.`, not beginning with a dot. Any other name is refused with `StorageError.invalidName`. No
/// blob's name may be the beginning, up to a slash, of another's.
package protocol BlobStore: Sendable {
    /// Stores blobs durably, replacing those of the same names. Readers see the old or the new of each, never a part.
    ///
    /// When it fails, some may be there and others not: what refers to them is written afterwards.
    func write(_ blobs: [Blob]) async throws
    /// Stores a blob for the server alone whose bytes come piece by piece. It is there once all of them are durable.
    ///
    /// - Parameter next: gives the next bytes, and `nil` after the last. If it throws, nothing of the blob stays.
    func write(_ name: String, from next: () async throws -> [UInt8]?) async throws
    /// A blob's bytes, or `nil` when there is none.
    func read(_ name: String) async throws -> [UInt8]?
    /// Whether reading a piece costs less than reading the whole.
    var readsPieces: Bool { get }
    /// A piece of a blob, shorter only at its end; `nil` when there is no blob.
    func read(_ name: String, from offset: Int64, count: Int) async throws -> [UInt8]?
    /// Reads a piece of a blob into memory that is used again, shorter only at its end.
    ///
    /// - Returns: how many bytes there are; `nil` when there is no blob.
    func read(_ name: String, from offset: Int64, count: Int, into buffer: PieceBuffer) async throws -> Int?
    /// Removes a blob durably.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func delete(_ name: String) async throws -> Bool
    /// Removes all blobs whose names have this beginning and a slash behind it, not necessarily durably.
    func deleteAll(under folder: String) async throws
    /// A blob's size in bytes, or `nil` when there is none.
    func size(_ name: String) async throws -> Int64?
    /// All blobs, in the order of their names.
    func list() async throws -> [BlobInfo]
    /// Hands over all blobs, in no order, a page at a time: there may be more than memory should hold.
    func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws
    /// The names among these that have no blob, in the order in which they are given.
    ///
    /// A page of many names that are near each other costs little more than one name does.
    func missing(among names: [String]) async throws -> [String]
    /// Removes what a crash left half-written.
    ///
    /// - Parameter age: in seconds, how old it must be: another process may be writing it.
    func removeUnfinished(olderThan age: Int64) async throws
}

extension BlobStore {
    /// One page of all.
    package func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        try await body(try await list())
    }

    /// As a whole, which a bucket takes only with its checksum.
    package func write(_ name: String, from next: () async throws -> [UInt8]?) async throws {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        try await write(name, bytes)
    }

    /// No: a bucket gives a blob whole, with its checksum.
    package var readsPieces: Bool { false }

    /// A piece of the whole.
    package func read(_ name: String, from offset: Int64, count: Int) async throws -> [UInt8]? {
        guard let whole = try await read(name) else { return nil }
        let start = Int(max(0, min(offset, Int64(whole.count))))
        return Array(whole[start..<min(whole.count, start + max(0, count))])
    }

    /// A copy.
    package func read(
        _ name: String, from offset: Int64, count: Int, into buffer: PieceBuffer
    ) async throws -> Int? {
        guard let bytes = try await read(name, from: offset, count: count) else { return nil }
        buffer.set(bytes)
        return bytes.count
    }

    /// One question for each.
    package func missing(among names: [String]) async throws -> [String] {
        var missing: [String] = []
        for name in names where try await !exists(name) { missing.append(name) }
        return missing
    }

    /// Nothing: what is written as a whole or not at all leaves nothing.
    package func removeUnfinished(olderThan age: Int64) async throws {}

    /// Stores one blob for the server alone.
    package func write(_ name: String, _ bytes: [UInt8]) async throws {
        try await write([Blob(name: name, bytes: bytes)])
    }

    /// Reads blobs and hands them over one after the other, in their order; a few are fetched at the same time, since a
    /// bucket is far away.
    package func forEach(
        _ names: [String], _ body: (_ name: String, _ bytes: [UInt8]?) async throws -> Void
    ) async throws {
        var rest = names[...]
        while !rest.isEmpty {
            let next = rest.prefix(4)
            let found = try await withThrowingTaskGroup(of: (String, [UInt8]?).self) { group in
                for name in next { group.addTask { (name, try await self.read(name)) } }
                return try await group.reduce(into: [String: [UInt8]]()) { $0[$1.0] = $1.1 }
            }
            for name in next { try await body(name, found[name]) }
            rest = rest.dropFirst(next.count)
        }
    }

    /// Whether there is no blob; only the first page is asked for.
    package func isEmpty() async throws -> Bool {
        do {
            try await forEachPage { if !$0.isEmpty { throw SomethingFound() } }
        } catch is SomethingFound {
            return false
        }
        return true
    }

    /// Whether there is a blob of that name.
    package func exists(_ name: String) async throws -> Bool { try await size(name) != nil }
}

/// Ends a walk through a store.
private struct SomethingFound: Error {}

/// The two places of what a server keeps beside its database.
package struct BlobStores: Sendable {
    /// Sealed documents.
    package let blobs: any BlobStore
    /// The log's files, by the names of C2SP tlog-tiles.
    package let log: any BlobStore
    private let trial: @Sendable () async throws -> Void

    /// Two stores.
    ///
    /// - Parameter trial: does there what a server does, and leaves nothing behind.
    package init(
        blobs: any BlobStore, log: any BlobStore, trial: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.blobs = blobs
        self.log = log
        self.trial = trial
    }

    /// Does in a bucket what a server does: writes, reads, lists and deletes.
    ///
    /// - Throws: `StorageError.objectStoreRefuses`, which says what to put right, or `StorageError.objectStoreFails`.
    package func tryOut() async throws { try await trial() }

    /// The folders `blobs` and `log` of a data directory.
    package static func folders(of directory: DataDirectory) async throws -> BlobStores {
        BlobStores(
            blobs: try await DirectoryBlobStore(directory.file("blobs")),
            log: try await DirectoryBlobStore(directory.file("log"), permissions: 0o644))
    }

    /// The same, of a directory that another process has: nothing is made or removed.
    package static func folders(asTheyAreIn directory: String) -> BlobStores {
        BlobStores(
            blobs: DirectoryBlobStore(asItIs: "\(directory)/blobs"), log: DirectoryBlobStore(asItIs: "\(directory)/log")
        )
    }
}

/// The name of a blob, checked.
struct BlobName {
    let text: String

    init(_ text: String) throws(StorageError) {
        guard text.utf8.count <= 512, Self.parts(text).allSatisfy(Self.isPart) else { throw .invalidName }
        self.text = text
    }

    private static func parts(_ text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// Whether the bytes may stand between slashes.
    static func isPart(_ part: some Collection<UInt8>) -> Bool {
        let isAllowed = part.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isAllowed && (1...128).contains(part.count) && part.first != UInt8(ascii: ".")
    }
}
