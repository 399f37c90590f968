package import CryptoProvider
package import Encodings
import Foundation
package import Pico

/// A backup of accounts: one file, sealed under a recovery phrase that is stored nowhere (`AccountBackupFile`).
struct PicoAccountBackup {
    /// Seals accounts.
    ///
    /// - Parameter parameters: of Argon2id; cheaper ones only in tests.
    /// - Returns: the file, and the phrase that opens it.
    static func seal(
        _ accounts: [WalletSecrets.PicoAccount], parameters: Argon2Parameters, limits: Argon2Limits
    ) async throws -> (file: Bytes, phrase: String) {
        let phrase = HumanCode.random(groups: AccountBackupFile.phraseLength / 4)
        let derivation = AccountBackupFile.Derivation(
            memory: parameters.memory, passes: parameters.passes, lanes: parameters.lanes,
            salt: RandomBytes.make(AccountBackupFile.saltLength))
        let plain = try BackedUpAccount.encoded(accounts.map { try $0.backedUp() })
        let sealed = try await box(phrase, derivation, limits).seal(plain, purpose: purpose(derivation))
        return (try AccountBackupFile(derivation: derivation, sealed: sealed).encoded, phrase)
    }

    /// Opens a backup.
    ///
    /// - Throws: `invalid` for a file that is none, `unacceptableDerivation`, or `badBackup`.
    static func open(
        _ file: Bytes, phrase: String, limits: Argon2Limits
    ) async throws -> [WalletSecrets.PicoAccount] {
        let read: AccountBackupFile
        do throws(PicoError) {
            read = try AccountBackupFile(file)
        } catch .unsupportedVersion {
            throw WalletError.invalid("the file is a backup of the original's app: give --original")
        } catch {
            throw WalletError.invalid("the file is no backup of this program's accounts")
        }
        guard limits.allow(read.derivation.parameters) else { throw WalletError.unacceptableDerivation }
        let box = try await box(phrase, read.derivation, limits)
        guard let plain = try? box.open(read.sealed, purpose: purpose(read.derivation)) else {
            throw WalletError.badBackup
        }
        guard let accounts = try? BackedUpAccount.parse(plain) else { throw WalletError.badBackup }
        return accounts.map { WalletSecrets.PicoAccount($0) }
    }

    private static func box(
        _ phrase: String, _ derivation: AccountBackupFile.Derivation, _ limits: Argon2Limits
    ) async throws -> SecretBox {
        guard let password = AccountBackupFile.password(of: Bytes(text: phrase)) else {
            throw WalletError.invalid("a recovery phrase has six groups of four letters and digits")
        }
        let key = try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits)
            .derive(password, salt: derivation.salt, parameters: derivation.parameters)
        return try SecretBox(key: key)
    }

    private static func purpose(_ derivation: AccountBackupFile.Derivation) -> String {
        String(decoding: AccountBackupFile.purpose(of: derivation), as: UTF8.self)
    }
}

extension AccountBackupFile.Derivation {
    fileprivate var parameters: Argon2Parameters { Argon2Parameters(memory: memory, passes: passes, lanes: lanes) }
}

extension WalletSecrets.PicoAccount {
    /// An account of a backup, which is checked when it is added.
    fileprivate init(_ account: BackedUpAccount) {
        self.init(
            id: account.id.text, service: account.service.bytes.base64URL, serviceName: account.serviceName.text,
            name: account.name.text, curve: PicoCurveName(account.curve), key: account.key.base64URL,
            extraData: account.extraData.base64URL, asksEveryTime: account.asksEveryTime, created: account.created)
    }

    /// The account as a backup has it.
    ///
    /// - Throws: `tampered` for something that this wallet has not written.
    fileprivate func backedUp() throws(WalletError) -> BackedUpAccount {
        guard let service = service.fromBase64URL.flatMap({ PicoCommitment(bytes: $0) }),
            let key = key.fromBase64URL, let extraData = extraData.fromBase64URL
        else { throw .tampered }
        return BackedUpAccount(
            id: Bytes(text: id), service: service, serviceName: Bytes(text: serviceName), name: Bytes(text: name),
            curve: curve.backedUp, key: key, extraData: extraData, asksEveryTime: asksEveryTime, created: created)
    }
}

extension PicoCurveName {
    fileprivate init(_ curve: BackedUpAccount.Curve) {
        self =
            switch curve {
            case .p192: .p192
            case .p256: .p256
            case .p384: .p384
            case .p521: .p521
            case .secp192k1: .secp192k1
            }
    }

    fileprivate var backedUp: BackedUpAccount.Curve {
        switch self {
        case .p192: .p192
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .secp192k1: .secp192k1
        }
    }
}

extension WalletClient {
    /// Whether there are accounts of other services than this one.
    package func hasPicoAccounts(elsewhereThan own: PicoCommitment) -> Bool {
        (wallet.secrets.pico ?? []).contains { $0.service != own.bytes.base64URL }
    }

    /// A backup of the accounts with their keys, and the phrase that opens it.
    ///
    /// - Parameters:
    ///   - own: the wallet's own server, whose account is left out: it has to end with this device, which a copy elsewhere
    ///     would outlive.
    ///   - parameters: cheaper ones than the recommended only in tests.
    ///   - limits: wider ones only in tests.
    package func backUpPicoAccounts(
        without own: PicoCommitment? = nil, parameters: Argon2Parameters = .recommended,
        limits: Argon2Limits = .standard
    ) async throws -> (file: Bytes, phrase: String, count: Int) {
        let accounts = (wallet.secrets.pico ?? []).filter { $0.service != own?.bytes.base64URL }
        let (file, phrase) = try await PicoAccountBackup.seal(accounts, parameters: parameters, limits: limits)
        return (file, phrase, accounts.count)
    }

    /// Adds the accounts of a backup to those that are here.
    ///
    /// A wrong phrase or a changed file changes nothing.
    ///
    /// - Returns: which were added, and how many were here already.
    package func restorePicoAccounts(
        _ file: Bytes, phrase: String, limits: Argon2Limits = .standard
    ) async throws -> (added: [PicoAccountSummary], known: Int) {
        let accounts = try await PicoAccountBackup.open(file, phrase: phrase, limits: limits)
        let added = try add(accounts)
        return (added, accounts.count - added.count)
    }
}
