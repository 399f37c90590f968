import Foundation
import Testing

@testable import Storage

/// Our client against an independent object store.
///
/// It checks every signature, and every act against the policy of the documentation.
@Suite("A bucket", .enabled(if: objectStoreEndpoint != nil, needsObjectStore)) struct BucketTests {
    private static func open(
        _ place: S3Place, key: String? = nil, secret: String? = nil
    ) async throws -> BlobStores {
        let environment = ProcessInfo.processInfo.environment
        let credentials = S3Credentials(
            accessKey: key ?? environment["AWS_ACCESS_KEY_ID"] ?? "",
            secret: secret ?? environment["AWS_SECRET_ACCESS_KEY"] ?? "")
        return try await .bucket(place, credentials: try #require(credentials), timing: .forTests())
    }

    private static func refusal(_ open: () async throws -> BlobStores) async -> String {
        do {
            _ = try await open()
        } catch StorageError.objectStoreRefuses(let detail) {
            return detail
        } catch {
            return "\(error)"
        }
        return "nothing"
    }

    @Test func `a wrong secret, an unknown key and a bucket that is not there end the start with words`() async throws {
        let place = try S3Place.ofTests(prefix: "words")
        let secret = await Self.refusal { try await Self.open(place, secret: "wrong") }
        #expect(secret.contains("(SignatureDoesNotMatch)") && secret.contains("correct the credentials"), "\(secret)")
        let key = await Self.refusal { try await Self.open(place, key: "AKIAUNKNOWN") }
        #expect(key.contains("(InvalidAccessKeyId)") && key.contains("correct the credentials"), "\(key)")
        // The key may do nothing outside its bucket, where Amazon's store would say so too.
        let elsewhere = try S3Place.ofTests(bucket: "another-bucket", prefix: "words")
        let bucket = await Self.refusal { try await Self.open(elsewhere) }
        #expect(bucket.contains("(AccessDenied)") || bucket.contains("(NoSuchBucket)"), "\(bucket)")
    }

    @Test func `more than a page of blobs is listed and removed`() async throws {
        let place = try S3Place.ofTests(prefix: UUID().uuidString)
        let log = try await Self.open(place).log
        let blobs = (0..<1_030).map { Blob(name: "tile/000.p/\($0)", bytes: [], serving: .immutable) }
        try await log.write(blobs + [Blob(name: "tile/000", bytes: [1], serving: .immutable)])
        #expect(try await Set(log.list().map(\.name)) == Set(blobs.map(\.name) + ["tile/000"]))
        try await log.deleteAll(under: "tile/000.p")
        #expect(try await log.list().map(\.name) == ["tile/000"])
    }

    @Test func `a large document comes back as it went`() async throws {
        let blobs = try await Self.open(S3Place.ofTests(prefix: UUID().uuidString)).blobs
        let bytes = (0..<16_777_216).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await blobs.write("large", bytes)
        #expect(try await blobs.read("large") == bytes)
        #expect(try await blobs.size("large") == 16_777_216)
    }
}
