import Approvals

/// Why an act on a service that asks for approvals is refused.
enum ApprovalServiceError: Error, Equatable {
    case notFound
    case invalidDomain
    case invalidName
    case invalidWebhook
    /// No currency of ISO 4217.
    case invalidCurrency
    /// Steps out of range, or not in order.
    case invalidSteps
    /// Another service has this domain.
    case taken
    case tooMany
    /// No administrator has let it speak version 1.
    case originalOff
    /// Its quorum demands more people than the one that answers in version 1.
    case originalQuorum
    /// No RSA key of 2,048 to 4,096 bits and the exponent 65537.
    case invalidKey
}

extension ApprovalServiceError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound, "There is no such service.")
        case .invalidDomain:
            Problem(.invalidMember, "domain: 1 to 253 of a-z, 0-9, dot and hyphen, such as bank.example.")
        case .invalidName: Problem(.invalidMember, "name: 1 to 200 bytes of visible text, in one line.")
        case .originalOff:
            Problem(
                .conflict, "This service does not speak version 1. An administrator can let it.", name: "version_1_off")
        case .originalQuorum:
            Problem(
                .conflict,
                "Version 1 asks one person, without an amount. By its quorum this service needs more: ask in version 2.",
                name: "quorum")
        case .invalidCurrency: Problem(.invalidMember, "currency: a code of ISO 4217, such as GBP.")
        case .invalidSteps:
            Problem(
                .invalidMember,
                "steps: 1 to \(QuorumRule.maximumSteps), the first from 0, each with a larger amount and more people "
                    + "than the one before; at most \(DisplayField.maximumAmount) and "
                    + "\(ApprovalChallenge.maximumApprovers) people.")
        case .invalidKey:
            Problem(.invalidMember, "key: an RSA private key of 2,048 to 4,096 bits in PEM, with the exponent 65537.")
        case .invalidWebhook:
            Problem(
                .invalidMember,
                "webhook: https, the name of a public domain, and a path, at most 500 bytes: https://bank.example/hook."
            )
        case .taken: Problem(.conflict, "There is a service of this domain. Remove it first.")
        case .tooMany: Problem(.conflict, "There are \(Limits.approvalServices) services. Remove one first.")
        }
    }
}
