import CryptoProvider
import Encodings
import Interface
package import Transparency

/// Everything that the log holds about a member, checked.
package struct CheckedLog: Sendable {
    /// Entries in the log's order.
    package let acts: [LoggedAct]
    /// The checkpoint that all of them are in.
    package let checkpoint: Checkpoint
    /// The number of entries of the checkpoint that this wallet had seen before; 0 at the first check.
    package let previousSize: UInt64
}

extension WalletClient {
    /// Lists everything recorded about this account, verifies every receipt against the pinned log key, and checks
    /// that the log still begins as it did when this wallet last looked.
    ///
    /// - Throws: `badReceipt`, `logRewritten`, what `checkOrganisation` throws.
    package func checkLog() async throws -> CheckedLog {
        // A log policy may have changed while this wallet was open.
        try await checkOrganisation()
        let pinned = try trust()
        let entries = try await session().logged()
        var receipts: [VerifiedCheckpoint] = []
        let acts = try entries.map { entry in
            let receipt = try pinned.verify(entry.receipt, type: entry.type)
            guard receipt.index == UInt64(max(entry.index, 0)), receipt.entry.time == entry.time else {
                throw WalletError.badReceipt("it is for another entry than the one listed")
            }
            if !receipts.contains(receipt.checkpoint) { receipts.append(receipt.checkpoint) }
            return LoggedAct(type: entry.type, index: entry.index, time: entry.time, receipt: entry.receipt.proof)
        }
        let latest = try Self.verifyCheckpoint(try await server.checkpoint(), pinned)
        let previous = try wallet.secrets.checkpoint.map { try Self.checkpoint(kept: $0).size } ?? 0
        guard latest.checkpoint.size >= previous else { throw WalletError.logRewritten }
        try await remember(latest)
        var tiles = TileFetcher(server: server)
        for receipt in receipts { try await tiles.verify(latest.checkpoint, extends: receipt.checkpoint) }
        return CheckedLog(
            acts: acts.sorted { $0.index < $1.index }, checkpoint: latest.checkpoint, previousSize: previous)
    }

    private static func verifyCheckpoint(_ note: Bytes, _ pinned: PinnedTrust) throws -> VerifiedCheckpoint {
        do {
            return try VerifiedCheckpoint.verify(note, policy: pinned.policy, suite: SwiftCryptoSuite())
        } catch {
            throw WalletError.badReceipt("the log's checkpoint is refused: \(error)")
        }
    }
}
