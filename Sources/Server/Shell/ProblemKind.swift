package import HTTPTypes

/// Every kind of error that the HTTP interface answers (RFC 9457).
///
/// `/problems/SLUG` explains it.
package enum ProblemKind: String, CaseIterable, Sendable {
    case badRequest = "bad-request"
    case invalidJSON = "invalid-json"
    case unknownMember = "unknown-member"
    case invalidMember = "invalid-member"
    case unsupportedMediaType = "unsupported-media-type"
    case tooLarge = "too-large"
    case targetTooLong = "target-too-long"
    case headersTooLarge = "headers-too-large"
    case requestTimeout = "request-timeout"
    case unauthenticated
    case signInFailed = "sign-in-failed"
    case sessionLocked = "session-locked"
    case forbidden
    case deviceRequired = "device-required"
    case confirmationRequired = "confirmation-required"
    case confirmationFailed = "confirmation-failed"
    case wrongCode = "wrong-code"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case conflict
    case gone
    case rangeNotSatisfiable = "range-not-satisfiable"
    case tooManyRequests = "too-many-requests"
    case busy
    case storage
    case unwitnessed
    case storageUnreachable = "storage-unreachable"
    case `internal`

    /// The last part of the problem's address.
    package var slug: String { rawValue }
    /// The path that answers with the explanation; the `type` of the problem.
    package var path: String { "/problems/" + rawValue }
    /// The HTTP status.
    package var status: HTTPResponse.Status { text.status }
    /// A few words, always the same for one kind.
    package var title: String { text.title }
    /// What it means and what to do about it.
    package var explanation: String { text.explanation }

    private var text: (status: HTTPResponse.Status, title: String, explanation: String) {
        switch self {
        case .badRequest:
            (.badRequest, "The request cannot be understood", "The detail says which part. Correct it and try again.")
        case .invalidJSON:
            (
                .badRequest, "The body is not JSON that we accept",
                "The body must be one JSON value in UTF-8, without a name used twice in one object, nested at most "
                    + "\(Limits.depth) deep, and of the form that /openapi.json describes."
            )
        case .unknownMember:
            (
                .badRequest, "The body has a member that this request does not take",
                "The server ignores nothing, so that a misspelt name cannot go unnoticed. The detail names the member."
            )
        case .invalidMember:
            (
                .unprocessableContent, "A value is not allowed here",
                "A member of the body is missing, has another type, or is too short, too long or out of range. "
                    + "The detail names it and its limit."
            )
        case .unsupportedMediaType:
            (
                .unsupportedMediaType, "The body must be application/json",
                "Send the body as JSON in UTF-8, and say so with 'Content-Type: application/json'."
            )
        case .tooLarge:
            (.contentTooLarge, "The body is too large", "The detail names the limit in bytes. Nothing was stored.")
        case .targetTooLong:
            (.uriTooLong, "The address is too long", "Path and query together may have \(Limits.target) bytes.")
        case .headersTooLarge:
            (
                .requestHeaderFieldsTooLarge, "The header is too large",
                "One header field may have \(Limits.headerField) bytes, all of them \(Limits.headers), "
                    + "and there may be \(Limits.headerCount)."
            )
        case .requestTimeout:
            (
                .requestTimeout, "The request took too long to arrive",
                "Head or body did not arrive in time. Send the request again."
            )
        case .unauthenticated:
            (
                .unauthorized, "Sign in first",
                "This request needs a session: 'Authorization: Bearer TOKEN'. The token is missing, expired or ended."
            )
        case .signInFailed:
            (
                .unauthorized, "Signing in failed",
                "Name, passphrase, passkey, device or proof was not right. The server does not say which, so that nobody can find "
                    + "out who has an account here."
            )
        case .sessionLocked:
            (
                HTTPResponse.Status(code: 423, reasonPhrase: "Locked"), "The session is locked",
                "The wallet that signed this session in no longer answers. Let it go on, or sign in again with a scan."
            )
        case .forbidden:
            (
                .forbidden, "Your role does not allow this",
                "You are signed in, but your account may not do this. The table of permissions says who may."
            )
        case .deviceRequired:
            (
                .forbidden, "This needs the keys of a device",
                "You are signed in without a device: you can look, name and revoke things. Add this device from your first "
                    + "one, and sign in as it."
            )
        case .confirmationRequired:
            (
                .forbidden, "Confirm first that it is you",
                "This act needs a user verification of the last \(Limits.confirmationTime) seconds: use your passkey, or "
                    + "passphrase and device, at /api/account/confirmations, and send the request again."
            )
        case .confirmationFailed:
            (
                .forbidden, "That did not confirm that it is you",
                "Passkey, passphrase, device or proof was not right, or too late. Another failure ends the session."
            )
        case .wrongCode:
            (
                .forbidden, "That is not the code",
                "The code is used up, expired, or mistyped. Check it, or ask the person who gave it to you for a new one."
            )
        case .notFound:
            (
                .notFound, "There is nothing here",
                "There is no such address, or nothing by that identifier that you may see. The server does not say which."
            )
        case .methodNotAllowed:
            (.methodNotAllowed, "Not with this method", "The address exists; 'Allow' names the methods it answers to.")
        case .conflict:
            (
                .conflict, "The state does not allow this now",
                "Somebody else may have been faster. Load it again, then decide."
            )
        case .gone:
            (.gone, "This is over", "It existed, but has expired, was used up or was stopped. It will not come back.")
        case .rangeNotSatisfiable:
            (
                .rangeNotSatisfiable, "There are not so many bytes",
                "The field 'Range' begins behind the end. 'Content-Range' of the answer says how many bytes there are."
            )
        case .tooManyRequests:
            (.tooManyRequests, "Too many requests", "Wait for as many seconds as 'Retry-After' says.")
        case .busy:
            (.serviceUnavailable, "The server is busy", "Nothing was done. Try again after 'Retry-After' seconds.")
        case .storage:
            (
                .init(code: 507, reasonPhrase: "Insufficient Storage"), "The server cannot store this",
                "Its storage is full or failing, and nothing was stored. Tell the operator."
            )
        case .unwitnessed:
            (
                .serviceUnavailable, "Recorded, and not yet witnessed",
                "Too few witnesses have signed the log. Your act is stored and stays, and must not be repeated: its "
                    + "receipt comes when they have signed. Look it up in a while."
            )
        case .storageUnreachable:
            (
                .serviceUnavailable, "The server's storage does not answer",
                "Nothing was acknowledged, but what you asked for may have been done. Look before you ask again, after "
                    + "'Retry-After' seconds."
            )
        case .internal:
            (
                .internalServerError, "Something went wrong in the server",
                "Quote the request's id, 'instance', to the operator, who finds the cause in the log."
            )
        }
    }
}
