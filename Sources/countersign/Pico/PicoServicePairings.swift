import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Wallet

/// Who may sign in to a service of the command line: the file `users.txt` of the original's login module (section 7).
///
/// A line has a name, the commitment of the Pico's key, the key, and 16 bytes that seal what the Pico brings back.
struct PicoServicePairings {
    /// The largest file.
    private static let maximumSize = 1 << 20

    /// One Pico.
    struct Entry {
        let name: Bytes
        let identity: ECPublicKey
        let symmetricKey: Bytes

        /// The fingerprint of its key, for people.
        var fingerprint: Bytes { PicoCommitment(of: identity, suite: SwiftCryptoSuite()).fingerprint }
    }

    /// Where it is.
    let path: String

    /// The Pico with a commitment.
    ///
    /// - Throws: `CommandError` for a file with a line that is none: nobody comes in by half a file.
    func entry(_ commitment: PicoCommitment) throws(CommandError) -> Entry? {
        try entries().first { PicoCommitment(of: $0.identity, suite: SwiftCryptoSuite()) == commitment }
    }

    /// Adds a Pico: its line is on the disk before this returns.
    func add(_ entry: Entry) throws(CommandError) {
        let line = [
            entry.name, PicoCommitment(of: entry.identity, suite: SwiftCryptoSuite()).base64,
            Base64.encode(entry.identity.spki, .standard), Base64.encode(entry.symmetricKey, .standard),
        ].joined(separator: [0x3A])
        var mistake: CommandError?
        do {
            try AtomicFile.whileLocked(path) { () throws(WalletError) in
                var text: Bytes
                do throws(CommandError) {
                    text = try read()
                } catch {
                    // Written all the same, the new line would be the only one.
                    mistake = error
                    return
                }
                if let last = text.last, last != 0x0A { text.append(0x0A) }
                try AtomicFile.write(text + line + [0x0A], to: path)
            }
        } catch {
            throw CommandError(error.words)
        }
        if let mistake { throw mistake }
    }

    /// Removes Picos; the file without them is on the disk before this returns.
    ///
    /// - Returns: those that were removed.
    func remove(where isMeant: (Entry) -> Bool) throws(CommandError) -> [Entry] {
        var removed: [Entry] = []
        var mistake: CommandError?
        do {
            try AtomicFile.whileLocked(path) { () throws(WalletError) in
                do throws(CommandError) {
                    // A file with a line that is none is left as it is: somebody has to look at it.
                    removed = try entries().filter(isMeant)
                    let lines = try read().split(at: 0x0A).filter { Self.entry($0).map { !isMeant($0) } ?? true }
                    guard !removed.isEmpty else { return }
                    let text = lines.joined(separator: [0x0A])
                    try write(Array(text))
                } catch {
                    mistake = error
                }
            }
        } catch {
            throw CommandError(error.words)
        }
        if let mistake { throw mistake }
        return removed
    }

    private func write(_ text: Bytes) throws(CommandError) {
        do { try AtomicFile.write(text, to: path) } catch { throw CommandError(error.words) }
    }

    /// All.
    func entries() throws(CommandError) -> [Entry] {
        var entries: [Entry] = []
        for (number, line) in try read().split(at: 0x0A).enumerated() where !line.isEmpty && line[0] != 0x23 {
            guard let entry = Self.entry(line) else {
                throw CommandError("line \(number + 1) of \(path) is not NAME:COMMITMENT:KEY:KEY")
            }
            entries.append(entry)
        }
        return entries
    }

    private func read() throws(CommandError) -> Bytes {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text: Bytes
        do { text = try Files.read(path) } catch { throw CommandError("\(path) cannot be read") }
        guard text.count <= Self.maximumSize else { throw CommandError("\(path) is larger than such a file can be") }
        return text
    }

    /// A line, whose commitment has to be that of its key.
    private static func entry(_ line: Bytes) -> Entry? {
        guard line.count < 511, let parts = line.split(at: 0x3A, maximum: 4), parts.count == 4, isName(parts[0]),
            let spki = Base64.decode(parts[2], .standard), let identity = try? ECPublicKey(spki: spki),
            PicoCommitment(of: identity, suite: SwiftCryptoSuite()).base64 == parts[1],
            let key = Base64.decode(parts[3], .standard), key.count == 16
        else { return nil }
        return Entry(name: parts[0], identity: identity, symmetricKey: key)
    }

    /// Whether a user of this name can be in a line, and on any screen.
    static func isName(_ name: Bytes) -> Bool {
        (1...64).contains(name.count) && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A } && name[0] != 0x23
    }
}
