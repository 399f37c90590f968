import Interface

extension Delegation: TableRow {
    static var columns: [TableColumn<Delegation>] {
        [
            .text("id") { $0.id }, .text("username") { $0.account.username }, .text("name") { $0.account.name },
            .text("state") { $0.state.rawValue },
            .text("capabilities") { $0.capabilities.map(\.rawValue).joined(separator: " ") },
            .text("authority_key") { $0.authorityKey }, .time("created") { $0.created },
            .time("revoked") { $0.revoked },
        ]
    }
}
