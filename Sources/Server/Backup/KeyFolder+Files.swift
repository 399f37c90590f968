import CryptoProvider
import Encodings
import Foundation
import Storage
import Transparency

extension KeyFolder {
    /// The longest file, in bytes.
    private static let maximumLength = 1 << 16

    /// All files by name; none when there is no folder.
    func files() throws -> [(name: String, content: Bytes)] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { name in
            // A file that a crash left half-written is not a key.
            guard !name.hasPrefix("."), let content = try DurableFile.read("\(path)/\(name)") else { return nil }
            guard content.count <= Self.maximumLength else { throw ServerKeys.KeyError.malformed(name: name) }
            return (name, content)
        }
    }

    /// Writes a file, readable by this user only.
    func write(_ name: String, _ content: Bytes) throws {
        guard BackupPart.isPlain(name) else { throw ServerKeys.KeyError.malformed(name: name) }
        try DurableFile.makeDirectory(path, permissions: 0o700)
        try DurableFile.write("\(path)/\(name)", content)
    }

    /// The log's key that has signed a checkpoint: while another takes its place there are two.
    ///
    /// - Parameter note: the newest checkpoint, empty when there is none yet.
    /// - Returns: the first key when none has signed, `nil` when there is none at all.
    func logKey(origin: String, thatSigned note: Bytes) throws -> NoteVerifierKey? {
        let keys = try logKeys(origin: origin)
        let suite = SwiftCryptoSuite()
        return keys.first { (try? VerifiedCheckpoint.verify(note, policy: LogPolicy(logKey: $0), suite: suite)) != nil }
            ?? keys.first
    }

    /// The public halves of the keys that can sign checkpoints, under the log's name; the oldest first.
    func logKeys(origin: String) throws -> [NoteVerifierKey] {
        try ["log", Self.next("log")].compactMap { name in
            guard let content = try DurableFile.read("\(path)/\(name)") else { return nil }
            let bytes = Hex.decode(content.trimmingSpace())
            guard let key = bytes.flatMap({ try? LogSigningKey(rawRepresentation: $0) }) else {
                throw ServerKeys.KeyError.malformed(name: name)
            }
            return try NoteVerifierKey(name: Bytes(text: origin), publicKey: key.publicKey)
        }
    }
}
