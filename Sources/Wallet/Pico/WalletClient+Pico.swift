import CryptoProvider
import EllipticCurves
package import Encodings
package import Pico

/// Signing in with a scan: accounts in the wallet file, and runs with them.
extension WalletClient {
    /// All accounts, by service and name.
    package func picoAccounts() -> [PicoAccountSummary] {
        (wallet.secrets.pico ?? []).map { PicoAccountSummary($0) }.sorted {
            ($0.service, $0.name, $0.id) < ($1.service, $1.name, $1.id)
        }
    }

    /// The accounts at the service of a code.
    package func picoAccounts(at service: PicoCommitment) -> [PicoAccountSummary] {
        let text = service.bytes.base64URL
        let ids = (wallet.secrets.pico ?? []).filter { $0.service == text }.map(\.id)
        return picoAccounts().filter { ids.contains($0.id) }
    }

    /// Reads the text of a visual code.
    ///
    /// - Parameter curve: of a service that the person has marked as old.
    package static func picoCode(
        _ text: Bytes, oldService curve: PicoCurveName? = nil
    ) throws(PicoError) -> PicoCode {
        // Bluetooth and TCP are recognised, so that people learn why they do not work.
        try PicoCode.read(
            text, curves: curve?.curves ?? .current, accepting: PicoAddress.Scheme.allCases, suite: SwiftCryptoSuite())
    }

    /// The commitment of a pairing code's service.
    package func picoService(_ code: PicoPairingCode) -> PicoCommitment {
        PicoCommitment(of: code.publicKey, suite: suite)
    }

    /// Pairs with the service of a code, which the person has seen and confirmed.
    ///
    /// The account is in the file before this returns.
    ///
    /// - Parameter curve: of a service that the person has marked as old.
    package func pair(
        with code: PicoPairingCode, oldService curve: PicoCurveName? = nil, over channel: any PicoChannel,
        clock: PicoClock = .system
    ) async throws -> (account: PicoAccountSummary, session: PicoSession?) {
        try checkPicoSpace(for: 1, in: wallet.secrets)
        let identity = try suite.freshKey(on: code.publicKey.curve)
        let outcome = try await PicoProverRun(over: channel, clock: clock)
            .pair(with: code, curves: curve?.curves ?? .current, identity: identity)
        let secret = PairingSecret.read(outcome.extraData)
        let account = WalletSecrets.PicoAccount(
            id: Self.newPicoID(), service: picoService(code).bytes.base64URL, serviceName: code.name.text,
            name: Self.accountName(secret.name) ?? code.name.text, curve: PicoCurveName(identity.curve),
            key: identity.secretScalar.base64URL, extraData: secret.data.base64URL, asksEveryTime: false,
            created: now())
        try wallet.update { _, secrets in secrets.pico = (secrets.pico ?? []) + [account] }
        return (PicoAccountSummary(account), outcome.session)
    }

    /// Signs in to the service of a code with one of the accounts.
    ///
    /// - Returns: the session, if the service wants the wallet to stay.
    package func signIn(
        with code: PicoAuthenticationCode, account id: String, over channel: any PicoChannel,
        clock: PicoClock = .system
    ) async throws -> PicoSession? {
        let (pairing, identity, extraData) = try picoAccount(id).opened()
        return try await PicoProverRun(over: channel, clock: clock)
            .signIn(with: code, pairing: pairing, identity: identity, extraData: extraData).session
    }

    /// Gives an account another name.
    package func renamePicoAccount(_ id: String, to name: String) throws {
        guard let name = Self.accountName(Bytes(text: name)) else {
            throw WalletError.invalid("a name has 1 to 256 bytes, without control characters")
        }
        try changePicoAccount(id) { $0.name = name }
    }

    /// Asks the person each time, or no longer.
    package func setPicoAccount(_ id: String, asksEveryTime: Bool) throws {
        try changePicoAccount(id) { $0.asksEveryTime = asksEveryTime }
    }

    /// Forgets an account and its key; nothing brings it back except a backup.
    package func forgetPicoAccount(_ id: String) throws {
        let account = try picoAccount(id)
        try wallet.update { _, secrets in secrets.pico?.removeAll { $0.id == account.id } }
    }

    /// Adds accounts of another program; those whose key is there already stay as they are.
    ///
    /// - Returns: which were added.
    package func addPicoAccounts(_ accounts: [PicoImportedAccount]) throws -> [PicoAccountSummary] {
        try add(
            accounts.map { imported in
                guard imported.extraData.count <= PicoLimits.extraData,
                    let service = Self.accountName(imported.serviceName)
                else { throw WalletError.invalid("an account in the backup has data that no service hands out") }
                return WalletSecrets.PicoAccount(
                    id: Self.newPicoID(), service: imported.service.bytes.base64URL, serviceName: service,
                    name: Self.accountName(imported.name) ?? service, curve: PicoCurveName(imported.identity.curve),
                    key: imported.identity.secretScalar.base64URL, extraData: imported.extraData.base64URL,
                    asksEveryTime: false, created: now())
            })
    }

    /// Adds accounts that came from elsewhere; those whose key is there already stay as they are.
    ///
    /// - Returns: which were added.
    func add(_ accounts: [WalletSecrets.PicoAccount]) throws -> [PicoAccountSummary] {
        for account in accounts { _ = try account.opened() }
        var added: [WalletSecrets.PicoAccount] = []
        for account in accounts
        where !(added + (wallet.secrets.pico ?? [])).contains(where: { $0.isSameKey(as: account) }) {
            var copy = account
            copy.id = Self.newPicoID()
            added.append(copy)
        }
        try checkPicoSpace(for: added.count, in: wallet.secrets)
        if !added.isEmpty {
            try wallet.update { [added] _, secrets in secrets.pico = (secrets.pico ?? []) + added }
        }
        return added.map { PicoAccountSummary($0) }
    }

    /// A name that can be shown, or none.
    static func accountName(_ name: Bytes?) -> String? {
        guard let name, (1...PicoLimits.name).contains(name.count), UTF8Text.isValid(name) else { return nil }
        let text = name.text
        let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        return text.unicodeScalars.contains { hidden.contains($0.properties.generalCategory) } ? nil : text
    }

    static func newPicoID() -> String { RandomBytes.make(6).hex }

    private func picoAccount(_ id: String) throws(WalletError) -> WalletSecrets.PicoAccount {
        guard let account = wallet.secrets.pico?.first(where: { $0.id == id }) else { throw .notFound(id) }
        return account
    }

    private func changePicoAccount(
        _ id: String, _ change: (inout WalletSecrets.PicoAccount) -> Void
    ) throws(WalletError) {
        let account = try picoAccount(id)
        try wallet.update { _, secrets in
            guard let place = secrets.pico?.firstIndex(where: { $0.id == account.id }) else { return }
            if var changed = secrets.pico?[place] {
                change(&changed)
                secrets.pico?[place] = changed
            }
        }
    }

    private func checkPicoSpace(for count: Int, in secrets: WalletSecrets) throws(WalletError) {
        guard (secrets.pico ?? []).count + count <= WalletSecrets.PicoAccount.maximumCount else {
            throw .invalid(
                "a wallet keeps \(WalletSecrets.PicoAccount.maximumCount) accounts at most; forget one first")
        }
    }
}

extension WalletSecrets.PicoAccount {
    /// Whether both have one key at one service.
    func isSameKey(as other: Self) -> Bool {
        service == other.service && curve == other.curve
            && Bytes(text: key).equalsInConstantTime(Bytes(text: other.key))
    }
}
