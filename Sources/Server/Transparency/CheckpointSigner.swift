import CryptoProvider
import Encodings
import Synchronization
import Transparency

/// Signs checkpoints with the log's keys (C2SP tlog-checkpoint, signed-note).
///
/// A log has one key; while that is being replaced, two.
final class CheckpointSigner: Sendable {
    private struct Key: Sendable {
        let key: LogSigningKey
        let verifier: NoteVerifierKey
    }

    let origin: Bytes
    private let held: Mutex<[Key]>
    private var keys: [Key] { held.withLock { $0 } }

    /// - Parameter keys: at least one, the oldest first.
    init(origin: Bytes, keys: [LogSigningKey]) throws {
        self.origin = origin
        held = Mutex(try Self.named(keys, origin))
    }

    /// Signs with these keys from now on; at least one, the oldest first.
    func use(_ keys: [LogSigningKey]) throws {
        let named = try Self.named(keys, origin)
        held.withLock { $0 = named }
    }

    private static func named(_ keys: [LogSigningKey], _ origin: Bytes) throws -> [Key] {
        guard !keys.isEmpty else { throw TransparencyError.unsigned }
        return try keys.map { Key(key: $0, verifier: try NoteVerifierKey(name: origin, publicKey: $0.publicKey)) }
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
