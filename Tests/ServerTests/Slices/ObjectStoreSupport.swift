import FaultyObjectStore
import Storage
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
    func stores() async throws -> BlobStores {
        let place = try #require(setting).place
        let credentials = try #require(S3Credentials(accessKey: "key", secret: "secret"))
        return try await .bucket(
            place, credentials: credentials,
            timing: S3Timing(now: { 1_790_000_000 }, sleep: { _ in }, random: { 0 }))
    }
}
