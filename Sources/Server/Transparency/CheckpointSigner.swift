import CryptoProvider
import Encodings
import Transparency

/// Signs checkpoints with the log's key (C2SP tlog-checkpoint, signed-note).
struct CheckpointSigner: Sendable {
    let origin: Bytes
    let key: LogSigningKey
    let verifierKey: NoteVerifierKey

    init(origin: Bytes, key: LogSigningKey) throws {
        self.origin = origin
        self.key = key
        verifierKey = try NoteVerifierKey(name: origin, publicKey: key.publicKey)
    }

    /// The signed note of a tree head.
    func sign(size: UInt64, root: Bytes) throws -> Bytes {
        let text = try Checkpoint(origin: origin, size: size, root: root).encoded()
        var note = try SignedNote(text: text)
        note.add(try verifierKey.line(try key.sign(SignedNote.message(for: .ed25519, text: text))))
        return note.encoded()
    }
}
