import Synchronization

/// Token buckets by rate and subject (an address, an account, a name, a device, a session), with bounded memory.
///
/// The bucket unused for longest is forgotten first. Forgetting one gives its subject a full bucket again. So the
/// number remembered (`Limits.rateEntries`) is far above what one address can spend in the time a bucket takes to fill.
///
/// Each process has its own, empty at its start. Tries at a secret are also bounded by a row (``TryStore``).
package final class RateLimiter: Sendable {
    /// The owner of a bucket.
    package enum Subject: Hashable, Sendable {
        /// A network address; an IPv6 address counts with its whole /64, which one host can use at will.
        case address(String)
        /// An account's id, or a name that may or may not be an account's.
        case account(String)
        /// The same, as it is used from one network.
        case accountFrom(String, address: String)
        /// A device's id.
        case device(String)
        /// A session's id.
        case session(String)
    }

    private struct Key: Hashable {
        let rate: String
        let subject: Subject
    }

    private struct Bucket {
        var tokens: Double
        var updated: Duration
    }

    private let uptime: @Sendable () -> Duration
    /// False in benchmarks only.
    let isLimiting: Bool
    private let buckets: Mutex<LeastRecentlyUsed<Key, Bucket>>

    /// An empty limiter.
    ///
    /// - Parameter isLimiting: false in benchmarks only, whose load comes from one address.
    package init(clock: ServerClock, capacity: Int = Limits.rateEntries, isLimiting: Bool = true) {
        self.isLimiting = isLimiting
        uptime = clock.uptime
        buckets = Mutex(LeastRecentlyUsed(capacity: capacity))
    }

    /// Takes one token.
    ///
    /// - Throws: `Problem` `too-many-requests` with the seconds until the next token.
    package func spend(_ rate: Limits.Rate, for subject: Subject) throws(Problem) {
        guard isLimiting else { return }
        let now = uptime()
        let key = Key(rate: rate.name, subject: subject.counted)
        let perSecond = rate.perMinute / 60
        let missing: Double? = buckets.withLock { buckets in
            var bucket = buckets.removeValue(for: key) ?? Bucket(tokens: rate.burst, updated: now)
            let passed = max(0, (now - bucket.updated).inSeconds)
            bucket.tokens = min(rate.burst, bucket.tokens + passed * perSecond)
            bucket.updated = now
            // A refill computed in doubles may end a hair below one whole token.
            let isEnough = bucket.tokens >= 1 - 1e-9
            if isEnough { bucket.tokens = max(0, bucket.tokens - 1) }
            buckets.insert(bucket, for: key)
            return isEnough ? nil : 1 - bucket.tokens
        }
        guard let missing else { return }
        throw Self.problem(rate, wait: max(1, Int((missing / perSecond).rounded(.up))))
    }

    /// The answer to a caller without a token.
    ///
    /// - Parameter wait: seconds until the next one.
    static func problem(_ rate: Limits.Rate, wait: Int) -> Problem {
        Problem(
            .tooManyRequests, "The limit '\(rate.name)' is reached. Try again in \(wait) seconds.", retryAfter: wait,
            cause: "rate limit \(rate.name)")
    }

    /// How many buckets are remembered.
    var count: Int { buckets.withLock { $0.count } }
}

extension RateLimiter.Subject {
    /// Who counts as the same.
    var counted: Self {
        switch self {
        case .account, .device, .session: self
        case .address(let text): .address(ClientAddress.network(of: text))
        case .accountFrom(let account, let text): .accountFrom(account, address: ClientAddress.network(of: text))
        }
    }
}

extension Principal {
    /// The device, or the session where there is none.
    ///
    /// A device opens many sessions. If each had a bucket of its own, another session would lift the limit.
    var deviceOrSession: RateLimiter.Subject { device.map(RateLimiter.Subject.device) ?? .session(session) }
}
