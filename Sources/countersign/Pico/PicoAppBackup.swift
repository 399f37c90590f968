import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Wallet

/// A backup of the original's app: its whole database, under twelve words (section 8.2).
enum PicoAppBackup {
    /// The accounts in a backup.
    ///
    /// - Parameter phrase: the twelve words, or the secret in base64 as the app keeps it in its preferences.
    /// - Throws: `CommandError` for words that are none, a wrong secret, a damaged file or another database.
    static func read(_ file: Bytes, phrase: String) throws -> [PicoImportedAccount] {
        guard let secret = secret(phrase) else {
            throw CommandError("the phrase is neither twelve words of the original's list nor its secret in base64")
        }
        let database: Bytes
        do {
            database = try PicoBackup.open(file, secret: secret, suite: SwiftCryptoSuite())
        } catch .cannotOpen {
            throw WalletError.badBackup
        } catch {
            throw CommandError("the file is no backup of the original's app")
        }
        return try PicoAppStore.accounts(in: database)
    }

    /// Twelve bytes.
    static func secret(_ phrase: String) -> Bytes? {
        let words = phrase.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        if words.count == 1 {
            let secret = Base64.decode(Bytes(text: phrase.trimmingCharacters(in: .whitespaces)), .standard)
            return secret?.count == PicoBackup.secretLength ? secret : nil
        }
        guard words.count == PicoBackup.secretLength else { return nil }
        var indices: Bytes = []
        for (position, word) in words.enumerated() {
            guard let index = PicoWordList.index(of: word, at: position) else { return nil }
            indices.append(index)
        }
        return try? PicoBackup.secret(ofWordIndices: indices)
    }
}
