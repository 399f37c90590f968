import Interface
import Logging
import ServiceLifecycle

extension Slice {
    /// Vaults: files and notes that the server keeps and cannot read.
    ///
    /// Two folders of the data directory are its own and in no backup: the guard's files, and the keys of the weeks.
    static let vault = Slice(
        name: "vault",
        migrations: [
            Schema.vault, Schema.vaultSharing, Schema.vaultNames, Schema.vaultRemoved, Schema.vaultLinkLists,
            Schema.vaultSharedLists, Schema.vaultTimes,
        ],
        permissions: Permission.ofVault,
        events: TrustEvent.Kind.ofVault,
        pages: Page.ofVault,
        blobs: [
            BlobColumn(table: "vault_parts", column: "blob", kept: "gone IS NULL", ended: "gone", owner: "account")
        ],
        people: [
            PersonColumn(table: "vault_links", column: "account", erasure: .delete),
            PersonColumn(table: "vault_members", column: "account", erasure: .delete),
            PersonColumn(table: "vault_members", column: "owner", erasure: .delete),
            PersonColumn(table: "vault_drops", column: "account", erasure: .delete),
            PersonColumn(table: "vault_drops", column: "sender", erasure: .null),
            PersonColumn(table: "vault_versions", column: "account", erasure: .delete),
            PersonColumn(table: "vault_parts", column: "account", erasure: .delete),
            PersonColumn(table: "vault_contents", column: "account", erasure: .delete),
            PersonColumn(table: "vault_nodes", column: "account", erasure: .delete),
            PersonColumn(table: "vault_compartments", column: "account", erasure: .delete),
            PersonColumn(table: "vault_tries", column: "account", erasure: .delete),
            PersonColumn(table: "vault_slots", column: "account", erasure: .delete),
            PersonColumn(table: "vault_slots", column: "contact", erasure: .delete),
            PersonColumn(table: "vaults", column: "account", erasure: .delete),
        ],
        retention: [
            .work(batch: VaultSweep.together) {
                try await VaultInbox(environment: $0, epochs: VaultEpochs($0)).endDrops()
            },
            .work(batch: VaultSweep.together) { try await VaultSweep(environment: $0).endUploads() },
            .work(batch: VaultSweep.together) { try await VaultSweep(environment: $0).emptyTrash() },
            .work(batch: VaultSweep.together) { try await VaultSweep(environment: $0).endVersions() },
            .work(batch: .max) { environment in
                try await VaultSweep(environment: environment).endGuards()
                return 0
            },
            // Before keys are destroyed: one that was brought late may be needed by rows that were set aside.
            .work(batch: .max) { environment in
                try await VaultShredding(environment: environment).bringBack()
                return 0
            },
            .work(batch: 1) { try await VaultShredding(environment: $0).wrap() > 0 ? 1 : 0 },
            .work(batch: .max) { try await VaultShredding(environment: $0).destroy().count },
        ],
        erased: { account, environment in try await VaultGuard(environment: environment).destroy(account) },
        open: { try await OpenVault($0) })
}

private struct OpenVault: OpenSlice {
    let environment: Environment
    let epochs: VaultEpochs

    init(_ environment: Environment) async throws {
        self.environment = environment
        epochs = VaultEpochs(environment)
        try await VaultShredding(environment: environment, epochs: epochs).bringBack()
    }

    func add(to routes: inout RouteTable) {
        VaultRoutes(environment: environment, epochs: epochs, pins: VaultGuard(environment: environment))
            .add(to: &routes)
        VaultSharingRoutes(environment: environment, epochs: epochs).add(to: &routes)
    }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] { [VaultTryWatch(environment: environment)] }
}
