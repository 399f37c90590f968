import HTTPTypes
package import Hummingbird
package import Logging
import Workers

extension Call {
    /// The body as a value, read within the time allowed.
    ///
    /// - Parameter place: taken as soon as so much has come that it has to have one.
    func body<Input: Decodable & Sendable>(
        _ type: Input.Type, _ limit: Limits.Body, _ place: LargeBodies.Place? = nil
    ) async throws -> Input {
        let request = request
        let bytes = try await shell.limits.run(reading: limit) { pace in
            try await request.collectJSON(limit: limit, pace, place)
        }
        guard bytes.count > Limits.quickBody else {
            return try Request.decodeStrictly(type, from: bytes, limit: limit)
        }
        return try await shell.work.run { try Request.decodeStrictly(type, from: bytes, limit: limit) }
    }
}

extension RouteTable {
    /// The router of all routes: every answer, errors too, goes through the shell's middleware.
    ///
    /// - Parameter logLevel: of requests' own log lines, when it differs from the application's.
    package func router(_ shell: Shell, logLevel: Logger.Level? = nil) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let slices = endpoints.reduce(into: [:]) { $0[$1.path] = $1.slice }
        router.add(middleware: Observation(shell: shell, logLevel: logLevel, slices: slices))
        router.add(middleware: ProblemMiddleware(shell: shell, paths: PathMethods(endpoints)))
        for endpoint in endpoints {
            router.on(RouterPath(endpoint.routerPath), method: endpoint.method) { request, context in
                try await endpoint.respond(to: request, context: context, shell: shell)
            }
        }
        return router
    }
}

extension Endpoint {
    /// The path as the HTTP library writes it.
    var routerPath: String {
        guard path.hasSuffix("+}"), let brace = path.lastIndex(of: "{") else { return path }
        return path[..<brace] + "**"
    }

    fileprivate func respond(to request: Request, context: ServerContext, shell: Shell) async throws -> Response {
        context.coreContext.endpointPath.value = path
        var context = context
        switch access {
        case .open(let rate):
            try shell.rates.spend(rate, for: .address(context.address))
        case .signed: break
        case .session:
            context.principal = try await shell.principal(
                of: request, address: context.address, evenLocked: isForLocked)
        case .permission(let permission):
            let principal = try await shell.principal(
                of: request, address: context.address, evenLocked: isForLocked)
            guard permission.isGranted(to: principal.role) else {
                throw Problem(
                    .forbidden, "This needs the permission '\(permission.rawValue)', which your role does not have.")
            }
            context.principal = principal
        case .program(let authenticator):
            context.program = try await shell.program(of: request, authenticator, address: context.address)
        }
        if let principal = context.principal { try check(principal, now: shell.clock.now()) }
        let call = Call(request: request, context: context, shell: shell)
        let time = Limits.answerTime + (takes?.time ?? .zero)
        let owner =
            (context.principal?.account ?? context.program?.id).map { WorkOwner.account($0) }
            ?? WorkOwner(address: context.address)
        return try await WorkOwner.$current.withValue(owner) {
            try await shell.limits.run(time, or: Problem(.busy, cause: "time limit")) { [handle, access] in
                do {
                    return try await handle(call, call.context.principal)
                } catch {
                    if case .signed(let rate) = access { try call.countFault(error, rate) }
                    throw error
                }
            }
        }
    }
}

extension Call {
    /// Counts a request that did not prove itself, against the address that sent it.
    ///
    /// What was signed well may still come too late, or twice, or with a wrong code. That counts nothing, and neither do
    /// faults of the server.
    ///
    /// - Throws: `too-many-requests` instead of the error itself.
    func countFault(_ error: any Error, _ rate: Limits.Rate) throws(Problem) {
        switch Problem(answering: error).kind {
        case .conflict, .gone, .wrongCode: return
        case let kind where kind.status.kind == .serverError: return
        default: try shell.rates.spend(rate, for: .address(address))
        }
    }
}

extension Endpoint {
    /// Asks what a session must have beyond its permission.
    private func check(_ principal: Principal, now: Int64) throws(Problem) {
        if demands.contains(.device), principal.device == nil { throw Problem(.deviceRequired) }
        if demands.contains(.confirmation) { try principal.checkConfirmed(at: now) }
    }
}

extension Principal {
    /// Whether its person was there lately.
    ///
    /// Acts ask for it themselves if it depends on what is there already.
    ///
    /// - Throws: `Problem` `confirmation-required`.
    func checkConfirmed(at now: Int64) throws(Problem) {
        guard let confirmedUntil, confirmedUntil > now else { throw Problem(.confirmationRequired) }
    }
}

extension Call {
    /// Asks again, in the middle of a long answer, whether its reader still has the session and the permission.
    ///
    /// - Throws: `Problem` `unauthenticated` or `forbidden`.
    func mayGoOn(_ permission: Permission?) async throws {
        let principal = try await principalNow()
        guard permission?.isGranted(to: principal.role) ?? true else { throw Problem(.forbidden) }
    }

    /// Asks again, in the middle of an answer, who sent the request.
    ///
    /// - Throws: `Problem` `unauthenticated` when the session has ended.
    func principalNow() async throws -> Principal {
        guard let token = request.bearerToken ?? shell.cookie.token(of: request),
            let principal = try await shell.authenticator.authenticate(token: token)
        else { throw Problem(.unauthenticated) }
        return principal
    }
}

extension Shell {
    /// Who sent the request.
    ///
    /// Tokens that fail are counted by address, requests by account.
    fileprivate func principal(of request: Request, address: String, evenLocked: Bool) async throws -> Principal {
        guard let token = request.bearerToken ?? cookie.token(of: request) else { throw Problem(.unauthenticated) }
        guard let principal = try await authenticator.authenticate(token: token, evenLocked: evenLocked) else {
            try rates.spend(.badToken, for: .address(address))
            throw Problem(.unauthenticated)
        }
        try rates.spend(.account, for: .account(principal.account))
        return principal
    }

    /// Which program sent the request: by the field `Authorization` alone, since a page's cookie is a person's.
    fileprivate func program(
        of request: Request, _ authenticator: any ProgramAuthenticator, address: String
    ) async throws -> CallingProgram {
        guard let key = request.bearerToken else { throw Problem(.unauthenticated) }
        guard let program = try await authenticator.authenticate(key: key) else {
            try rates.spend(.badToken, for: .address(address))
            throw Problem(.unauthenticated)
        }
        try rates.spend(.program, for: .account(program.id))
        return program
    }
}

extension Request {
    /// The token of `Authorization: Bearer` (RFC 6750 section 2.1); given twice it counts as none.
    package var bearerToken: String? {
        let fields = headers[values: .authorization]
        guard fields.count == 1, let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1]
        guard 1...Limits.token ~= token.utf8.count, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return String(token)
    }
}
