import CryptoProvider
import Encodings
import Transparency

/// Signs checkpoints with the log's keys (C2SP tlog-checkpoint, signed-note).
///
/// A log has one key; while that is being replaced, two.
struct CheckpointSigner: Sendable {
    private struct Key {
        let key: LogSigningKey
        let verifier: NoteVerifierKey
    }

    let origin: Bytes
    private let keys: [Key]

    /// - Parameter keys: at least one, the oldest first.
    init(origin: Bytes, keys: [LogSigningKey]) throws {
        self.origin = origin
        self.keys = try keys.map {
            Key(key: $0, verifier: try NoteVerifierKey(name: origin, publicKey: $0.publicKey))
        }
        guard !keys.isEmpty else { throw TransparencyError.unsigned }
    }

    /// The key of a log without a policy.
    var verifierKey: NoteVerifierKey { keys[0].verifier }
    /// All keys.
    var verifierKeys: [NoteVerifierKey] { keys.map(\.verifier) }
    /// What this log itself has signed, at any time.
    var ownPolicy: LogPolicy { LogPolicy(logKeys: verifierKeys) }

    /// The signed note of a tree head: by each key that the policy names.
    ///
    /// - Throws: `unsigned` when it names none.
    func sign(size: UInt64, root: Bytes, policy: LogPolicy) throws -> Bytes {
        let text = try Checkpoint(origin: origin, size: size, root: root).encoded()
        var note = try SignedNote(text: text)
        let named = keys.filter { key in policy.logs.contains { $0.key == key.verifier } }
        guard !named.isEmpty else { throw TransparencyError.unsigned }
        for key in named {
            note.add(try key.verifier.line(try key.key.sign(SignedNote.message(for: .ed25519, text: text))))
        }
        return note.encoded()
    }
}
