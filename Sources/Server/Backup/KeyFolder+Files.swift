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
            // What a crash left half-written is nobody's key.
            guard !name.hasPrefix("."), let content = try DurableFile.read("\(path)/\(name)") else { return nil }
            guard content.count <= Self.maximumLength else { throw ServerKeys.KeyError.malformed(name: name) }
            return (name, content)
        }
    }

    /// Writes a file, readable by this user only.
    func write(_ name: String, _ content: Bytes) throws {
        try DurableFile.makeDirectory(path, permissions: 0o700)
        try DurableFile.write("\(path)/\(name)", content)
    }

    /// The public half of the key that signs checkpoints, under the log's name.
    func logKey(origin: String) throws -> NoteVerifierKey? {
        guard let content = try DurableFile.read("\(path)/log") else { return nil }
        return try Self.logKey(content, origin: origin)
    }

    /// The same, of the file's content.
    static func logKey(_ content: Bytes, origin: String) throws -> NoteVerifierKey {
        guard let bytes = Hex.decode(content.trimmingSpace()), let key = try? LogSigningKey(rawRepresentation: bytes)
        else { throw ServerKeys.KeyError.malformed(name: "log") }
        return try NoteVerifierKey(name: Bytes(text: origin), publicKey: key.publicKey)
    }
}
