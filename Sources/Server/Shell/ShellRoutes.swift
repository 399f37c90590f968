import CoreMetrics
import Encodings
import Hummingbird
import Storage
import Synchronization
import Workers

/// The server's answers about itself: alive, ready, metrics, description and problems.
struct ShellRoutes {
    /// Adds them.
    ///
    /// Call it last: the description covers the routes that are there by then, and its own.
    func add(to routes: inout RouteTable, publicURL: String) {
        addHealth(to: &routes)
        addProblems(to: &routes)
        // The description describes itself too, so it is made when it is first asked for.
        let document = DescriptionCache(publicURL: publicURL)
        routes.openRaw(.get, "/openapi.json", "This description", answers: "application/json") { _ in
            .bytes(try document.bytes(), mediaType: "application/json")
        }
        document.routes.withLock { [described = routes.described] in $0 = described }
    }

    private func addHealth(to routes: inout RouteTable) {
        routes.openRaw(.get, "/healthz", "Whether the process is alive", answers: "text/plain") { _ in .text("ok\n") }
        routes.openRaw(
            .get, "/readyz", "Whether it can take requests, check by check", answers: "text/plain"
        ) { call in await Self.readiness(call.shell) }
        routes.openRaw(
            .get, "/metrics", "Metrics, Prometheus text", answers: "text/plain"
        ) { call in
            let shell = call.shell
            Meter(label: "event_streams", factory: shell.metrics).set(Int64(shell.events.count))
            let load = shell.work.load
            Meter(label: "work_waiting", factory: shell.metrics).set(Int64(load.waiting))
            Meter(label: "work_running", factory: shell.metrics).set(Int64(load.running))
            let writes = shell.writes()
            for (name, value) in [
                ("database_writes", Double(writes.writes)), ("database_commits", Double(writes.commits)),
                ("database_lock_waited_seconds", writes.lockWaited), ("database_lock_held_seconds", writes.lockHeld),
            ] { Meter(label: name, factory: shell.metrics).set(value) }
            return .text(PrometheusText.write(call.shell.metrics), mediaType: PrometheusText.mediaType)
        }
    }

    /// Why a check fails is in the log; anybody may see only that it does.
    private static func readiness(_ shell: Shell) async -> Response {
        var lines = ""
        var isReady = true
        for check in shell.readiness {
            do {
                try await shell.limits.run(Limits.readinessTime, or: Problem(.busy), check.check)
                lines += "\(check.name): ok\n"
            } catch {
                isReady = false
                lines += "\(check.name): failed\n"
            }
        }
        guard isReady else { return Problem(.busy, lines).response(instance: nil) }
        return .text(lines + "ready\n")
    }

    private func addProblems(to routes: inout RouteTable) {
        routes.openRaw(.get, "/problems", "Every kind of problem", answers: "text/plain") { _ in
            .text(ProblemKind.allCases.map { "\($0.path)  \($0.status.code)  \($0.title)\n" }.joined())
        }
        routes.openRaw(
            .get, "/problems/{slug}", "What a problem means", answers: "text/plain", problems: [.notFound]
        ) { call in
            guard let kind = ProblemKind(rawValue: try call.parameter("slug")) else { throw Problem(.notFound) }
            return .text("\(kind.title)\n\nStatus \(kind.status.code), \(kind.path)\n\n\(kind.explanation)\n")
        }
    }
}

/// The description, made once.
private final class DescriptionCache: Sendable {
    let routes = Mutex(RouteTable())
    private let publicURL: String
    private let document = Mutex<Bytes?>(nil)

    init(publicURL: String) { self.publicURL = publicURL }

    func bytes() throws -> Bytes {
        try document.withLock { document in
            if let document { return document }
            let bytes = try OpenAPI.document(routes.withLock { $0 }, publicURL: publicURL).serialized()
            document = bytes
            return bytes
        }
    }
}
