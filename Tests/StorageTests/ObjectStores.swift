import FaultyObjectStore
import Foundation
import Synchronization
import Testing

@testable import Storage

/// The object store that `scripts/with-s3` has started, or `nil`.
let objectStoreEndpoint = ProcessInfo.processInfo.environment["TEST_S3"]

/// Why a test that needs one is skipped.
let needsObjectStore: Comment = "Needs TEST_S3: run the tests through scripts/with-s3."

/// Where blobs can be.
enum StoreKind: String, CaseIterable, Sendable {
    case folder
    /// In memory, with small pages.
    case memory
    /// moto's server.
    case bucket

    static var present: [StoreKind] { allCases.filter { $0 != .bucket || objectStoreEndpoint != nil } }

    /// Runs a test on a fresh store.
    func run(_ body: (any BlobStore) async throws -> Void) async throws {
        switch self {
        case .folder: try await withDirectory { try await body(try await DirectoryBlobStore("\($0)/blobs")) }
        case .memory:
            try await withFaultyStore(pageSize: 3) { store in
                try await body(try await BlobStores.bucket(store.place("some/prefix"), timing: .forTests()).blobs)
            }
        case .bucket:
            let place = try S3Place.ofTests(prefix: UUID().uuidString)
            try await body(try await BlobStores.bucket(place, timing: .forTests()).blobs)
        }
    }
}

extension BlobStores {
    /// A bucket with the key of the environment, or with any where none is checked.
    static func bucket(_ place: S3Place, timing: S3Timing) async throws -> BlobStores {
        let credentials =
            S3Credentials(environment: ProcessInfo.processInfo.environment)
            ?? S3Credentials(accessKey: "key", secret: "secret")
        return try await .bucket(place, credentials: try #require(credentials), timing: timing)
    }
}

extension S3Place {
    /// A part of the bucket that `scripts/with-s3` has made.
    static func ofTests(bucket: String = "countersign", prefix: String) throws -> S3Place {
        let endpoint = try S3Endpoint(try #require(objectStoreEndpoint))
        return S3Place(try #require(S3BucketName("s3://\(bucket)/\(prefix)")), endpoint: endpoint)
    }
}

extension S3Timing {
    /// The machine's clock, and no waiting: what would have been waited is written down.
    static func forTests(_ waits: Waits = Waits()) -> S3Timing {
        S3Timing(
            now: { Int64(Date().timeIntervalSince1970) }, sleep: { waits.add($0) },
            random: { 0.5 })
    }
}

/// What was waited between attempts.
final class Waits: Sendable {
    private let list = Mutex<[Duration]>([])

    var all: [Duration] { list.withLock(\.self) }
    func add(_ wait: Duration) { list.withLock { $0.append(wait) } }
}

extension FaultyObjectStore {
    func place(_ prefix: String) throws -> S3Place {
        S3Place(try #require(S3BucketName("s3://\(Self.bucket)/\(prefix)")), endpoint: try S3Endpoint(endpoint))
    }
}

/// A store in memory that is stopped after the test.
@discardableResult
func withFaultyStore<T>(pageSize: Int = 1_000, _ body: (FaultyObjectStore) async throws -> T) async throws -> T {
    let store = try await FaultyObjectStore.start(pageSize: pageSize)
    do {
        let value = try await body(store)
        try await store.stop()
        return value
    } catch {
        try? await store.stop()
        throw error
    }
}
