import Storage

/// Failed tries at a secret, and acts that few should follow, counted by all servers that share the database, and across their restarts.
///
/// A row says until when its bucket is not full: each failure moves that on by the time in which one token comes back (the
/// generic cell rate algorithm). A try that succeeds writes nothing.
struct TryStore {
    let transaction: Transaction

    /// A rate for one subject.
    struct Bucket: Sendable {
        let rate: Limits.Rate
        /// The subject: without the server's secret nobody can find out a name or an address from it.
        let key: String
        /// How many are taken at once.
        private let tokens: Int64

        /// - Parameter tokens: how many are taken at once, from 1 to the rate's burst.
        init(_ rate: Limits.Rate, _ subject: RateLimiter.Subject, _ environment: Environment, tokens: Int64 = 1) {
            self.rate = rate
            self.tokens = tokens
            key = environment.codeHash("", purpose: "tries \(rate.name) \(subject.counted)")
        }

        /// Seconds in which one token comes back.
        private var interval: Int64 { Int64((60 / rate.perMinute).rounded(.up)) }

        /// Seconds in which an empty bucket becomes full.
        fileprivate var capacity: Int64 { interval * Int64(rate.burst) }

        /// When the bucket is full again, if the tokens are taken from it now.
        ///
        /// Never later than from an empty one: a clock that was set back must not shut anybody out.
        fileprivate func expiry(after expires: Int64, now: Int64) -> Int64 {
            min(max(now, expires) + interval * tokens, now + capacity)
        }

        /// A bucket that is full only after this time has too few tokens.
        func emptyAfter(now: Int64) -> Int64 { now + capacity - interval * tokens }
    }

    /// The bucket with too few tokens that has enough of them last, with the seconds until then; `nil` if all have enough.
    func wait(_ buckets: [Bucket], now: Int64) throws -> (bucket: Bucket, seconds: Int)? {
        let expiries = try expiries(buckets)
        var longest: (bucket: Bucket, seconds: Int)?
        for bucket in buckets {
            let seconds = Int((expiries[bucket.key] ?? now) - bucket.emptyAfter(now: now))
            if seconds > longest?.seconds ?? 0 { longest = (bucket, seconds) }
        }
        return longest
    }

    /// Takes a bucket's tokens from each, if all have enough.
    ///
    /// - Throws: `Problem` `too-many-requests`.
    func spend(_ buckets: [Bucket], now: Int64) throws {
        if let wait = try wait(buckets, now: now) {
            throw RateLimiter.problem(wait.bucket.rate, wait: wait.seconds)
        }
        try count(buckets, now: now)
    }

    /// Takes a bucket's tokens from each.
    func count(_ buckets: [Bucket], now: Int64) throws {
        let expiries = try expiries(buckets)
        for bucket in buckets {
            try transaction.execute(
                "INSERT INTO tries (bucket, expires) VALUES ($1, $2) ON CONFLICT (bucket) DO UPDATE SET expires = $2",
                [.text(bucket.key), .integer(bucket.expiry(after: expiries[bucket.key] ?? now, now: now))])
        }
    }

    private func expiries(_ buckets: [Bucket]) throws -> [String: Int64] {
        guard !buckets.isEmpty else { return [:] }
        let places = (1...buckets.count).map { "$\($0)" }.joined(separator: ", ")
        return try transaction.rows(
            "SELECT bucket, expires FROM tries WHERE bucket IN (\(places))", buckets.map { .text($0.key) }
        ).reduce(into: [:]) { $0[try $1.text("bucket")] = try $1.integer("expires") }
    }
}
