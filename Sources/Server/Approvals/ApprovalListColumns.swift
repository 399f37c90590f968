import Interface

extension MemberChallenge: TableRow {
    static var columns: [TableColumn<MemberChallenge>] {
        [
            .text("id") { $0.id }, .text("service") { $0.domain }, .text("state") { $0.state.rawValue },
            .time("created") { $0.created }, .time("expires") { $0.expires },
            .text("answer") { one in one.isAllowed.map { $0 ? "allowed" : "denied" } },
        ]
    }
}
