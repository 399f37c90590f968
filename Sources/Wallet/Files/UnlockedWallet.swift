import CryptoProvider
import Encodings
import Foundation

/// A wallet whose passphrase was right.
///
/// Only `WalletFile` makes one; it lives in memory and is never written.
package struct UnlockedWallet: Sendable {
    /// The file it came from.
    package let file: WalletFile
    private let key: Bytes
    /// The passphrase that opened it.
    ///
    /// It is the account's too, and half of what confirms a session.
    let passphrase: String
    /// The part in clear.
    package private(set) var header: WalletHeader
    private(set) var secrets: WalletSecrets

    init(file: WalletFile, key: Bytes, passphrase: String, header: WalletHeader, secrets: WalletSecrets) {
        self.file = file
        self.key = key
        self.passphrase = passphrase
        self.header = header
        self.secrets = secrets
    }

    /// Signs as this device.
    func signingKey() throws -> SigningKey { try SigningKey(rawRepresentation: Self.bytes(secrets.signingKey)) }

    /// Opens what is sealed to this device.
    func encryptionKey() throws -> EncryptionKey {
        try EncryptionKey(rawRepresentation: Self.bytes(secrets.encryptionKey))
    }

    /// Signs certificates and credentials.
    ///
    /// - Throws: `notCertified` when the wallet has none.
    func authorityKey() throws -> SigningKey {
        guard let text = secrets.authorityKey else { throw WalletError.notCertified }
        return try SigningKey(rawRepresentation: Self.bytes(text))
    }

    /// Will sign certificates once the root has certified it, if one was made.
    func nextAuthorityKey() throws -> SigningKey? {
        try secrets.nextAuthorityKey.map { try SigningKey(rawRepresentation: Self.bytes($0)) }
    }

    /// Changes header or secrets, and stores them before anybody sees the change.
    ///
    /// The change is made to what the file holds now: another command may have changed it since it was unlocked.
    mutating func update(_ change: (inout WalletHeader, inout WalletSecrets) -> Void) throws(WalletError) {
        let current = self
        self = try AtomicFile.whileLocked(file.path) { () throws(WalletError) in
            let stored = try current.file.contents()
            var next = current
            next.header = stored.header
            next.secrets = try WalletFile.open(stored, key: current.key)
            change(&next.header, &next.secrets)
            var contents = try next.sealedContents()
            contents.failedUnlocks = stored.failedUnlocks
            let text = contents.formatted()
            // A file that could not be read again is not written.
            guard text.count <= WalletContents.maximumSize else { throw .fileTooLarge(path: current.file.path) }
            try AtomicFile.write(text, to: current.file.path)
            return next
        }
    }

    /// Removes the file of a wallet whose keys the server refused.
    ///
    /// Another command may have set it aside and begun another wallet at the same path, or finished this one: those stay.
    func removeRefused() throws(WalletError) {
        try AtomicFile.whileLocked(file.path) { () throws(WalletError) in
            let stored = try file.contents()
            guard stored.header.account.isEmpty, stored.check == WalletFile.check(of: key) else { return }
            AtomicFile.remove(file.path)
        }
    }

    /// The contents of a file with this wallet in it, no attempt counted.
    func sealedContents() throws(WalletError) -> WalletContents {
        let check = WalletFile.check(of: key)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let plain = Bytes(try encoder.encode(secrets))
            let sealed = try SecretBox(key: key).seal(
                plain, purpose: WalletContents.purpose(header: header, check: check))
            return WalletContents(header: header, failedUnlocks: 0, check: check, sealed: sealed)
        } catch {
            throw .cannotWrite(path: file.path)
        }
    }

    private static func bytes(_ text: String) -> Bytes { Base64.decode(Bytes(text: text), .url) ?? [] }
}
