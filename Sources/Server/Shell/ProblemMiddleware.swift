import HTTPTypes
import Hummingbird
import Logging

/// Turns every error, including unknown routes and wrong methods, into a problem document, or into a page for readers
/// of pages.
///
/// The text of an error is for the log, with the request's id; the caller is told only what its `Problem` says.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = ServerContext
    let shell: Shell
    let paths: PathMethods

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            // The library takes the first field as the request's authority and leaves others where they are.
            guard request.head.authority != nil, !request.headers.contains(where: Self.isHost) else {
                throw Problem(.badRequest, "A request has exactly one 'Host' field.")
            }
            guard (request.head.path ?? "").utf8.count <= Limits.target else { throw Problem(.targetTooLong) }
            return try await next(request, context)
        } catch {
            let problem = named(error, request, context)
            report(problem, context.logger)
            var response = await page(problem, request, context) ?? problem.response(instance: context.id)
            // The session is over: the browser need not go on sending its cookie.
            if problem.kind == .unauthenticated, shell.cookie.token(of: request) != nil {
                response.headers[values: .setCookie] = [
                    shell.cookie.clearingField, shell.cookie.languageField(""),
                ]
            }
            return response
        }
    }

    /// The problem as a page, for a browser; `nil` for programs, or when no page can be made.
    private func page(_ problem: Problem, _ request: Request, _ context: ServerContext) async -> Response? {
        guard let show = shell.problemPage, ProblemPage.isWanted(by: request) else { return nil }
        // A page costs more than a document: strangers who only ask for errors get documents after a while.
        guard (try? shell.rates.spend(.problemPage, for: .address(context.address))) != nil,
            var response = try? await show(problem, request, context.id)
        else { return nil }
        problem.addFields(to: &response)
        return response
    }

    private static func isHost(_ field: HTTPField) -> Bool { field.name.canonicalName == "host" }

    private func named(_ error: any Error, _ request: Request, _ context: ServerContext) -> Problem {
        // The library reports a path without a handler for the method as not found.
        guard (error as? HTTPError)?.status == .notFound else { return Problem(answering: error) }
        let methods = paths.methods(for: request.uri.path)
        guard !methods.isEmpty else { return Problem(.notFound, "There is no such address.") }
        return Problem(.methodNotAllowed, allow: methods.joined(separator: ", "))
    }

    private func report(_ problem: Problem, _ logger: Logger) {
        let isOurs = problem.status.kind == .serverError
        guard isOurs || problem.cause != nil else { return }
        logger.log(
            level: isOurs ? .error : .info, "request refused",
            metadata: ["problem": "\(problem.kind.slug)", "cause": "\(problem.cause ?? "-")"])
    }
}

/// Which methods an address answers to.
struct PathMethods: Sendable {
    private let routes: [(parts: [Substring], method: String)]

    init(_ endpoints: [Endpoint]) {
        routes = endpoints.map { ($0.path.split(separator: "/"), $0.method.rawValue) }
    }

    /// Sorted; with `HEAD` where there is `GET`.
    func methods(for path: String) -> [String] {
        let parts = path.split(separator: "/")
        var methods = Set(routes.filter { Self.matches($0.parts, parts) }.map(\.method))
        if methods.contains("GET") { methods.insert("HEAD") }
        return methods.sorted()
    }

    private static func matches(_ template: [Substring], _ path: [Substring]) -> Bool {
        let takesRest = template.last?.hasSuffix("+}") ?? false
        guard takesRest ? path.count >= template.count : path.count == template.count else { return false }
        return zip(template, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
