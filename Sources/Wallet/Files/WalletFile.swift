package import CryptoProvider
import Encodings
import Foundation

/// A wallet at rest: one file that only its owner can read, locked with a passphrase (Argon2id, AES-256-GCM).
///
/// Unlocking makes an `UnlockedWallet`; without one nothing can be signed or opened.
package struct WalletFile: Sendable {
    /// So many failed unlocks in a row end the session.
    package static let failuresThatEndSession: Int64 = 2

    /// Where the file is.
    package let path: String
    /// Which key derivation a file may ask for.
    let limits: Argon2Limits

    /// Names a wallet; whether it exists is another question.
    ///
    /// - Parameter limits: other than the standard only in tests.
    package init(path: String, limits: Argon2Limits = .standard) {
        self.path = path
        self.limits = limits
    }

    /// Whether there is a file.
    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The session token beside the wallet.
    package var session: SessionFile { SessionFile(walletPath: path) }

    /// What the wallet says without being unlocked.
    ///
    /// Nothing proves it until then.
    package func header() throws(WalletError) -> WalletHeader { try contents().header }

    /// How many attempts to unlock have failed in a row.
    package func failedUnlocks() throws(WalletError) -> Int64 { try contents().failedUnlocks }

    /// Makes a new wallet with these secrets.
    ///
    /// - Throws: `walletExists`: keys are never overwritten.
    package func create(
        header: WalletHeader, secrets: WalletSecrets, passphrase: String
    ) async throws -> UnlockedWallet {
        guard !exists else { throw WalletError.walletExists(path: path) }
        guard passphrase.utf8.count >= 10 else { throw WalletError.invalid("the passphrase needs at least 10 bytes") }
        let key = try await derive(passphrase, header.derivation)
        let wallet = UnlockedWallet(
            file: self, key: key, passphrase: passphrase, header: header, secrets: secrets)
        try AtomicFile.whileLocked(path) { () throws(WalletError) in
            guard !exists else { throw .walletExists(path: path) }
            try AtomicFile.write(wallet.sealedContents().formatted(), to: path)
        }
        return wallet
    }

    /// Opens the wallet.
    ///
    /// The attempt is counted, durably, before it is made, so that a crash in the middle cannot be used to guess
    /// on. The second failure in a row removes the session token.
    /// - Parameter endSession: is given the token that was removed, to tell the server.
    package func unlock(
        passphrase: String, endSession: (SessionToken) async -> Void = { _ in }
    ) async throws -> UnlockedWallet {
        let attempt = try AtomicFile.whileLocked(path) { () throws(WalletError) in
            var contents = try contents()
            guard limits.allow(contents.header.derivation.parameters), contents.header.derivation.salt.count == 16
            else { throw .unacceptableDerivation }
            contents.failedUnlocks += 1
            try AtomicFile.write(contents.formatted(), to: path)
            return contents
        }
        // More attempts were begun than were finished well: killed attempts count like failed ones.
        if attempt.failedUnlocks > Self.failuresThatEndSession { await end(endSession) }
        let key = try await derive(passphrase, attempt.header.derivation)
        guard Self.check(of: key).equalsInConstantTime(attempt.check) else {
            let isOver = attempt.failedUnlocks >= Self.failuresThatEndSession
            if isOver { await end(endSession) }
            throw WalletError.wrongPassphrase(sessionEnded: isOver)
        }
        let secrets = try Self.open(attempt, key: key)
        try AtomicFile.whileLocked(path) { () throws(WalletError) in
            var contents = try contents()
            contents.failedUnlocks = 0
            try AtomicFile.write(contents.formatted(), to: path)
        }
        return UnlockedWallet(
            file: self, key: key, passphrase: passphrase, header: attempt.header, secrets: secrets)
    }

    /// 16 bytes that tell whether a derived key is the right one.
    static func check(of key: Bytes) -> Bytes {
        Array(SHA256.hash(Bytes(text: "countersign wallet passphrase check v1\u{0}") + key)[0..<16])
    }

    func contents() throws(WalletError) -> WalletContents {
        guard let bytes = try AtomicFile.read(path, limit: WalletContents.maximumSize) else {
            throw .noWallet(path: path)
        }
        return try WalletContents.parse(bytes)
    }

    private func end(_ endSession: (SessionToken) async -> Void) async {
        guard let token = session.read() else { return }
        session.remove()
        await endSession(token)
    }

    private func derive(_ passphrase: String, _ derivation: KeyDerivation) async throws -> Bytes {
        try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits).derive(
            PassphraseHash.bytes(of: passphrase), salt: derivation.salt, parameters: derivation.parameters,
            length: 32)
    }

    /// Opens the sealed part with a key that the check has shown to be right.
    static func open(_ contents: WalletContents, key: Bytes) throws(WalletError) -> WalletSecrets {
        let purpose = WalletContents.purpose(header: contents.header, check: contents.check)
        guard let box = try? SecretBox(key: key), let plain = try? box.open(contents.sealed, purpose: purpose),
            let secrets = try? JSONDecoder().decode(WalletSecrets.self, from: Data(plain))
        else { throw .tampered }
        return secrets
    }
}
