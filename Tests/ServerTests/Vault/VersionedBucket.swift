import Encodings
import Foundation
import Testing

@testable import Storage

/// A part of a bucket that keeps every state of every object, as the owner of an object store sees it.
struct VersionedBucket: Sendable {
    /// One state of an object.
    struct State: Sendable {
        /// As a server names it: `blobs/...` or `log/...`.
        let name: String
        let bytes: Bytes
    }

    /// Whether `scripts/with-s3` has started one.
    static let isPresent = ProcessInfo.processInfo.environment["TEST_S3"] != nil
    /// Why a test that needs one is skipped.
    static let isNeeded: Comment = "Needs TEST_S3: run the tests through scripts/with-s3."

    private static let timing = S3Timing(
        now: { Int64(Date().timeIntervalSince1970) }, sleep: { try await Task.sleep(for: $0) }, random: { 0.5 })

    private let place: S3Place
    private let owner: S3Client

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        let endpoint = try S3Endpoint(try #require(environment["TEST_S3"]))
        let name = try #require(S3BucketName("s3://countersign-versions/\(UUID().uuidString)"))
        let key = try #require(environment["TEST_S3_OWNER_KEY"])
        let secret = try #require(environment["TEST_S3_OWNER_SECRET"])
        let credentials = try #require(S3Credentials(accessKey: key, secret: secret))
        place = S3Place(name, endpoint: endpoint)
        owner = S3Client(place: place, credentials: credentials, source: .environment, timing: Self.timing)
    }

    /// The same for a server, with a server's key.
    func stores() async throws -> BlobStores {
        let credentials = try #require(S3Credentials(environment: ProcessInfo.processInfo.environment))
        return try await .bucket(place, credentials: credentials, timing: Self.timing)
    }

    /// Every state of every object, those that were replaced or deleted too.
    func states() async throws -> [State] {
        var listing = S3Request.list(place.prefix, continuation: nil)
        listing.query = [("prefix", place.prefix), ("versions", "")]
        let page = try SmallXML(try await owner.perform(listing).body)
        try #require(page.name == "ListVersionsResult")
        // A test has fewer than fit on a page.
        try #require(page.child("IsTruncated")?.text == "false")
        var states: [State] = []
        for entry in page.children where entry.name == "Version" {
            let key = try #require(entry.child("Key")?.text)
            let version = try #require(entry.child("VersionId")?.text)
            var request = S3Request.get(key)
            request.query = [("versionId", version)]
            let answer = try await owner.perform(request)
            states.append(State(name: String(key.dropFirst(place.prefix.count)), bytes: answer.body))
        }
        return states
    }
}
