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
        let now = deployment.now
        // Files first: a blob is there before its row.
        let blobs = deployment.stores.blobs
        let present = try await blobs.list()
        let named = try await deployment.place.snapshot {
            try BlobColumnStore(transaction: $0, slices: deployment.slices).names(at: now)
        }
        var missing = named.subtracting(present.map(\.name))
        for name in missing where try await blobs.exists(name) { missing.remove(name) }
        let orphans = present.filter { !named.contains($0.name) && now - $0.modified > Self.young }
        var findings: [Finding] = []
        if !missing.isEmpty {
            let first = missing.sorted().prefix(3).joined(separator: ", ")
            findings.append(
                bad("\(missing.count) are missing (\(first)…)", "copy them from a backup: tar xf BACKUP blobs/NAME"))
        }
        if !orphans.isEmpty {
            findings.append(
                warning("\(orphans.count) files belong to no row", "the server removes them within a day"))
        }
        return findings.isEmpty ? [good("\(named.count), all there")] : findings
    }
}
