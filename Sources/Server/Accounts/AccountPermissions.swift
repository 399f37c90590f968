import Interface

extension Permission {
    /// The permissions over accounts, the organisation and its administrators.
    static let ofAccounts = [
        ownAccount, requestDelegation, readMembers, revokeMemberDevice, manageInvitations, delegate,
        revokeAdministrator, eraseMembers, readOrganisationStatistics, readServerLog, changeFace,
        readFeedback,
    ]

    static let ownAccount = Permission(
        "own_account", Role.allCases,
        "see and change their own account, its devices and sessions; receive live updates")

    static let requestDelegation = Permission(
        "request_delegation", [.administrator],
        "ask the main administrator to certify their authority key")

    static let readMembers = Permission(
        "read_members", [.owner, .administrator],
        "see the accounts of the organisation")

    static let revokeMemberDevice = Permission(
        "revoke_member_device", [.owner, .administrator],
        "revoke a device of a member or operator")

    static let manageInvitations = Permission(
        "manage_invitations", [.owner],
        "invite administrators and operators, see and withdraw invitations")

    static let delegate = Permission(
        "delegate", [.owner],
        "certify an administrator's authority key")

    static let revokeAdministrator = Permission(
        "revoke_administrator", [.owner],
        "revoke an administrator's certificate and devices")

    static let eraseMembers = Permission(
        "erase_members", [.owner],
        "erase an account with everything about the person")

    static let readOrganisationStatistics = Permission(
        "read_organisation_statistics", [.owner, .administrator],
        "see how many accounts, requests and documents there are")

    static let readServerLog = Permission(
        "read_server_log", [.owner],
        "see the newest lines of the server's log")

    static let changeFace = Permission(
        "change_face", [.owner],
        "set the organisation's logo, colour and imprint")

    static let readFeedback = Permission(
        "read_feedback", [.owner, .administrator],
        "read and remove what people have told the organisation")
}
