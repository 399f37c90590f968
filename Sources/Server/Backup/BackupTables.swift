import CryptoProvider
import Encodings
import Storage

/// The tables inside a backup: all are copied alike, and of a few it is known what they mean.
enum BackupTables {
    /// The log's entries.
    static let log = "log_entries"
    /// The signed part of the log.
    static let logState = "log_state"

    /// The order of writing: what was signed comes before the entries that are held against it; else as given.
    static func ordered(_ tables: [TableShape]) -> [TableShape] {
        tables.filter { $0.name == logState } + tables.filter { $0.name != logState }
    }

    /// The name of a part.
    static func partName(_ table: String, _ number: Int) -> String { "tables/\(table)/\(digits(number))" }

    /// A number in six digits, or more where it needs them.
    static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    }

    /// The table whose rows a part holds.
    static func table(ofPart name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "tables" else { return nil }
        return String(parts[1])
    }
}

extension BackupPart {
    /// Whether a part of this name belongs into a backup: what is written is chosen by these names.
    static func isWanted(_ name: String, in about: BackupAbout) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return false }
        switch parts[0] {
        case "tables":
            return parts.count == 3 && isPlain(parts[1]) && parts[2].utf8.count >= 6
                && parts[2].utf8.allSatisfy { (0x30...0x39).contains($0) }
        case "keys": return about.hasKeys && parts.count == 2 && isPlain(parts[1])
        case "blobs": return parts.dropFirst().allSatisfy(isPlain)
        case "lists", "absent": return about.format > 1 && parts.count == 2 && isPlain(parts[1])
        default: return false
        }
    }

    /// Letters, digits, dot, hyphen and underscore; not hidden, and never a way upwards.
    static func isPlain(_ name: some StringProtocol) -> Bool {
        (1...128).contains(name.utf8.count) && !name.utf8.starts(with: [UInt8(ascii: ".")])
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension BackupRows {
    /// The rows of the log's table.
    func logEntries() throws(BackupError) -> [LogStore.Stored] {
        var entries: [LogStore.Stored] = []
        for row in rows {
            guard let position = integer("position", row), let type = text("type", row),
                let time = integer("time", row), let entry = text("entry", row), let opening = text("opening", row),
                let record = text("record", row)
            else { throw .damaged("table \(BackupTables.log)") }
            entries.append(
                LogStore.Stored(
                    position: position, type: type, time: time, entry: entry, opening: opening, record: record))
        }
        return entries
    }

    /// The row of what was signed.
    func sealed() throws(BackupError) -> LogStore.Sealed {
        guard rows.count == 1, let size = integer("size", rows[0]), let note = text("checkpoint", rows[0]) else {
            throw .damaged("table \(BackupTables.logState)")
        }
        return LogStore.Sealed(size: size, checkpoint: note)
    }
}

extension BackupManifest {
    /// The last part: the digest of this manifest, as `sha256sum` writes it.
    static func digestLine(_ manifest: Bytes) -> Bytes {
        Hex.encode(SwiftCryptoSuite().sha256(manifest)) + Bytes(text: "  \(partName)\n")
    }
}
