package import Hummingbird
package import Storage
package import Workers

/// One thing that must work before the server takes requests.
package struct ReadinessCheck: Sendable {
    /// A word for it, shown to anybody.
    package let name: String
    /// Returns when it works.
    package let check: @Sendable () async throws -> Void

    /// A check.
    package init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }
}

/// The parts of the server that every capability uses.
///
/// A class, since every request hands it on several times: one reference instead of its dozen.
package final class Shell: Sendable {
    /// The one clock.
    package let clock: ServerClock
    /// What `/metrics` shows.
    package let metrics: MetricsRegistry
    /// What requests count for there.
    let requests: RequestMetrics
    /// The newest lines of the log.
    package let recentLog = RecentLog()
    /// Live updates.
    package let events: EventHub
    /// Rates by address and account.
    package let rates: RateLimiter
    /// How long things may take.
    package let limits: TimeLimits
    /// Threads for what keeps a processor for long.
    package let work: BlockingWork
    /// Places for requests with large bodies.
    package let largeBodies = LargeBodies()
    /// Of lists that are being sent as files: each reads all rows.
    let tableFiles = Places(Limits.tableFiles, ofEach: Limits.tableFilesPerAccount)
    /// Who is acting.
    package let authenticator: any SessionAuthenticator
    /// What `/readyz` asks.
    package let readiness: [ReadinessCheck]
    /// What the database has written.
    let writes: @Sendable () -> WriteFigures
    /// Whether `X-Forwarded-For` is to be believed.
    package let trustsProxy: Bool
    /// Where pages come from: a cookie counts only for requests that they make.
    package let publicURL: String
    /// Whether the public URL is https: browsers are then told never to use http.
    package var isSecure: Bool { publicURL.hasPrefix("https:") }
    /// How pages carry their session.
    package let cookie: SessionCookie

    /// Whether requests for files of pages leave a line in the log.
    let logsAssets: Bool
    /// Makes the page that tells a browser of a problem, with the request's id; `nil` where there are no pages.
    package typealias ProblemPageMaker = @Sendable (Problem, Request, _ instance: String) async throws -> Response
    /// Makes pages of problems.
    let problemPage: ProblemPageMaker?

    /// The parts, with fresh rates.
    package init(
        clock: ServerClock = .system, metrics: MetricsRegistry = MetricsRegistry(),
        authenticator: any SessionAuthenticator, events: EventHub? = nil, readiness: [ReadinessCheck] = [],
        work: BlockingWork = BlockingWork(Limits.work), trustsProxy: Bool = false,
        publicURL: String = "http://localhost",
        isLimitingRates: Bool = true, logsAssets: Bool = false, problemPage: ProblemPageMaker? = nil,
        writes: @escaping @Sendable () -> WriteFigures = { WriteFigures() }
    ) {
        self.logsAssets = logsAssets
        self.problemPage = problemPage
        self.writes = writes
        self.clock = clock
        self.metrics = metrics
        requests = RequestMetrics(factory: metrics)
        self.work = work
        work.report(to: metrics)
        self.authenticator = authenticator
        self.readiness = readiness
        self.trustsProxy = trustsProxy
        self.publicURL = publicURL
        cookie = SessionCookie(publicURL: publicURL)
        self.events = events ?? EventHub(clock: clock)
        limits = TimeLimits(clock: clock)
        rates = RateLimiter(clock: clock, isLimiting: isLimitingRates)
    }
}
