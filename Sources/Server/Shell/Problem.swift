package import HTTPTypes
package import Hummingbird
import Interface
import NIOHTTP1

/// An error as the HTTP interface answers it: `application/problem+json` (RFC 9457).
///
/// `detail` is for the caller: no secret, no internals, nothing that tells who has an account.
package struct Problem: Error, HTTPResponseError, Sendable {
    /// Which of the known kinds.
    package let kind: ProblemKind
    /// What is wrong with this very request, in words.
    package let detail: String
    /// After how many seconds trying again makes sense.
    package let retryAfter: Int?
    /// The methods that the address does answer to.
    package let allow: String?
    /// How many bytes there are, where a range of them was asked for that is not there.
    package let contentSize: Int64?
    /// The true cause, for the log only.
    package let cause: String?
    /// The name that the capability's own protocol has for it, if it has one.
    package let name: String?

    /// A problem of a kind.
    ///
    /// - Parameters:
    ///   - detail: for the caller; the kind's explanation when left out.
    ///   - cause: for the log only.
    ///   - name: what the capability's own protocol calls it.
    package init(
        _ kind: ProblemKind, _ detail: String? = nil, retryAfter: Int? = nil, allow: String? = nil,
        contentSize: Int64? = nil, cause: String? = nil, name: String? = nil
    ) {
        self.kind = kind
        self.detail = detail ?? kind.explanation
        self.retryAfter = retryAfter ?? (kind.status == .serviceUnavailable ? 5 : nil)
        self.allow = allow
        self.contentSize = contentSize
        self.cause = cause
        self.name = name
    }

    /// The HTTP status.
    package var status: HTTPResponse.Status { kind.status }

    /// The problem document, with the request's id as `instance`.
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        response(instance: context.id)
    }

    /// The problem document's bytes.
    func document(instance: String?) -> [UInt8] {
        Response.jsonBytes(
            ProblemDetails(
                type: kind.path, title: kind.title, status: kind.status.code, detail: detail, instance: instance,
                error: name))
    }

    /// The answer.
    func response(instance: String?) -> Response {
        var response = Response.bytes(
            document(instance: instance), status: kind.status, mediaType: "application/problem+json")
        addFields(to: &response)
        return response
    }

    /// The headers of the answer, in whichever form it comes.
    func addFields(to response: inout Response) {
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if let allow { response.headers[.allow] = allow }
        if let contentSize { response.headers[.contentRange] = "bytes */\(contentSize)" }
        if kind.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    }
}

/// An error of a capability that knows which problem it is: one table for each, an exhaustive switch.
package protocol ProblemSource: Error {
    /// The error as the caller may see it.
    var problem: Problem { get }
}

extension Problem {
    /// The problem that `error` is answered with.
    ///
    /// An unknown error becomes `internal`, and its text goes only to the log.
    package init(answering error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let source as any ProblemSource: self = source.problem
        case let error as any HTTPResponseError: self.init(status: error.status, cause: "\(error)")
        case is HTTPParserError: self.init(.badRequest, cause: "\(error)")
        case is CancellationError: self.init(.busy, cause: "cancelled")
        default: self.init(.internal, cause: String(reflecting: error))
        }
    }

    /// The kind nearest to a status that the HTTP library chose.
    private init(status: HTTPResponse.Status, cause: String) {
        let kind: ProblemKind =
            switch status {
            case .notFound: .notFound
            case .contentTooLarge: .tooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .methodNotAllowed: .methodNotAllowed
            case .requestTimeout: .requestTimeout
            default: (400..<500).contains(status.code) ? .badRequest : .internal
            }
        self.init(kind, cause: cause)
    }
}
