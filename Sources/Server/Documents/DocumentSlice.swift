import Interface

extension Slice {
    /// Identity checks, requests, documents, their status, and links to them.
    static let documents = Slice(
        name: "documents",
        migrations: [
            Schema.revocations, Schema.documentLists, Schema.personLists, Schema.documentEnds,
            Schema.checkEndings, Schema.shareAttempts, Schema.documentTypes, Schema.typedCodes,
            Schema.sharesOfOthers, Schema.shareReturns, Schema.shareLists, Schema.shareParts,
        ],
        permissions: Permission.ofDocuments, events: TrustEvent.Kind.ofDocuments, notices: LiveEvent.Kind.ofDocuments,
        notifications: NotificationKind.ofDocuments,
        pages: Page.ofDocuments,
        blobs: [
            BlobColumn(table: "documents", column: "blob", kept: "deleted IS NULL", ended: "deleted", owner: "holder"),
            BlobColumn(
                table: "shares", column: "blob", kept: "stopped IS NULL AND expires > $1",
                ended: "stopped", owner: "account"),
        ],
        people: [
            PersonColumn(table: "shares", column: "account", erasure: .delete),
            PersonColumn(table: "requests", column: "member", erasure: .delete),
            PersonColumn(table: "requests", column: "administrator", erasure: .pseudonym),
            PersonColumn(table: "typed_codes", column: "holder", erasure: .delete),
            PersonColumn(table: "enrolments", column: "holder", erasure: .delete),
            PersonColumn(table: "enrolments", column: "administrator", erasure: .pseudonym),
            PersonColumn(table: "documents", column: "holder", erasure: .delete),
            PersonColumn(table: "documents", column: "issuer", erasure: .pseudonym),
        ],
        retention: [
            // Their sealed presentations go at once.
            .work(batch: ShareStore.finishedTogether) { try await ShareService(environment: $0).endFinished() },
            // While a check may still be under way they say who has typed its characters.
            .rows(.init(table: "typed_codes", key: "enrolment", time: { _ in Limits.enrolmentTime })),
            .rows(.init(table: "enrolments", key: "id", time: { $0.checks * 86_400 })),
            .rows(.init(table: "shares", key: "id", time: { $0.links * 86_400 })),
            .rows(
                .init(
                    table: "requests", key: "id",
                    over: "state = 'cancelled' AND changed <= $1 AND (note <> '' OR reason <> '')",
                    emptied: "note = '', reason = ''", time: { $0.requestNotes * 86_400 })),
        ], keys: [.status], open: { OpenDocuments(environment: $0) })
}

private struct OpenDocuments: OpenSlice {
    let environment: Environment

    func add(to routes: inout RouteTable) { DocumentRoutes(environment: environment).add(to: &routes) }
}
