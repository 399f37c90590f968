import Storage

/// Reads a server's tables for the hammer's rules, all in one transaction.
struct HammerStore {
    let transaction: Transaction

    func tables() throws -> HammerTables {
        var tables = HammerTables()
        tables.accounts = try transaction.rows("SELECT id, username, verified FROM accounts").map {
            HammerTables.Account(
                id: try $0.text("id"), username: try $0.text("username"), isVerified: try $0.integer("verified") != 0)
        }
        tables.devices = try transaction.rows("SELECT id, account, signing_key, revoked FROM devices").map {
            HammerTables.Device(
                id: try $0.text("id"), account: try $0.text("account"), signingKey: try $0.text("signing_key"),
                isRevoked: try $0.optionalInteger("revoked") != nil)
        }
        tables.invitations = Set(try transaction.rows("SELECT id FROM invitations").map { try $0.text("id") })
        tables.delegations = try transaction.rows(
            "SELECT id, state, certificate, status_list, status_index FROM delegations"
        ).map {
            HammerTables.Delegation(
                id: try $0.text("id"), state: try $0.text("state"), certificate: try $0.text("certificate"),
                status: try place($0))
        }
        tables.enrolments = try transaction.rows(
            "SELECT id, state, holder, status_list, status_index FROM enrolments"
        ).map { row in
            HammerTables.Enrolment(
                id: try row.text("id"), state: try row.text("state"), holder: try row.text("holder"),
                status: try row.optionalInteger("status_list").map { _ in try place(row) })
        }
        tables.requests = try transaction.rows("SELECT id, state, member, administrator, document FROM requests").map {
            HammerTables.Request(
                id: try $0.text("id"), state: try $0.text("state"), member: try $0.text("member"),
                administrator: try $0.optionalText("administrator"), document: try $0.optionalText("document"))
        }
        tables.documents = try documents()
        tables.shares = try shares()
        tables.services = try transaction.rows(
            "SELECT domain, id, public_key, key_hash, rotated, removed FROM approval_services"
        ).reduce(into: [:]) {
            $0[try $1.text("domain")] = HammerTables.Service(
                id: try $1.text("id"), publicKey: try $1.text("public_key"), keyHash: try $1.text("key_hash"),
                isRotated: try $1.optionalInteger("rotated") != nil,
                isRemoved: try $1.optionalInteger("removed") != nil)
        }
        tables.muted = Set(
            try transaction.rows("SELECT account FROM notification_mutes").map { try $0.text("account") })
        tables.wallets = Set(try transaction.rows("SELECT id FROM pico_wallets").map { try $0.text("id") })
        tables.vault = try HammerVaultStore(transaction: transaction).tables()
        tables.revokedPlaces = Set(
            try transaction.rows(
                "SELECT list AS status_list, position AS status_index FROM status_entries WHERE revoked IS NOT NULL"
            ).map(place))
        tables.entries = try transaction.rows(
            "SELECT position, type, entry, record FROM log_entries ORDER BY position"
        ).map {
            HammerTables.Entry(
                position: try $0.integer("position"), type: try $0.text("type"), entry: try $0.text("entry"),
                record: try $0.text("record"))
        }
        tables.sealed = try transaction.row("SELECT size FROM log_state")?.integer("size") ?? 0
        tables.desk = try HammerDeskStore(transaction: transaction).tables()
        tables.approvals = try HammerApprovalStore(transaction: transaction).tables()
        return tables
    }

    private func documents() throws -> [HammerTables.Document] {
        try transaction.rows(
            """
            SELECT id, type, holder, credential, status_list, status_index, blob, size, log_index, revoked, deleted
            FROM documents
            """
        ).map {
            HammerTables.Document(
                id: try $0.text("id"), type: try $0.text("type"), holder: try $0.text("holder"),
                credential: try $0.text("credential"), status: try place($0), blob: try $0.text("blob"),
                size: try $0.integer("size"), entry: try $0.integer("log_index"),
                isRevoked: try $0.optionalInteger("revoked") != nil,
                isDeleted: try $0.optionalInteger("deleted") != nil)
        }
    }

    private func shares() throws -> [HammerTables.Share] {
        try transaction.rows("SELECT id, blob, views, maximum_views, failures, stopped FROM shares").map {
            let isStopped = try $0.optionalInteger("stopped") != nil
            let views = try $0.integer("views")
            return HammerTables.Share(
                id: try $0.text("id"), blob: try $0.text("blob"), views: views, isStopped: isStopped,
                isOpen: try !isStopped && views < $0.integer("maximum_views"))
        }
    }

    private func place(_ row: Row) throws -> HammerTables.StatusPlace {
        HammerTables.StatusPlace(list: try row.integer("status_list"), position: try row.integer("status_index"))
    }
}
