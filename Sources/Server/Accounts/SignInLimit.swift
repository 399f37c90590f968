/// How often a person may try to sign in.
///
/// Without the proof of a registered device an attempt can never succeed, and its answer says nothing of the passphrase.
///
/// Each process counts attempts, and all servers of the database count those that failed (``TryStore``).
struct SignInLimit: Sendable {
    let rates: RateLimiter
    /// Where the attempt comes from.
    let address: String

    /// What all servers know about an attempt before it is made.
    struct Shared: Sendable {
        /// Where it counts, if it fails.
        let buckets: [TryStore.Bucket]
        /// Which of them is empty, and for how many seconds.
        let wait: (bucket: TryStore.Bucket, seconds: Int)?

        /// - Throws: `too-many-requests` when too many attempts have failed.
        func check() throws(Problem) {
            if let wait { throw RateLimiter.problem(wait.bucket.rate, wait: wait.seconds) }
        }
    }

    /// Counts an attempt in this process.
    ///
    /// - Parameter device: which device of the account proved itself; `nil` for everybody else.
    func spend(username: String, device: String?) throws(Problem) {
        for (rate, subject) in counted(username: username, device: device) { try rates.spend(rate, for: subject) }
    }

    /// Where an attempt counts for all servers.
    func buckets(username: String, device: String?, _ environment: Environment) -> [TryStore.Bucket] {
        guard rates.isLimiting else { return [] }
        return counted(username: username, device: device).map { TryStore.Bucket($0.0, $0.1, environment) }
    }

    private func counted(username: String, device: String?) -> [(Limits.Rate, RateLimiter.Subject)] {
        if let device { return [(.signInByDevice, .account(device))] }
        return [(.signInByAccount, .accountFrom(username, address: address)), (.signInByName, .account(username))]
    }
}
