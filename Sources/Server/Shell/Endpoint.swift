package import HTTPTypes
package import Hummingbird
package import Logging

/// One route: what is served, what is described in `/openapi.json` and what is counted come from this value.
package struct Endpoint: Sendable {
    /// Who may call it.
    package enum Access: Sendable {
        /// Anybody, at a rate by address.
        case open(Limits.Rate)
        /// Anybody whose request proves itself: only requests that do not are counted, by address.
        case signed(Limits.Rate)
        /// Anyone with a session.
        case session
        /// Anyone with a session of a role that has the permission.
        case permission(Permission)
        /// Another program, with an API key that the slice knows.
        case program(any ProgramAuthenticator)
    }

    /// What a session must have beyond its permission.
    package struct Demands: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A device: the act takes the keys of one.
        package static let device = Demands(rawValue: 1)
        /// A user verification a short time ago.
        package static let confirmation = Demands(rawValue: 2)

        /// The demands that are made.
        static func made(confirmed: Bool, device: Bool) -> Demands {
            (confirmed ? Demands.confirmation : []).union(device ? .device : [])
        }
    }

    /// What a body holds.
    struct Payload: Sendable {
        let mediaType: String
        /// `nil` for bodies that are not JSON.
        let schema: (@Sendable (SchemaBook) throws -> SchemaBook.Schema)?
        /// How long a request may take to bring it.
        let time: Duration
    }

    /// The method.
    package let method: HTTPRequest.Method
    /// `/api/devices/{id}`; a last part `{name+}` takes all that is left of the path.
    package let path: String
    /// The part of the server that has it.
    package let slice: String
    /// One line for the description.
    package let summary: String
    /// Who may call it.
    package let access: Access
    /// What else the session must have.
    package let demands: Demands
    /// Whether a session may call it that is locked because its wallet does not answer.
    var isForLocked = false
    /// What it may be asked with.
    let query: [QueryParameter]
    /// The problems that it answers by itself, beyond those of its access and body.
    package let problems: [ProblemKind]
    /// The status of success.
    package let status: HTTPResponse.Status
    let takes: Payload?
    let answers: Payload?
    var handle: @Sendable (Call, Principal?) async throws -> Response

    /// Every problem that it may answer.
    package var allProblems: [ProblemKind] {
        var all = problems + [.tooManyRequests, .busy, .internal]
        switch access {
        case .open, .signed: break
        case .session, .program: all += [.unauthenticated]
        case .permission: all += [.unauthenticated, .forbidden]
        }
        if demands.contains(.device) { all += [.deviceRequired] }
        if demands.contains(.confirmation) { all += [.confirmationRequired] }
        if takes != nil { all += [.tooLarge, .requestTimeout] }
        if takes?.schema != nil { all += [.unsupportedMediaType, .invalidJSON, .unknownMember, .invalidMember] }
        return ProblemKind.allCases.filter(all.contains)
    }
}

/// A parameter of a query; none has to be given.
struct QueryParameter: Sendable {
    let name: String
    /// A sentence for the description.
    let meaning: String
    /// What it may say; `nil` when it is free.
    let values: [String]?

    /// A parameter that may say anything, or one of some values.
    init(_ name: String, _ meaning: String, values: [String]? = nil) {
        (self.name, self.meaning, self.values) = (name, meaning, values)
    }
}

/// One request on its way through its handler.
package struct Call: Sendable {
    /// The request.
    ///
    /// Its body has been read when the handler takes a value.
    package let request: Request
    /// What the server knows about it.
    package let context: ServerContext
    /// The server's parts.
    package let shell: Shell

    /// A logger that carries the request's id.
    package var logger: Logger { context.logger }
    /// The address that the request counts for.
    package var address: String { context.address }

    /// A part of the path, `{name}` in the template, percent-decoded.
    ///
    /// - Throws: `Problem` `not-found` when it is empty or too long to be an identifier of ours.
    package func parameter(_ name: String) throws(Problem) -> String {
        guard let value = context.parameters.get(name), 1...Limits.pathParameter ~= value.utf8.count else {
            throw Problem(.notFound)
        }
        return value
    }

    /// The parts of the path that `{name+}` took, percent-decoded.
    package var rest: [String] { context.parameters.getCatchAll().map(String.init) }

    /// A parameter of the query, percent-decoded, or `nil`.
    package func query(_ name: String) -> String? {
        request.uri.queryParameters.get(name)
    }
}
