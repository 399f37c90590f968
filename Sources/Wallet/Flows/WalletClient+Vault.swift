package import Encodings
package import Interface
import Vault

/// What opens a vault.
package enum VaultKey: Sendable {
    /// What this wallet has: the secret of its device slot.
    case device
    /// 24 printed words, as they were typed.
    case recovery(Bytes)
    /// A PIN, through the guard.
    case pin(Bytes)
    /// Two of the three recovery shares, as they were typed.
    case shares(Bytes, Bytes)
}

extension WalletClient {
    /// The ways to open the owner's vault.
    package func vault() async throws -> VaultState {
        do {
            return try await session().get("/api/vault")
        } catch let error as ProblemError where error.problem.status == 404 {
            throw VaultFault.noVault
        }
    }

    /// Makes the account's vault, which this wallet then opens.
    ///
    /// - Parameters:
    ///   - confirm: called with the words of the recovery key, which nobody can show again, before anything is stored; it
    ///     throws if they were not written down.
    ///   - settled: called with what became of them.
    package func makeVault(
        _ confirm: @Sendable (Bytes) async throws -> Void, settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        let server = try session()
        do {
            _ = try await vault()
            throw VaultFault.vaultExists
        } catch VaultFault.noVault {
            // As it should be.
        }
        let (account, compartment) = (try VaultAccount.random(suite), try Compartment.random(suite))
        let recovery = try VaultSecret.random(suite)
        let way = try slot(.recovery, recovery, account, compartment)
        let slots = [try slot(.device, try deviceSecret(), account, compartment), way]
        var resets: [VaultSecret] = []
        for _ in 0..<PINSlot.count { resets.append(try .random(suite)) }
        let pins = VaultPINClient(server: server, account: account)
        let unused = try resets.indices.map { try pins.unused($0, resetKey: resets[$0]) }
        let head = try VaultHead().sealed(of: compartment, suite: suite).base64URL
        try await confirm(RecoveryWords.text(of: recovery, suite: suite))
        let acknowledged: Acknowledgement
        var isAsked = false
        do {
            // Its keys are good for a short time only, and a person needs some to write words down.
            let enrolment = try await pins.enrol(nil).enrolment
            isAsked = true
            acknowledged = try await server.post(
                "/api/vault",
                NewVault(
                    salt: account.salt.base64URL, slots: slots, enrolment: enrolment, pins: unused,
                    compartment: NewVaultCompartment(id: compartment.id.text, head: head)))
        } catch {
            var outcome = RecoverySecretOutcome.notStored
            if isAsked { outcome = await self.outcome(of: way.id, after: error) }
            try settled(outcome)
            throw error
        }
        // The vault is there even if the words cannot be put where they belong: it gets its settings all the same.
        let settling = Result { try settled(.stored) }
        let act = try await check(acknowledged.receipt, "vault.created")
        let vault = try await open(compartment, server)
        try await vault.setSettings(VaultSettings(pins: resets.map { .init(purpose: nil, resetKey: $0) }))
        try settling.get()
        return act
    }

    /// Opens the vault.
    package func openVault(with key: VaultKey = .device) async throws -> OpenVault {
        let server = try session()
        let state = try await vault()
        let account = try Self.account(state)
        switch key {
        case .device:
            guard let secret = wallet.secrets.vault?.fromBase64URL.flatMap({ try? VaultSecret($0) }),
                let compartment = try compartment(of: state, .device, secret, account)
            else { throw VaultFault.notOpenedHere }
            return try await open(compartment, server)
        case .recovery(let words):
            let secret: VaultSecret
            do { secret = try RecoveryWords.key(of: words, suite: suite) } catch { throw VaultFault.badWords }
            guard let compartment = try compartment(of: state, .recovery, secret, account) else {
                throw VaultFault.wrongRecoveryKey
            }
            return try await open(compartment, server)
        case .shares(let first, let second):
            let secret = try VaultShares.secret(first, second)
            guard let compartment = try compartment(of: state, .share, secret, account) else {
                throw VaultFault.wrongShares
            }
            return try await open(compartment, server)
        case .pin(let pin):
            let client = VaultPINClient(server: server, account: account)
            let opened = try await client.attempt(pin, state)
            guard let contents = opened.contents.first(where: { $0.purpose != .item }) else {
                try? await opened.prove([])
                throw await client.wrong()
            }
            let vault = try await open(try Compartment(contents.key, suite: suite), server)
            // Only the main vault knows how to take back what was counted against the other PINs. If this does not
            // arrive, the try stays counted.
            try? await opened.prove(await vault.settings?.metadata.settings?.pins.map(\.resetKey) ?? [])
            return vault
        }
    }

    /// Has this wallet open the vault by itself from now on.
    package func addDeviceSlot(_ vault: OpenVault) async throws -> LoggedAct {
        let server = try session()
        let account = try Self.account(try await self.vault())
        let made = try slot(.device, try deviceSecret(), account, vault.compartment)
        let acknowledged: Acknowledgement = try await server.put(
            "/api/vault/slots/\(made.id)", NewVaultSlot(kind: made.kind, sealed: made.sealed))
        return try await check(acknowledged.receipt, "vault.slot_changed")
    }

    /// Removes a way to open the vault.
    package func removeSlot(_ id: String) async throws -> LoggedAct {
        let acknowledged: Acknowledgement = try await session().delete("/api/vault/slots/\(ServerClient.segment(id))")
        return try await check(acknowledged.receipt, "vault.slot_removed")
    }

    /// The slot of the kind device that this wallet opens, if there is one.
    package func ownSlot(_ state: VaultState) throws -> String? {
        guard let secret = wallet.secrets.vault?.fromBase64URL.flatMap({ try? VaultSecret($0) }) else { return nil }
        let account = try Self.account(state)
        return state.slots.first { stored in
            stored.kind == .device && (try? open(stored, secret, account)) != nil
        }?.id
    }

    private func open(_ compartment: Compartment, _ server: ServerClient) async throws -> OpenVault {
        try await OpenVault(
            compartment, server: server, folder: VaultFolder(walletPath: wallet.file.path), now: now)
    }

    static func account(_ state: VaultState) throws -> VaultAccount {
        guard let salt = state.salt.fromBase64URL, let account = try? VaultAccount(salt: salt) else {
            throw VaultFault.broken
        }
        return account
    }

    /// The compartment behind one of the slots of a kind; `nil` if the secret opens none.
    private func compartment(
        of state: VaultState, _ kind: Interface.VaultSlot.Kind, _ secret: VaultSecret, _ account: VaultAccount
    ) throws -> Compartment? {
        for stored in state.slots where stored.kind == kind {
            if let compartment = try? open(stored, secret, account) { return compartment }
        }
        return nil
    }

    private func open(
        _ stored: StoredVaultSlot, _ secret: VaultSecret, _ account: VaultAccount
    ) throws -> Compartment {
        guard let id = SlotID(text: stored.id), let sealed = stored.sealed.fromBase64URL else {
            throw VaultFault.broken
        }
        return try SecretSlot(sealed).open(with: secret, id: id, of: account, suite: suite)
    }

    /// A slot with a random id, as the server takes it.
    func slot(
        _ kind: SecretSlot.Kind, _ secret: VaultSecret, _ account: VaultAccount, _ compartment: Compartment
    ) throws -> VaultSlot {
        let id = try SlotID.random(suite)
        let sealed = try SecretSlot.make(kind, secret: secret, id: id, of: account, for: compartment, suite: suite)
        let named: Interface.VaultSlot.Kind =
            switch kind {
            case .passkey: .passkey
            case .recovery: .recovery
            case .device: .device
            case .shares: .share
            }
        return VaultSlot(id: id.text, kind: named, sealed: sealed.bytes.base64URL)
    }

    /// What opens the slot of this device; made, and stored, when it is needed first.
    private func deviceSecret() throws -> VaultSecret {
        if let known = wallet.secrets.vault?.fromBase64URL { return try VaultSecret(known) }
        let made = try VaultSecret.random(suite)
        try wallet.update { _, secrets in secrets.vault = secrets.vault ?? made.bytes.base64URL }
        guard let stored = wallet.secrets.vault?.fromBase64URL else { throw VaultFault.notOpenedHere }
        return try VaultSecret(stored)
    }
}
