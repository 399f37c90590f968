import HTTPTypes
import Hummingbird
import Logging

/// The outermost layer: address, time limit, security headers, request id, metrics and one access-log line.
///
/// Logged are method, path *template*, status and time. Never a path, a query, a body or a header: they hold codes.
struct Observation: RouterMiddleware {
    typealias Context = ServerContext
    let shell: Shell
    let logLevel: Logger.Level?
    /// The slice that each path belongs to.
    let slices: [String: String]

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = shell.clock.uptime()
        var context = context
        context.address = ClientAddress.of(request, peer: context.peer, trustsProxy: shell.trustsProxy)
        if let logLevel, context.logger.logLevel != logLevel { context.logger.logLevel = logLevel }
        var response = try await next(request, context)
        SecurityHeaders.add(to: &response, path: request.uri.path, isSecure: shell.isSecure)
        response.headers[.requestID] = context.id
        record(request, context, response.status, shell.clock.uptime() - start)
        return response
    }

    private func record(
        _ request: Request, _ context: ServerContext, _ status: HTTPResponse.Status, _ taken: Duration
    ) {
        let route = Self.route(context)
        let method = Self.method(request.method)
        shell.requests.record(
            method: method, route: route, slice: slices[route] ?? "none", status: status.code,
            nanoseconds: Int64(taken.inSeconds * 1e9))
        guard shell.logsAssets || !Self.isAsset(route, status) else { return }
        let milliseconds = (taken.inSeconds * 10_000).rounded() / 10
        context.logger.info(
            "\(RecentLog.requestMessage)",
            metadata: [
                "method": "\(method)", "route": "\(route)", "status": "\(status.code)", "ms": "\(milliseconds)",
            ])
    }

    /// Whether a request is one of the dozens that each page brings: a file that was sent, or that has not changed.
    private static func isAsset(_ route: String, _ status: HTTPResponse.Status) -> Bool {
        if status == .notModified { return true }
        let isFile = route.hasPrefix("/assets/") || route == "/sw.js" || route == "/manifest.webmanifest"
        return isFile && status.kind == .successful
    }

    /// The template of the route that answered; all addresses that do not exist count as one.
    private static func route(_ context: ServerContext) -> String {
        guard let path = context.endpointPath, path.hasPrefix("/") else { return "none" }
        return path
    }

    /// Methods are as many as a client likes; those nobody serves count as one.
    private static func method(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }
}

extension HTTPField.Name {
    /// The request's id, which problems and log lines carry too.
    static let requestID = HTTPField.Name("X-Request-Id") ?? .via
}
