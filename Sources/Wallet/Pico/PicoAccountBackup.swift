package import CryptoProvider
package import Encodings
import Foundation

/// A backup of accounts: one file, sealed under a recovery phrase that is stored nowhere.
///
/// The phrase has 120 random bits. Argon2id stretches it all the same, since people shorten what they write down. The
/// format, the way from phrase to key and the contents are authenticated together (AES-256-GCM).
struct PicoAccountBackup {
    private static let format: StaticString = "countersign-accounts-v1"
    /// Six groups of four characters.
    private static let phraseGroups = 6
    /// The largest file: a full wallet with the longest extra data is a quarter of it.
    static let maximumSize = 4 << 20

    /// Seals accounts.
    ///
    /// - Parameter parameters: of Argon2id; cheaper ones only in tests.
    /// - Returns: the file, and the phrase that opens it.
    static func seal(
        _ accounts: [WalletSecrets.PicoAccount], parameters: Argon2Parameters, limits: Argon2Limits
    ) async throws -> (file: Bytes, phrase: String) {
        let phrase = HumanCode.random(groups: phraseGroups)
        let derivation = KeyDerivation(parameters: parameters, salt: RandomBytes.make(16))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let plain = Bytes(try encoder.encode(accounts))
        let box = try await box(phrase, derivation, limits)
        let sealed = try box.seal(plain, purpose: purpose(derivation))
        let json = JSON.members([
            ("format", .text("\(format)")), ("derivation", derivation.json),
            ("sealed", .string(Base64.encode(sealed, .url))),
        ])
        return (json.serialized() + [0x0A], phrase)
    }

    /// Opens a backup.
    ///
    /// - Throws: `invalid` for a file that is none, `unacceptableDerivation`, or `badBackup`.
    static func open(
        _ file: Bytes, phrase: String, limits: Argon2Limits
    ) async throws -> [WalletSecrets.PicoAccount] {
        guard let (derivation, sealed) = parse(file) else {
            throw WalletError.invalid("the file is no backup of this program's accounts")
        }
        guard limits.allow(derivation.parameters) else { throw WalletError.unacceptableDerivation }
        let box = try await box(phrase, derivation, limits)
        guard let plain = try? box.open(sealed, purpose: purpose(derivation)),
            let accounts = try? JSONDecoder().decode([WalletSecrets.PicoAccount].self, from: Data(plain))
        else { throw WalletError.badBackup }
        return accounts
    }

    /// The parts of a file, before anything is opened.
    static func parse(_ file: Bytes) -> (derivation: KeyDerivation, sealed: Bytes)? {
        guard let json = try? JSON.parse(file, maximumLength: maximumSize, maximumDepth: 3),
            json.members?.count == 3, json["format"]?.isString(format) == true,
            let derivation = json["derivation"].flatMap({ KeyDerivation(json: $0) }), derivation.salt.count == 16,
            let sealed = json["sealed"]?.string.flatMap({ Base64.decode($0, .url) })
        else { return nil }
        return (derivation, sealed)
    }

    private static func box(
        _ phrase: String, _ derivation: KeyDerivation, _ limits: Argon2Limits
    ) async throws -> SecretBox {
        guard let normalised = HumanCode.normalised(phrase), normalised.count == phraseGroups * 4 else {
            throw WalletError.invalid("a recovery phrase has six groups of four letters and digits")
        }
        let key = try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits)
            .derive(normalised, salt: derivation.salt, parameters: derivation.parameters)
        return try SecretBox(key: key)
    }

    private static func purpose(_ derivation: KeyDerivation) -> String {
        let json = JSON.members([("derivation", derivation.json), ("format", .text("\(format)"))])
        return String(decoding: (try? json.canonical()) ?? [], as: UTF8.self)
    }
}

extension WalletClient {
    /// A backup of all accounts with their keys, and the phrase that opens it.
    ///
    /// - Parameters:
    ///   - parameters: cheaper ones than the recommended only in tests.
    ///   - limits: wider ones only in tests.
    package func backUpPicoAccounts(
        parameters: Argon2Parameters = .recommended, limits: Argon2Limits = .standard
    ) async throws -> (file: Bytes, phrase: String, count: Int) {
        let accounts = wallet.secrets.pico ?? []
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
