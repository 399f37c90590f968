import Interface

extension DocumentInfo: TableRow {
    static var columns: [TableColumn<DocumentInfo>] {
        [
            .text("id") { $0.id }, .text("type") { $0.type }, .text("holder") { $0.holder.username },
            .text("holder_name") { $0.holder.name }, .text("issuer") { $0.issuer.username },
            .text("issuer_name") { $0.issuer.name }, .time("issued") { $0.issued }, .number("size") { Int64($0.size) },
            .text("credential_digest") { $0.credentialDigest }, .time("revoked") { $0.revoked },
            .text("reason") { $0.reason },
        ]
    }
}

extension Share: TableRow {
    static var columns: [TableColumn<Share>] {
        [
            .text("id") { $0.id }, .text("document") { $0.document }, .time("created") { $0.created },
            .time("expires") { $0.expires }, .number("views") { Int64($0.views) },
            .number("maximum_views") { Int64($0.maximumViews) }, .time("stopped") { $0.stopped },
            .text("stopped_by") { $0.stoppedByWrongCodes == true ? "wrong-codes" : nil },
        ]
    }
}

extension DocumentRequest: TableRow {
    static var columns: [TableColumn<DocumentRequest>] {
        [
            .text("id") { $0.id }, .text("type") { $0.type }, .text("state") { $0.state.rawValue },
            .text("member") { $0.member.username }, .text("member_name") { $0.member.name },
            .text("administrator") { $0.administrator?.username },
            .text("administrator_name") { $0.administrator?.name }, .text("note") { $0.note },
            .text("reason") { $0.reason }, .time("created") { $0.created }, .time("changed") { $0.changed },
            .text("document") { $0.document },
        ]
    }
}
