import Interface
import Storage

/// Figures counted in the database.
struct OverviewStore {
    let transaction: Transaction

    func statistics() throws -> Statistics {
        let roles = try count("SELECT role AS name, COUNT(*) AS number FROM accounts GROUP BY role")
        let requests = try count("SELECT state AS name, COUNT(*) AS number FROM requests GROUP BY state")
        return Statistics(
            members: roles[Role.member.rawValue] ?? 0,
            verifiedMembers: try number(
                "SELECT COUNT(*) AS number FROM accounts WHERE role = 'member' AND verified = 1"),
            administrators: roles[Role.administrator.rawValue] ?? 0, operators: roles[Role.operator.rawValue] ?? 0,
            pendingRequests: requests[DocumentRequest.State.pending.rawValue] ?? 0,
            acceptedRequests: requests[DocumentRequest.State.accepted.rawValue] ?? 0,
            issuedDocuments: try number("SELECT COUNT(*) AS number FROM documents")
                - number("SELECT COUNT(*) AS number FROM documents WHERE type = 'identity'"),
            revokedDocuments: try ["IS NULL", "IS NOT NULL"].map { deleted in
                try number(
                    """
                    SELECT COUNT(*) AS number FROM documents
                    WHERE deleted \(deleted) AND revoked IS NOT NULL AND type <> 'identity'
                    """)
            }.reduce(0, +))
    }

    private func number(_ sql: String) throws -> Int64 {
        try transaction.row(sql, [])?.integer("number") ?? 0
    }

    private func count(_ sql: String) throws -> [String: Int64] {
        try transaction.rows(sql, []).reduce(into: [:]) { $0[try $1.text("name")] = try $1.integer("number") }
    }
}
