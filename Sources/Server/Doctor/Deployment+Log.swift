import CryptoProvider
import Encodings
import Storage
import Transparency

extension Deployment {
    /// The log as the database has it.
    package struct KnownLog: Sendable {
        /// The organisation's address.
        package let publicURL: String
        let key: NoteVerifierKey
        let checkpoint: Checkpoint
    }

    /// The log as the database has it; `nil` before set-up.
    package func log() async throws -> KnownLog? {
        guard let organisation = try await organisation() else { return nil }
        let origin = CountersignServer.origin(of: organisation.publicURL)
        let sealed = try await place.snapshot { try LogStore(transaction: $0).sealed() }
        let note = Bytes(text: sealed.checkpoint)
        guard let key = try KeyFolder(in: directory).logKey(origin: origin, thatSigned: note) else { return nil }
        let checkpoint = try VerifiedCheckpoint.verify(
            note, policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite()
        ).checkpoint
        return KnownLog(publicURL: organisation.publicURL, key: key, checkpoint: checkpoint)
    }

    /// Whether a checkpoint that was fetched after reading `known` may be from the same log.
    ///
    /// It must be signed by the log's key and not be smaller, and with equally many entries it must have the same root.
    package func accepts(_ note: [UInt8], after known: KnownLog) -> Bool {
        guard
            let found = try? VerifiedCheckpoint.verify(
                note, policy: LogPolicy(logKey: known.key), suite: SwiftCryptoSuite()
            ).checkpoint
        else { return false }
        if found.size == known.checkpoint.size { return found.root == known.checkpoint.root }
        return found.size > known.checkpoint.size
    }
}
