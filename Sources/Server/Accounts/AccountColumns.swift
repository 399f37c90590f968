import Interface

extension Account: TableRow {
    static var columns: [TableColumn<Account>] {
        [
            .text("id") { $0.id }, .text("username") { $0.username }, .text("name") { $0.name },
            .text("role") { $0.role.rawValue }, .flag("is_verified") { $0.isVerified }, .time("created") { $0.created },
        ]
    }
}
