import Storage

/// The database: it opens, its schema is the program's, and its own checks find nothing.
struct DatabaseCheck: DoctorCheck {
    let name = "database"

    func run(_ deployment: Deployment) async throws -> [Finding] {
        let (recorded, faults) = try await deployment.place.snapshot { transaction in
            (try transaction.recordedMigrations(), try transaction.faults())
        }
        var findings = faults.map { bad($0, "stop the server, keep a copy of everything, and restore a backup") }
        let ours = deployment.slices.histories
        if recorded.isEmpty {
            findings.append(warning("the database is empty", "start the server once, or restore a backup"))
        } else if (try? ours.match(recorded)) == nil {
            findings.append(bad("a newer program has written it", "use that program"))
        } else if recorded.count < ours.steps {
            findings.append(
                warning("\(ours.steps - recorded.count) migrations are missing", "the server's next start runs them"))
        }
        return findings.isEmpty
            ? [good("\(deployment.place.engine), sound, \(ours.steps) migrations of \(ours.count) slices")] : findings
    }
}

/// The log's clock: entries from the future mean that the clock was wrong then, or is now.
struct ClockCheck: DoctorCheck {
    let name = "clock"
    private static let tolerance: Int64 = 120

    func run(_ deployment: Deployment) async throws -> [Finding] {
        let last = try await deployment.place.snapshot { transaction -> Int64? in
            let store = LogStore(transaction: transaction)
            let count = try store.count()
            return count > 0 ? try store.find(position: count - 1)?.time : nil
        }
        guard let last, last > deployment.now + Self.tolerance else {
            return [good("not behind the log's newest entry")]
        }
        return [
            bad(
                "the log's newest entry is \(last - deployment.now) seconds ahead of this clock",
                "set the clock (NTP); signatures with a wrong time are refused by others")
        ]
    }
}

/// The sealed documents: each that a row names is there, and none is that no row names.
struct BlobCheck: DoctorCheck {
    let name = "documents"
    /// Seconds: an act that is under way stores its blob before its row.
    private static let young: Int64 = 3_600

    func run(_ deployment: Deployment) async throws -> [Finding] {
        var findings: [Finding] = []
        let (named, missing) = try await missing(deployment)
        if missing.count > 0 {
            let first = missing.first.prefix(3).joined(separator: ", ")
            findings.append(
                bad("\(missing.count) are missing (\(first)…)", "copy them from a backup: tar xf BACKUP blobs/NAME"))
        }
        let orphans = try await orphans(deployment)
        if orphans > 0 {
            findings.append(warning("\(orphans) files belong to no row", "the server removes them within a day"))
        }
        return findings.isEmpty ? [good("\(named), all there")] : findings
    }

    /// How many rows name, and which of them are not there; a page of names at a time.
    private func missing(_ deployment: Deployment) async throws -> (named: Int, missing: BackupNames) {
        let (now, slices) = (deployment.now, deployment.slices)
        var (named, missing, last) = (0, BackupNames(), "")
        while true {
            let after = last
            // Rows first: a blob is there before its row.
            let page = try await deployment.place.snapshot {
                try BlobColumnStore(transaction: $0, slices: slices).names(after: after, at: now)
            }
            guard let end = page.last else { return (named, missing) }
            (named, last) = (named + page.count, end)
            let absent = try await deployment.stores.blobs.missing(among: page)
            guard !absent.isEmpty else { continue }
            // A blob's row says that it is deleted before the blob goes.
            let still = try await deployment.place.snapshot {
                try BlobColumnStore(transaction: $0, slices: slices).names(among: absent, at: now)
            }
            for name in absent where still.contains(name) { missing.add(name) }
        }
    }

    /// How many blobs no row names; a page of the store at a time.
    private func orphans(_ deployment: Deployment) async throws -> Int {
        let (now, slices) = (deployment.now, deployment.slices)
        var count = 0
        try await deployment.stores.blobs.forEachPage { page in
            let old = page.filter { now - $0.modified > Self.young }.map(\.name)
            guard !old.isEmpty else { return }
            let named = try await deployment.place.snapshot {
                try BlobColumnStore(transaction: $0, slices: slices).names(among: old, at: now)
            }
            count += old.count { !named.contains($0) }
        }
        return count
    }
}
