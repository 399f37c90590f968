/// Why a backup is not made, not believed, or not restored.
package enum BackupError: Error, Equatable {
    /// There is no organisation yet, so there is nothing to keep.
    case notSetUp
    /// The database has a value that is neither text nor a whole number, and a backup can carry only these.
    case unportable(table: String)
    /// The log in the database is not the one that was signed.
    case logDamaged(String)
    /// The file is not a backup.
    case notABackup
    /// The file is sealed, and no passphrase was given.
    case needsPassphrase
    /// The passphrase is another one, or the beginning of the file was changed.
    case wrongPassphrase
    /// The passphrase is shorter than ten bytes.
    case shortPassphrase
    /// The file was changed or cut; the words say where it was noticed.
    case damaged(String)
    /// A later version of the program made it.
    case newer(String)
    /// The backup is of another log than the key that was given.
    case otherLog(String)
    /// The log that others saw is another one than that in the backup.
    case rewritten
    /// The published log goes on behind the end of the backup, by so many entries.
    case behind(entries: UInt64)
    /// There is something where an empty place is needed.
    case notEmpty(String)
    /// The backup holds no keys, and those in the data directory are not this log's.
    case keysMissing
    /// The restored data differ from the backup; none of it was kept.
    case notRestored(String)
}

extension BackupError {
    /// Whether this is a no, rather than something that could not be told.
    package var isRefusal: Bool {
        switch self {
        case .logDamaged, .notABackup, .wrongPassphrase, .damaged, .newer, .otherLog, .rewritten, .behind, .notEmpty,
            .keysMissing:
            true
        case .notSetUp, .unportable, .needsPassphrase, .shortPassphrase, .notRestored: false
        }
    }
}

extension BackupError: CustomStringConvertible {
    /// One sentence for the operator, with advice where there is any.
    package var description: String {
        switch self {
        case .notSetUp: "the organisation is not set up yet: there is nothing to back up"
        case .unportable(let table): "table \(table) holds values other than text and whole numbers"
        case .logDamaged(let what): "the log in the database is damaged: \(what). Run 'countersign admin doctor'"
        case .notABackup: "the file is not a backup of Countersign"
        case .needsPassphrase: "the backup is sealed: give --passphrase-file"
        case .wrongPassphrase: "the passphrase is not this backup's, or the file was changed"
        case .shortPassphrase: "the passphrase needs at least 10 bytes"
        case .damaged(let place): "the backup was changed or cut (\(place)); take another one"
        case .newer(let what): "the backup was made by a newer program (\(what)); use that program"
        case .otherLog(let origin): "the backup's log is not that of the key you gave, but \(origin)"
        case .rewritten: "the newest checkpoint does not continue this backup: one of the two histories is false"
        case .behind(let entries):
            """
            the published log has \(entries) \(entries == 1 ? "entry" : "entries") that the backup lacks. Restoring it \
            loses them, and everybody who saw them will report a rewritten log, rightly. Look for a newer backup; if \
            there is none, read "After restoring" in docs/operations.md and give --accept-lost-entries
            """
        case .notEmpty(let place): "\(place) is not empty, and nothing is overwritten: restore into an empty one"
        case .keysMissing:
            "the backup holds no keys: put the folder 'keys' of this organisation into the data directory first"
        case .notRestored(let what): "what was written is not what the backup holds (\(what)); it was removed again"
        }
    }
}
