import Foundation
import Server
import Storage

extension BlobStores {
    /// The bucket that was configured, tried out; `nil` means folders of the data directory.
    static func configured(_ settings: ServerConfiguration.ObjectStore?) async throws -> BlobStores? {
        guard let settings else { return nil }
        let credentials: S3Credentials? =
            switch settings.credentials {
            case .environment: S3Credentials(environment: ProcessInfo.processInfo.environment)
            case .file(let path): try S3Credentials(file: path)
            }
        guard let credentials else { throw CommandError("There is no access key in the environment any more.") }
        let clock = ServerClock.system
        return try await .bucket(
            settings.place, credentials: credentials, source: settings.credentials,
            timing: S3Timing(now: clock.now, sleep: clock.sleep, random: { Double.random(in: 0..<1) }))
    }
}
