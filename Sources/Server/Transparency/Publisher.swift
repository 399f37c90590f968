import Encodings
import Storage
import Transparency

/// Puts the checkpoint that may be shown in its file: of a folder or bucket that may be served as it is.
///
/// Until it is there nobody gets a receipt under it. With several processes, or with two logs in one process while its
/// key changes, a slow one may overwrite a newer checkpoint with an older. So each looks again after it has written.
actor Publisher {
    private let signer: CheckpointSigner
    private let files: LogFiles
    private let database: any Database
    private let published: Visible<LogStore.Sealed>
    /// The checkpoint that was published last.
    nonisolated var shown: LogStore.Sealed { published.value }
    /// What has just been sealed, and may be shown: the database need not be asked for it.
    private var expected: LogStore.Sealed?

    /// - Parameter published: what is in the file.
    init(signer: CheckpointSigner, files: LogFiles, database: any Database, published: Bytes?) {
        self.signer = signer
        self.files = files
        self.database = database
        self.published = Visible(
            LogStore.Sealed(size: 0, checkpoint: String(decoding: published ?? [], as: UTF8.self)))
    }

    /// Takes what the database has just taken for the newest checkpoint that may be shown.
    func expect(_ sealed: LogStore.Sealed) { expected = sealed }

    /// Publishes the newest checkpoint.
    ///
    /// - Returns: how many entries it covers.
    @discardableResult
    func publish() async throws -> UInt64 {
        // Once: what comes after it is looked for. Never back to an older one.
        let next = expected.flatMap { $0.size > shown.size ? $0 : nil }
        expected = nil
        var newest: LogStore.Sealed
        if let next { newest = next } else { newest = try await read() }
        while newest.checkpoint != shown.checkpoint {
            try await files.publish(Bytes(text: newest.checkpoint))
            published.value = newest
            newest = try await read()
        }
        published.value = newest
        return UInt64(newest.size)
    }

    private func read() async throws -> LogStore.Sealed {
        let signer = signer
        return try await database.read { try LogPolicyStore(transaction: $0).shown(signer) }
    }
}
