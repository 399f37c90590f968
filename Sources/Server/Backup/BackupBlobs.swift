import Encodings
import Storage

/// Copies the blobs that a backup's rows name, while the server goes on working.
struct BackupBlobs {
    let place: DatabasePlace
    let blobs: any BlobStore
    let slices: [Slice]
    let sink: BackupSink
    /// Seconds since 1970.
    let now: Int64
    /// How many there are.
    let count: Int
    /// Those whose rows may get others, with the keys of the rows.
    let replaceable: [String: String]
    let progress: @Sendable (BackupWriter.Progress) -> Void
    private var done = 0
    /// Parts that name blobs which are not there.
    private var absences = 0

    init(
        place: DatabasePlace, blobs: any BlobStore, slices: [Slice], sink: BackupSink, now: Int64, count: Int,
        replaceable: [String: String], progress: @escaping @Sendable (BackupWriter.Progress) -> Void
    ) {
        (self.place, self.blobs, self.slices, self.sink) = (place, blobs, slices, sink)
        (self.now, self.count, self.replaceable, self.progress) = (now, count, replaceable, progress)
    }

    /// Copies all, in the order of their names.
    ///
    /// - Parameter names: of all of them, a page at a time.
    mutating func copy(_ names: Spool) async throws {
        while true {
            let page = try await BlockingThreads.run { try names.next(BlobColumnStore.page) }
                .map { String(decoding: $0, as: UTF8.self) }
            guard !page.isEmpty else { return }
            try await copy(page)
        }
    }

    private mutating func copy(_ page: [String]) async throws {
        let (sink, progress, before, count) = (sink, progress, done, count)
        var absent: [String] = []
        var copied = 0
        try await blobs.forEach(page) { name, bytes in
            if let bytes {
                try await BlockingThreads.run { try sink.add("blobs/\(name)", bytes) }
            } else {
                absent.append(name)
            }
            copied += 1
            progress(.blobs(before + copied, of: count))
        }
        done = before + copied
        if !absent.isEmpty { try await note(absent) }
    }

    /// Notes blobs that are not there: missing, or removed by their owner since the rows were read.
    ///
    /// One whose row has got another is missing: the row is not to be ended.
    private mutating func note(_ absent: [String]) async throws {
        let (slices, now) = (slices, now)
        let candidates = replaceable.filter { absent.contains($0.key) }
        // A blob's row says that it is deleted before the blob goes.
        let missing = try await place.snapshot { transaction in
            let columns = BlobColumnStore(transaction: transaction, slices: slices)
            return try columns.names(among: absent, at: now).union(columns.replaced(among: candidates, at: now))
        }
        try sink.add(
            AbsentBlobs.partName(absences), AbsentBlobs.encode(absent.map { ($0, isMissing: missing.contains($0)) }))
        absences += 1
    }
}
