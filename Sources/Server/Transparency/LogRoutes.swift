import HTTPTypes
import Hummingbird
import Interface
import Transparency
import Encodings

/// The log for everybody, and the entries about the caller.
struct LogRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let log = environment.log
        routes.openRaw(
            .get, "/log/checkpoint", "The signed tree head (C2SP tlog-checkpoint)",
            answers: "text/plain; charset=utf-8"
        ) { _ in .bytes(try await log.newestCheckpoint(), mediaType: "text/plain; charset=utf-8") }
        routes.openRaw(
            .get, "/log/tile/{path+}", "A tile or a bundle of entries (C2SP tlog-tiles)",
            answers: "application/octet-stream", problems: [.notFound]
        ) { call in
            // Only what parses as the name of a tile is read from the disk.
            let name = (["tile"] + call.rest).joined(separator: "/")
            guard let tile = try? Tile.parse(Bytes(text: name)), let bytes = try await log.file(tile.path)
            else {
                throw Problem(.notFound)
            }
            var response = Response.bytes(bytes, mediaType: "application/octet-stream")
            response.headers[.cacheControl] = "public, max-age=31536000, immutable"
            return response
        }
        routes.list(
            "/api/log/mine", "Every log entry about you, with receipts, newest first", .readOwnLog,
            file: "log", of: LoggedEntry.self,
            filters: [
                QueryParameter("types", "Kinds of entries, such as `document.issued`, with commas between: only these.")
            ], isSearched: false
        ) { request, call, principal in
            try await log.entries(account: principal.account, kinds: try Self.kinds(call, of: log), request)
        }
        addPolicy(to: &routes)
    }

    /// Reads `types` from the query.
    ///
    /// - Returns: `nil` when it is not given.
    /// - Throws: `Problem` `bad-request`: nothing else may be asked for than what the log may have.
    private static func kinds(_ call: Call, of log: TransparencyLog) throws(Problem) -> [TrustEvent.Kind]? {
        guard let text = call.query("types") else { return nil }
        let kinds = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { TrustEvent.Kind(String($0)) }
        // Each once, so that there are never more of them than kinds.
        guard Set(kinds).count == kinds.count, log.parts.events.isSuperset(of: kinds) else {
            throw Problem(
                .badRequest, "types: kinds of entries, such as document.issued, each once, with commas between.")
        }
        return kinds
    }

    private func addPolicy(to routes: inout RouteTable) {
        let policies = LogPolicyService(environment: environment)
        routes.secured(
            .get, "/api/log/settings", "The log's keys, and the policy in force", .changeLogPolicy,
            answers: LogSettings.self
        ) { _, _ in try await policies.settings() }
        routes.secured(
            .post, "/api/log/policy", "Put a log policy in force (C2SP tlog-policy)", .changeLogPolicy,
            confirmed: true, device: true, takes: LogPolicyRequest.self, limit: .medium,
            answers: Acknowledgement.self, problems: [.conflict, .unwitnessed]
        ) { request, _, principal in try await policies.set(request, principal) }
    }
}
