/// Why a way to be told something is refused.
enum NotificationError: Error, Equatable {
    case invalidSubscription
    case invalidAddress
    case addressKnown
    case tooManySubscriptions
    case tooManyAddresses
    case tooManyCodes
    case unknownKind
    /// Notices about the protection of an account cannot be switched off.
    case security
    case noEmail
    /// The mail server did not take the message; why is for the log.
    case notSent(String)
    case wrongCode
    case notFound
}

extension NotificationError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .invalidSubscription:
            Problem(
                .invalidMember, "endpoint, key, auth: the subscription that the browser made, with an https address.")
        case .invalidAddress: Problem(.invalidMember, "address: an e-mail address such as name@example.org.")
        case .addressKnown: Problem(.conflict, "This address gets notices already.")
        case .tooManySubscriptions:
            Problem(.conflict, "\(Limits.pushSubscriptions) browsers get notices already. Remove one first.")
        case .tooManyAddresses:
            Problem(.conflict, "\(Limits.emailAddresses) addresses get notices already. Remove one first.")
        case .tooManyCodes:
            Problem(.conflict, "\(Limits.emailCodes) codes were sent in the last day. Try again tomorrow.")
        case .unknownKind: Problem(.invalidMember, "kind: one of those that the settings list.")
        case .security:
            Problem(.invalidMember, "kind: notices about the protection of your account cannot be switched off.")
        case .noEmail: Problem(.conflict, "This server sends no e-mail.")
        case .notSent(let cause):
            Problem(.busy, "The e-mail could not be sent. Try again later.", cause: "mail: \(cause)")
        case .wrongCode: Problem(.wrongCode)
        case .notFound: Problem(.notFound, "There is no such way, or its code is no longer valid.")
        }
    }
}
