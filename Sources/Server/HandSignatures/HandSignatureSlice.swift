import Interface
import Logging
import ServiceLifecycle

extension Slice {
    /// Clients, the desk's documents, and what was signed by hand.
    static let handSignatures = Slice(
        name: "hand-signatures",
        migrations: [
            Schema.handSignatures, Schema.deskHistory, Schema.numberIndex, Schema.deskBlobs, Schema.deskLists,
            Schema.deskCertificate, Schema.clientVisits, Schema.clientNames, Schema.deskEnds,
            Schema.signingStates, Schema.clientsDue, Schema.clientWordOrder, Schema.signingCopies,
            Schema.clientFields, Schema.deskHistoryLists, Schema.deskHistoryParts,
        ],
        permissions: Permission.ofHandSignatures, events: TrustEvent.Kind.ofHandSignatures,
        notices: LiveEvent.Kind.ofHandSignatures,
        pages: Page.ofHandSignatures,
        blobs: [
            // A file kept only as a digest has none.
            BlobColumn(table: "signed_files", column: "blob", rows: "blob <> ''"),
            BlobColumn(
                table: "workspace_documents", column: "content", rows: "kind = 'pdf'", kept: "deleted IS NULL",
                ended: "deleted", replacing: "id"),
        ],
        people: [
            PersonColumn(table: "handovers", column: "operator", erasure: .delete),
            PersonColumn(table: "signing_tickets", column: "operator", erasure: .delete),
            // Records go on naming the operators who enrolled, edited or took a signature.
            PersonColumn(table: "signings", column: "operator", erasure: .refuse),
            PersonColumn(table: "client_acts", column: "operator", erasure: .refuse),
            PersonColumn(table: "desk_attempts", column: "operator", erasure: .refuse),
            PersonColumn(table: "workspace_documents", column: "changed_by", erasure: .refuse),
        ],
        retention: [
            .rows(.init(table: "handovers", key: "id")),
            .rows(
                .init(
                    table: "signings", key: "id", over: "pending IS NOT NULL AND created <= $1",
                    emptied: "pending = NULL", time: { _ in Limits.signingTime })),
            .rows(.init(table: "signing_tickets", key: "hash")),
            .rows(
                .init(table: "desk_attempts", key: "id", over: "last <= $1", time: { _ in Limits.attemptMemory })),
            // Without a certified key this waits: until then, lapsed transactions do not count.
            .work(batch: SigningDecisions.batch) {
                (try? await SigningDecisions(environment: $0).refuseLapsed()) ?? 0
            },
        ], keys: [.desk, .templateSecret], open: { try await OpenHandSignatures($0) })
}

private struct OpenHandSignatures: OpenSlice {
    let environment: Environment
    /// By what signatures are compared, or why that cannot be told.
    private let judge: Result<SignatureJudge, any Error>
    /// Clients who turned out to have another client's identity number, written differently.
    private let twins: [NumberIndex.Twin]

    /// Brings rows of older versions up to this one.
    init(_ environment: Environment) async throws {
        self.environment = environment
        try await ClientStore.fillNames(in: environment.database)
        let box = TemplateBox(environment.keys)
        try await DigestStep(database: environment.database, box: box).run(now: environment.now())
        twins = try await NumberIndex(environment: environment).renew()
        do {
            judge = .success(try await SignatureJudge.current(in: environment.database))
        } catch {
            judge = .failure(error)
        }
    }

    func add(to routes: inout RouteTable) {
        guard let judge = try? judge.get() else { return }
        HandSignatureRoutes(environment: environment, judge: judge).add(to: &routes)
    }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
        for twin in twins {
            logger.warning(
                "client \(twin.id) has the identity number of client \(twin.first), written differently: see docs/desk.md"
            )
        }
        return []
    }

    /// An unreadable model stops the server, but not the command that removes it.
    func check() throws { _ = try judge.get() }
}
