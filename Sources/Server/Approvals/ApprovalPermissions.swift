import Interface

extension Permission {
    /// What accounts may do about approvals.
    static let ofApprovals = [manageServices, answerServices]

    static let manageServices = Permission(
        "manage_services", [.owner, .administrator],
        "add and remove services that ask members for approvals, and replace their API keys")

    static let answerServices = Permission(
        "answer_services", Role.allCases,
        "enrol devices at services, see what these ask, and say how often they may")
}
