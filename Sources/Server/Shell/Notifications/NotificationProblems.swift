import Interface

/// Why a way to be told something is refused.
enum NotificationError: Error, Equatable {
    case invalidSubscription
    case invalidAddress
    case invalidNumber
    /// The operator sends nothing to that country.
    case foreignNumber
    case addressKnown(NotificationWay.Kind)
    case tooManySubscriptions
    case tooManyAddresses(NotificationWay.Kind)
    /// One of the bounds on SMS; which one is nobody's business, as others may have used the number.
    case tooManySMS(seconds: Int64)
    case unknownKind
    /// Notices about the protection of an account cannot be switched off.
    case security
    case noEmail
    case noSMS
    /// The mail server did not take the message; why is for the log.
    case notSent(String)
    /// The gateway did not take the message; why is for the log.
    case smsNotSent(String)
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
        case .invalidNumber:
            Problem(
                .invalidMember, "number: a plus sign, the code of the country, and the number, such as +49 30 901820.")
        case .foreignNumber: Problem(.invalidMember, "number: this server sends no SMS to that country.")
        case .addressKnown(.sms): Problem(.conflict, "This number gets notices already.")
        case .addressKnown: Problem(.conflict, "This address gets notices already.")
        case .tooManySubscriptions:
            Problem(.conflict, "\(Limits.pushSubscriptions) browsers get notices already. Remove one first.")
        case .tooManyAddresses(.sms):
            Problem(.conflict, "\(Limits.phoneNumbers) numbers get notices already. Remove one first.")
        case .tooManyAddresses:
            Problem(.conflict, "\(Limits.emailAddresses) addresses get notices already. Remove one first.")
        case .tooManySMS(let seconds):
            Problem(.tooManyRequests, "Too many SMS were sent. Try again later.", retryAfter: Int(seconds))
        case .unknownKind: Problem(.invalidMember, "kind: one of those that the settings list.")
        case .security:
            Problem(.invalidMember, "kind: notices about the protection of your account cannot be switched off.")
        case .noEmail: Problem(.conflict, "This server sends no e-mail.")
        case .noSMS: Problem(.conflict, "This server sends no SMS.")
        case .smsNotSent(let cause):
            Problem(.busy, "The SMS could not be sent. Try again later.", cause: "sms: \(cause)")
        case .notSent(let cause):
            Problem(.busy, "The e-mail could not be sent. Try again later.", cause: "mail: \(cause)")
        case .wrongCode: Problem(.wrongCode)
        case .notFound: Problem(.notFound, "There is no such way, or its code is no longer valid.")
        }
    }
}
