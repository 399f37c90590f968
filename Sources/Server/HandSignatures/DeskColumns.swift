import Interface

extension Client: TableRow {
    static var columns: [TableColumn<Client>] {
        [
            .text("id") { $0.id }, .text("given_name") { $0.givenName }, .text("family_name") { $0.familyName },
            .text("tool") { $0.tool.rawValue }, .time("created") { $0.created }, .time("enrolled") { $0.enrolled },
            .flag("needs_second_sitting") { $0.needsSecondSitting },
            .time("second_sitting_from") { $0.secondSittingFrom }, .flag("has_changed_hand") { $0.hasChangedHand },
            .number("signings") { $0.signings }, .time("last_signing") { $0.lastSigning },
        ]
    }
}

extension Signing: TableRow {
    static var columns: [TableColumn<Signing>] {
        [
            .text("id") { $0.id }, .text("state") { $0.state.rawValue }, .text("client") { $0.client },
            .text("client_name") { $0.clientName }, .text("operator_id") { $0.operatorID },
            .text("operator_name") { $0.operatorName }, .text("document_name") { $0.documentName },
            .time("created") { $0.created }, .time("decided") { $0.decided }, .flag("is_match") { $0.isMatch },
        ]
    }
}

extension ClientHistory.Act: TableRow {
    static var columns: [TableColumn<ClientHistory.Act>] {
        [
            .text("kind") { $0.kind.rawValue }, .time("time") { $0.time }, .text("operator_id") { $0.operatorID },
            .text("operator_name") { $0.operatorName }, .text("paper") { $0.paper }, .text("reason") { $0.reason },
            .flag("identified") { $0.identified }, .text("device") { $0.device },
            // In millionths of a degree and metres, as in JSON.
            .text("latitude") { one in one.place.map { "\($0.latitude)" } },
            .text("longitude") { one in one.place.map { "\($0.longitude)" } },
            .text("accuracy") { one in one.place.map { "\($0.accuracy)" } },
            .text("fields") { $0.fields?.joined(separator: ", ") }, .number("log_index") { $0.logIndex },
        ]
    }
}

extension DeskAttempt: TableRow {
    static var columns: [TableColumn<DeskAttempt>] {
        [
            .text("id") { $0.id }, .text("act") { $0.act.rawValue }, .text("why") { $0.why.rawValue },
            .text("client") { $0.client }, .text("client_name") { $0.clientName },
            .text("operator_id") { $0.operatorID }, .text("operator_name") { $0.operatorName },
            .time("time") { $0.time }, .time("last") { $0.last }, .number("count") { $0.count },
        ]
    }
}

extension WorkspaceDocument: TableRow {
    static var columns: [TableColumn<WorkspaceDocument>] {
        [
            .text("id") { $0.id }, .text("name") { $0.name }, .text("kind") { $0.kind.rawValue },
            .number("version") { $0.version }, .time("changed") { $0.changed },
            .text("changed_by") { $0.changedBy.username }, .text("changed_by_name") { $0.changedBy.name },
        ]
    }
}

extension Operator: TableRow {
    static var columns: [TableColumn<Operator>] {
        [
            .text("id") { $0.account.id }, .text("username") { $0.account.username },
            .text("name") { $0.account.name }, .text("role") { $0.account.role.rawValue },
            .time("created") { $0.account.created }, .time("blocked") { $0.blocked }, .text("reason") { $0.reason },
            .number("signings") { $0.signings },
        ]
    }
}
