import Interface

extension Invitation: TableRow {
    static var columns: [TableColumn<Invitation>] {
        [
            .text("id") { $0.id }, .text("role") { $0.role.rawValue }, .text("recipient") { $0.recipient },
            .time("created") { $0.created }, .time("expires") { $0.expires }, .time("used") { $0.used },
        ]
    }
}
