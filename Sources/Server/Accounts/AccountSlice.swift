import Interface
import Logging
import ServiceLifecycle
import Storage

extension Slice {
    /// The organisation, its accounts with their devices, passkeys and sessions, invitations and administrators.
    ///
    /// Its first migration made the tables of all slices that there were.
    static let accounts = Slice(
        name: "accounts",
        migrations: [
            Schema.firstWing, Schema.passkeys, Schema.keys, Schema.accountLists, Schema.tries, Schema.certificates,
            Schema.accountNames, Schema.accountEnds, Schema.invitationRecipients,
            Schema.accountWordOrder, Schema.delegationLists, Schema.accountNameParts, Schema.face,
            Schema.savedFilters, Schema.accountLanguages, Schema.heldSessions, Schema.feedback,
            Schema.invitationLists, Schema.invitationParts,
        ],
        permissions: Permission.ofAccounts, events: TrustEvent.Kind.ofAccounts, notices: LiveEvent.Kind.ofAccounts,
        notifications: NotificationKind.ofAccounts,
        pages: Page.ofAccounts,
        people: [
            PersonColumn(table: "ceremonies", column: "username", holds: .username, erasure: .delete),
            PersonColumn(table: "ceremonies", column: "user_handle", holds: .handle, erasure: .delete),
            PersonColumn(table: "challenges", column: "username", holds: .username, erasure: .delete),
            PersonColumn(table: "pairings", column: "username", holds: .username, erasure: .delete),
            PersonColumn(table: "pairings", column: "account", erasure: .delete),
            PersonColumn(table: "sessions", column: "account", erasure: .delete),
            PersonColumn(table: "passkeys", column: "account", erasure: .delete),
            PersonColumn(table: "delegations", column: "account", erasure: .delete),
            PersonColumn(table: "devices", column: "account", erasure: .delete),
            PersonColumn(table: "saved_filters", column: "account", erasure: .delete),
            PersonColumn(table: "feedback", column: "account", erasure: .delete),
            PersonColumn(table: "account_languages", column: "account", erasure: .delete),
            PersonColumn(table: "search_words", column: "item", erasure: .delete),
            PersonColumn(table: "invitations", column: "created_by", erasure: .pseudonym),
        ],
        retention: [
            .rows(.init(table: "sessions", key: "id")),
            .rows(.init(table: "challenges", key: "nonce")),
            .rows(.init(table: "tries", key: "bucket")),
            // A confirmation that is over counts among the failures of its session until that is over.
            .rows(.init(table: "ceremonies", key: "challenge", over: "expires <= $1 AND purpose <> 'confirmation'")),
            .rows(.init(table: "feedback", key: "id")),
            .rows(.init(table: "pairings", key: "id", time: { _ in Limits.pairingMemory })),
            .rows(.init(table: "invitations", key: "id", words: .invitations, time: { $0.invitations * 86_400 })),
        ], keys: [.root, .codeSecret], open: { try await OpenAccounts($0) })
}

private struct OpenAccounts: OpenSlice {
    let environment: Environment

    /// Brings rows of older versions up to this one.
    init(_ environment: Environment) async throws {
        self.environment = environment
        try await AccountStore.fillNames(in: environment.database)
        try await InvitationStore.fillWords(in: environment.database)
        guard let owner = try await environment.storedOrganisation()?.ownerCertificate else { return }
        try await environment.database.write { try DelegationStore(transaction: $0).nameIssuer(owner) }
    }

    func add(to routes: inout RouteTable) {
        AccountRoutes(environment: environment).add(to: &routes)
        AdminRoutes(environment: environment).add(to: &routes)
        FaceRoutes(environment: environment).add(to: &routes)
        LookupRoutes(environment: environment).add(to: &routes)
        SavedFilterRoutes(environment: environment).add(to: &routes)
        FeedbackRoutes(environment: environment).add(to: &routes)
    }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
        [CertificateWatch(environment: environment, metrics: shell.metrics, logger: logger)]
    }
}
