extension Slice {
    /// The organisation, its accounts with their devices, passkeys and sessions, invitations and administrators.
    ///
    /// Its first migration made the tables of all slices that there were.
    static let accounts = Slice(
        name: "accounts",
        migrations: [Schema.firstWing, Schema.passkeys, Schema.keys],
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
            PersonColumn(table: "invitations", column: "created_by", erasure: .pseudonym),
        ],
        retention: [
            .rows(.init(table: "sessions", key: "id")),
            .rows(.init(table: "challenges", key: "nonce")),
            // A confirmation that is over counts among the failures of its session until that is over.
            .rows(.init(table: "ceremonies", key: "challenge", over: "expires <= $1 AND purpose <> 'confirmation'")),
            .rows(.init(table: "pairings", key: "id", time: { _ in Limits.pairingMemory })),
            .rows(.init(table: "invitations", key: "id", time: { $0.invitations * 86_400 })),
        ])
}
