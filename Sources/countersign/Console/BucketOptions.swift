import ArgumentParser
import Foundation
import Server
import Storage

/// The settings of an object store as flags.
struct BucketOptions: ParsableArguments {
    @Option(help: "A bucket for sealed documents and the log, s3://BUCKET[/PREFIX]; without it, the data directory.")
    var blobs: String?
    @Option(help: "The address of the bucket's store, if not Amazon's. Beyond this machine it must be https.")
    var s3Endpoint: String?
    @Option(help: "The bucket's region; the default is us-east-1.") var s3Region: String?
    @Option(help: "path or host: where the bucket's name goes. Default: host at Amazon, path elsewhere.")
    var s3Addressing: String?
    @Option(
        help: "A file with the access key, in the form of ~/.aws/credentials, for its owner only.", completion: .file())
    var s3Credentials: String?

    /// By the names of the settings.
    var flags: [String: String?] {
        [
            "blobs": blobs, "s3-endpoint": s3Endpoint, "s3-region": s3Region, "s3-addressing": s3Addressing,
            "s3-credentials": s3Credentials,
        ]
    }
}

extension Settings {
    /// The configured bucket, before any request to it; `nil` when there is none.
    func bucket() throws -> BlobStores? {
        guard let store = configuration.objectStore else { return nil }
        let credentials: S3Credentials? =
            switch store.credentials {
            case .environment: S3Credentials(environment: ProcessInfo.processInfo.environment)
            case .file(let path): try S3Credentials(file: path)
            }
        guard let credentials else {
            throw CommandError("The environment no longer has an access key. Set it again, and restart.")
        }
        let clock = ServerClock.system
        return .untriedBucket(
            store.place, credentials: credentials, source: store.credentials,
            timing: S3Timing(now: clock.now, sleep: clock.sleep, random: { Double.random(in: 0..<1) }))
    }

    /// The same, after trying it out.
    func triedBucket() async throws -> BlobStores? {
        let bucket = try bucket()
        try await bucket?.tryOut()
        return bucket
    }

    /// Sealed documents and the log of a server that may be running: its bucket, or its folders as they are.
    func storesAsTheyAre() throws -> BlobStores {
        if let bucket = try bucket() { return bucket }
        return .folders(asTheyAreIn: configuration.dataDirectory)
    }
}
