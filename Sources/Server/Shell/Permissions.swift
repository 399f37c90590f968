package import Interface

/// What an account may do.
///
/// The role is necessary, never sufficient: an administrator also needs a valid certificate with the capability, and
/// everybody sees only what concerns them.
package enum Permission: String, CaseIterable, Sendable {
    case ownAccount = "own_account"
    case readOwnLog = "read_own_log"
    case proveIdentity = "prove_identity"
    case requestDocuments = "request_documents"
    case holdDocuments = "hold_documents"
    case shareDocuments = "share_documents"
    case requestDelegation = "request_delegation"
    case identifyMembers = "identify_members"
    case readRequests = "read_requests"
    case handleRequests = "handle_requests"
    case signDocuments = "sign_documents"
    case revokeDocuments = "revoke_documents"
    case readMembers = "read_members"
    case revokeMemberDevice = "revoke_member_device"
    case manageInvitations = "manage_invitations"
    case delegate
    case revokeAdministrator = "revoke_administrator"
    case eraseMembers = "erase_members"
    case readOrganisationStatistics = "read_organisation_statistics"
    case changeLogPolicy = "change_log_policy"
    case readServerLog = "read_server_log"
    case readDesk = "read_desk"
    case keepWorkspace = "keep_workspace"
    case enrolClients = "enrol_clients"
    case takeSignatures = "take_signatures"
    case readReports = "read_reports"
    case releaseMovements = "release_movements"
    case manageOperators = "manage_operators"
    case changeDesk = "change_desk"
    case eraseClients = "erase_clients"

    /// The one table: who has the permission, and what it allows.
    private var row: (roles: [Role], meaning: String) {
        switch self {
        case .ownAccount:
            (Role.allCases, "see and change the own account, its devices and sessions; receive live updates")
        case .readOwnLog:
            (Role.allCases, "see every log entry about oneself, with its receipt")
        case .proveIdentity:
            ([.operator, .member], "open a face-to-face check of one's own identity")
        case .requestDocuments:
            ([.operator, .member], "ask for a document of a type from the catalogue")
        case .holdDocuments:
            ([.operator, .member], "list, open and delete the documents issued to oneself")
        case .shareDocuments:
            ([.operator, .member], "make, list and stop links to presentations of one's own documents")
        case .requestDelegation:
            ([.administrator], "ask the main administrator to certify one's authority key")
        case .identifyMembers:
            ([.administrator], "check a person face to face and sign the identity credential")
        case .readRequests:
            ([.owner, .administrator], "see the requests for documents")
        case .handleRequests:
            ([.administrator], "accept, assign and cancel requests for documents")
        case .signDocuments:
            ([.administrator], "sign documents and send them, sealed, to their holders")
        case .revokeDocuments:
            ([.owner, .administrator], "see the envelopes of issued documents and revoke documents")
        case .readMembers:
            ([.owner, .administrator], "see the accounts of the organisation")
        case .revokeMemberDevice:
            ([.owner, .administrator], "revoke a device of a member or operator")
        case .manageInvitations:
            ([.owner], "invite administrators and operators, see and withdraw invitations")
        case .delegate:
            ([.owner], "certify an administrator's authority key")
        case .revokeAdministrator:
            ([.owner], "revoke an administrator's certificate and devices")
        case .eraseMembers:
            ([.owner], "erase an account with everything about the person")
        case .readOrganisationStatistics:
            ([.owner, .administrator], "see how many accounts, requests and documents there are")
        case .changeLogPolicy:
            ([.owner], "say which keys and witnesses sign the log's checkpoints")
        case .readServerLog:
            ([.owner], "see the newest lines of the server's log")
        case .readDesk:
            ([.owner, .administrator, .operator], "see clients, the desk's documents and what was signed by hand")
        case .keepWorkspace:
            ([.administrator, .operator], "write, upload and take away the desk's documents")
        case .enrolClients:
            (
                [.administrator, .operator],
                "check a client's identity, take the signatures of her template, change her name"
            )
        case .takeSignatures:
            ([.administrator, .operator], "have clients sign documents by hand, confirm or refuse")
        case .readReports:
            ([.owner, .administrator], "get the signed reports of transactions")
        case .releaseMovements:
            ([.owner], "hand out raw movements, sealed to the forensic key")
        case .manageOperators:
            ([.owner], "see who works at the desks, block accounts and let them in again")
        case .changeDesk:
            ([.owner], "say what the desks may do, and set the forensic key")
        case .eraseClients:
            ([.owner], "forget a client")
        }
    }

    /// The roles that have it.
    package var roles: [Role] { row.roles }
    /// What it allows, in words.
    package var meaning: String { row.meaning }

    /// Whether accounts of this role have it.
    package func isGranted(to role: Role) -> Bool { row.roles.contains(role) }
}

extension Role {
    /// The permissions of the role, in the table's order.
    package var permissions: [Permission] { Permission.allCases.filter { $0.isGranted(to: self) } }
}

extension Permission {
    /// The text of `docs/permissions.md`; a test compares the two.
    static func markdown() -> String {
        var lines = [
            "# Permissions",
            "",
            "Who may do what. This page is made from `Sources/Server/Shell/Permissions.swift`, and a test compares",
            "them; `/openapi.json` names the permission that each request needs.",
            "",
            "A role is necessary and never sufficient: to identify members or to sign documents an administrator",
            "also needs a valid certificate with that capability, and an account sees only what concerns it.",
            "A client and a verifier have no account: what they need is public.",
            "",
            "| permission | allows to | " + Role.allCases.map(\.rawValue).joined(separator: " | ") + " |",
            "| --- | --- |" + String(repeating: " :-: |", count: Role.allCases.count),
        ]
        for permission in allCases {
            let marks = Role.allCases.map { permission.isGranted(to: $0) ? "yes" : "-" }
            lines.append(
                "| `\(permission.rawValue)` | \(permission.meaning) | " + marks.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
