import Interface

extension LoggedEntry: TableRow {
    static var columns: [TableColumn<LoggedEntry>] {
        [.number("index") { $0.index }, .text("type") { $0.type }, .time("time") { $0.time }]
    }
}
