import CryptoProvider
import Storage
import Transparency

/// The log's keys, for who changes them.
extension TransparencyLog {
    /// The policy in force.
    func policy() async throws -> LogPolicy {
        try await database.read { [signer] in try LogStore(transaction: $0).policy(or: signer).policy }
    }

    /// The verifier key of a key that signs, or could sign, this log's checkpoints.
    func verifierKey(of key: LogSigningKey) throws -> NoteVerifierKey {
        try NoteVerifierKey(name: signer.origin, publicKey: key.publicKey)
    }

    /// The same log, with one key alone; nobody else may be at work on it.
    ///
    /// - Throws: `LogError.damaged` when the newest checkpoint is not signed by that key.
    func reopened(with key: LogSigningKey) async throws -> TransparencyLog {
        try await TransparencyLog(parts.with(keys: [key]))
    }
}
