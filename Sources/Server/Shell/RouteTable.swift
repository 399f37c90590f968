package import HTTPTypes
package import Hummingbird

/// All routes.
///
/// Slices add theirs; the router and `/openapi.json` are made from it.
///
/// `open` routes are for anybody, `signed` ones for anybody whose request is signed by a known key, `secured` ones for anyone with a session (and, if given, the permission). A
/// `confirmed` route also needs a user verification a short time ago, a `device` route a session that belongs to a
/// device. `program` routes are for other programs, by an API key.
package struct RouteTable: Sendable {
    /// In the order added.
    package private(set) var endpoints: [Endpoint] = []
    /// The part of the server whose routes are added next.
    package var slice = "server"

    /// An empty table.
    package init() {}

    /// The same routes without what serves them.
    ///
    /// An object that one of the routes keeps must not keep them all: the whole server would outlive its end.
    var described: RouteTable {
        var table = self
        for index in table.endpoints.indices { table.endpoints[index].handle = { _, _ in throw Problem(.notFound) } }
        return table
    }

    /// A route for anybody, without a body.
    package mutating func open<Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, rate: Limits.Rate = .reading,
        answers: Answer.Type, status: HTTPResponse.Status = .ok, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call) async throws -> Answer
    ) {
        add(method, path, summary, .open(rate), [], nil, .of(Answer.self), status, problems) { call, _ in
            call.answer(try await handler(call), status)
        }
    }

    /// A route for anybody, with a JSON body.
    package mutating func open<Input: Codable & Sendable, Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, rate: Limits.Rate,
        takes: Input.Type, limit: Limits.Body = .small, answers: Answer.Type, status: HTTPResponse.Status = .ok,
        problems: [ProblemKind] = [], handler: @escaping @Sendable (Input, Call) async throws -> Answer
    ) {
        add(method, path, summary, .open(rate), [], .of(Input.self, limit), .of(Answer.self), status, problems) {
            call, _ in
            call.answer(try await handler(try await call.body(Input.self, limit), call), status)
        }
    }

    /// A route for anybody whose JSON proves itself by a signature.
    ///
    /// - Parameter faults: how often one address may send what does not; what is signed well is never refused for it.
    package mutating func signed<Input: Codable & Sendable, Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, faults: Limits.Rate,
        takes: Input.Type, limit: Limits.Body = .small, answers: Answer.Type, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Input, Call) async throws -> Answer
    ) {
        add(method, path, summary, .signed(faults), [], .of(Input.self, limit), .of(Answer.self), .ok, problems) {
            call, _ in
            call.answer(try await handler(try await call.body(Input.self, limit), call), .ok)
        }
    }

    /// The same where the route reads the body itself, and makes its answers by hand.
    ///
    /// It has to call ``Call/countFault(_:_:)`` for errors that it answers without throwing.
    package mutating func signedRaw(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, faults: Limits.Rate,
        takes: String, answers mediaType: String, handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        add(method, path, summary, .signed(faults), [], .raw(takes), .raw(mediaType), .ok, []) { call, _ in
            try await handler(call)
        }
    }

    /// A route for anybody whose answer is not JSON, or made by hand.
    ///
    /// - Parameter takes: the media type of its body, which it reads itself.
    package mutating func openRaw(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, rate: Limits.Rate = .reading,
        takes: String? = nil, answers mediaType: String, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        add(method, path, summary, .open(rate), [], takes.map(Endpoint.Payload.raw), .raw(mediaType), .ok, problems) {
            call, _ in try await handler(call)
        }
    }

    /// A route that needs a session, without a body.
    ///
    /// - Parameter locked: whether a locked session may call it too.
    package mutating func secured<Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ permission: Permission?,
        confirmed: Bool = false, device: Bool = false, locked: Bool = false, answers: Answer.Type,
        status: HTTPResponse.Status = .ok, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call, Principal) async throws -> Answer
    ) {
        let demands = Endpoint.Demands.made(confirmed: confirmed, device: device)
        add(method, path, summary, .needing(permission), demands, nil, .of(Answer.self), status, problems) {
            call, principal in
            call.answer(try await handler(call, try principal.orUnauthenticated()), status)
        }
        endpoints[endpoints.count - 1].isForLocked = locked
    }

    /// A route that needs a session, with a JSON body.
    package mutating func secured<Input: Codable & Sendable, Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ permission: Permission?,
        confirmed: Bool = false, device: Bool = false, takes: Input.Type, limit: Limits.Body = .small,
        answers: Answer.Type, status: HTTPResponse.Status = .ok, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Input, Call, Principal) async throws -> Answer
    ) {
        let payload = Endpoint.Payload.of(Input.self, limit)
        let demands = Endpoint.Demands.made(confirmed: confirmed, device: device)
        add(method, path, summary, .needing(permission), demands, payload, .of(Answer.self), status, problems) {
            call, principal in
            let principal = try principal.orUnauthenticated()
            let place = call.shell.largeBodies.place(.whole, for: principal.account)
            defer { place.giveBack() }
            let input = try await call.body(Input.self, limit, place)
            return call.answer(try await handler(input, call, principal), status)
        }
    }

    /// A route that needs a session, whose body is bytes that it reads itself.
    mutating func securedBytes<Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ permission: Permission?,
        limit: Limits.Body, answers: Answer.Type, status: HTTPResponse.Status = .ok, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (RequestPieces, Call, Principal) async throws -> Answer
    ) {
        let input = Endpoint.Payload(mediaType: "application/octet-stream", schema: nil, time: limit.time)
        let problems = problems + [.unsupportedMediaType]
        add(method, path, summary, .needing(permission), [], input, .of(Answer.self), status, problems) {
            call, principal in
            let principal = try principal.orUnauthenticated()
            let place = call.shell.largeBodies.place(.inPieces, for: principal.account)
            defer { place.giveBack() }
            let pieces = try RequestPieces(call.request, limit: limit, limits: call.shell.limits, place: place)
            return call.answer(try await handler(pieces, call, principal), status)
        }
    }

    /// A route for another program that has an API key, without a body.
    mutating func program<Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, by authenticator: any ProgramAuthenticator,
        query: [QueryParameter] = [], answers: Answer.Type, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call, CallingProgram) async throws -> Answer
    ) {
        let problems = problems + (query.isEmpty ? [] : [.badRequest])
        add(
            method, path, summary, .program(authenticator), [], nil, .of(Answer.self), .ok, problems, query: query
        ) { call, _ in call.answer(try await handler(call, try call.callingProgram()), .ok) }
    }

    /// A route for another program that has an API key, with a JSON body.
    package mutating func program<Input: Codable & Sendable, Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, by authenticator: any ProgramAuthenticator,
        takes: Input.Type, limit: Limits.Body = .small, answers: Answer.Type, status: HTTPResponse.Status = .ok,
        problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Input, Call, CallingProgram) async throws -> Answer
    ) {
        let input = Endpoint.Payload.of(Input.self, limit)
        add(method, path, summary, .program(authenticator), [], input, .of(Answer.self), status, problems) { call, _ in
            let program = try call.callingProgram()
            return call.answer(try await handler(try await call.body(Input.self, limit), call, program), status)
        }
    }

    /// A route that needs a session, whose answer is not JSON, or made by hand.
    package mutating func securedRaw(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ permission: Permission?,
        answers mediaType: String, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call, Principal) async throws -> Response
    ) {
        add(method, path, summary, .needing(permission), [], nil, .raw(mediaType), .ok, problems) { call, principal in
            try await handler(call, try principal.orUnauthenticated())
        }
    }

    /// A route that needs a session, which is asked with parameters and answers with something else than JSON.
    mutating func securedRaw(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ permission: Permission?,
        answers mediaType: String, query: [QueryParameter], problems: [ProblemKind],
        handler: @escaping @Sendable (Call, Principal) async throws -> Response
    ) {
        let problems = problems + [.badRequest]
        add(method, path, summary, .needing(permission), [], nil, .raw(mediaType), .ok, problems, query: query) {
            call, principal in try await handler(call, try principal.orUnauthenticated())
        }
    }

    /// A route that needs a session, which is asked with parameters.
    ///
    /// - Parameter answers: what it answers as JSON; its handler may answer something else that `query` asks for.
    mutating func securedQuery<Answer: Codable & Sendable>(
        _ path: String, _ summary: String, _ permission: Permission?, query: [QueryParameter],
        answers: Answer.Type, problems: [ProblemKind] = [],
        handler: @escaping @Sendable (Call, Principal) async throws -> Response
    ) {
        let problems = problems + [.badRequest]
        add(.get, path, summary, .needing(permission), [], nil, .of(Answer.self), .ok, problems, query: query) {
            call, principal in try await handler(call, try principal.orUnauthenticated())
        }
    }

    private mutating func add(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ access: Endpoint.Access,
        _ demands: Endpoint.Demands, _ takes: Endpoint.Payload?, _ answers: Endpoint.Payload?,
        _ status: HTTPResponse.Status, _ problems: [ProblemKind], query: [QueryParameter] = [],
        handle: @escaping @Sendable (Call, Principal?) async throws -> Response
    ) {
        endpoints.append(
            Endpoint(
                method: method, path: path, slice: slice, summary: summary, access: access, demands: demands,
                query: query, problems: problems, status: answers == nil && status == .ok ? .noContent : status,
                takes: takes,
                answers: answers,
                handle: handle))
    }
}

extension Endpoint.Access {
    fileprivate static func needing(_ permission: Permission?) -> Endpoint.Access {
        permission.map(Endpoint.Access.permission) ?? .session
    }
}

extension Endpoint.Payload {
    /// `nil` for `NoContent`.
    fileprivate static func of<Value: Decodable & Sendable>(
        _ type: Value.Type, _ limit: Limits.Body = .small
    ) -> Endpoint.Payload? {
        guard type != NoContent.self else { return nil }
        return Endpoint.Payload(mediaType: "application/json", schema: { try $0.schema(of: type) }, time: limit.time)
    }

    fileprivate static func raw(_ mediaType: String) -> Endpoint.Payload {
        Endpoint.Payload(mediaType: mediaType, schema: nil, time: .zero)
    }
}

extension Call {
    fileprivate func callingProgram() throws(Problem) -> CallingProgram {
        guard let program = context.program else { throw Problem(.unauthenticated) }
        return program
    }
}

extension Principal? {
    fileprivate func orUnauthenticated() throws(Problem) -> Principal {
        guard let self else { throw Problem(.unauthenticated) }
        return self
    }
}
