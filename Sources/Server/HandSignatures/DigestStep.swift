import Encodings
import Storage

/// Replaces digests of signed files that older versions stored in clear by keyed hashes, at the server's start.
///
/// SQL has no HMAC, so this is no migration. Every round is one transaction: whenever the process dies, each row has either
/// its digest or its index, and the next start goes on. Once all are done, the step is marked and nothing is looked through.
struct DigestStep {
    let database: any Database
    let box: TemplateBox
    /// Rows of one transaction.
    static let batch = 200

    /// Runs the step.
    ///
    /// - Parameter rounds: the most rounds; tests stop in the middle.
    func run(now: Int64, rounds: Int = .max) async throws {
        var (left, changed) = (rounds, 0)
        while left > 0, let count = try await round(now: now) {
            changed += count
            left -= 1
        }
        // The digests are still in older copies of the pages.
        if changed > 0 { try await database.scrub() }
    }

    /// - Returns: how many were replaced; `nil` when none are left.
    private func round(now: Int64) async throws -> Int? {
        guard try await database.read({ try !DigestStore(transaction: $0).isDone() }) else { return nil }
        return try await database.write { transaction in
            let store = DigestStore(transaction: transaction)
            let digests = try store.plain(limit: Self.batch)
            for digest in digests { try store.replace(digest, with: box.index(ofDigest: digest)) }
            if digests.count < Self.batch { try store.finish(at: now) }
            return digests.count
        }
    }
}
