package import Encodings
package import Storage

/// What a backup is of: its first part.
package struct BackupAbout: Sendable, Equatable {
    /// The newest version of the format, which is written; every older one is read.
    static let version: Int64 = 2
    static let partName = "about.json"

    /// The version of the format.
    package var format = Self.version
    /// When the rows were read, in seconds since 1970.
    package var created: Int64
    /// The version of the program that made it.
    package var program: String
    /// The engine it was read from: `sqlite` or `postgres`; it restores into either.
    package var engine: String
    /// The organisation's name.
    package var organisation: String
    /// Its address, which a restored server must have too.
    package var publicURL: String
    /// The log's verifier key.
    package var logKey: String
    /// Whether the server's keys are in it.
    package var hasKeys: Bool
    /// What the database says it has run.
    package var migrations: [RecordedMigration]

    func encoded() -> Bytes {
        let migrations = migrations.map { migration in
            JSON.members([("digest", .text(migration.digest)), ("name", .text(migration.name))])
        }
        return JSON.members([
            ("created", .integer(created)), ("engine", .text(engine)), ("format", .text("countersign-backup")),
            ("keys", .bool(hasKeys)), ("log_key", .text(logKey)), ("migrations", .array(migrations)),
            ("organisation", .text(organisation)), ("program", .text(program)), ("public_url", .text(publicURL)),
            ("version", .integer(format)),
        ]).serialized() + [0x0A]
    }

    static func parse(_ bytes: Bytes) throws(BackupError) -> BackupAbout {
        guard let json = try? JSON.parse(bytes), json["format"]?.isString("countersign-backup") == true else {
            throw .notABackup
        }
        func text(_ name: StaticString) -> String? { json[name]?.string.map { String(decoding: $0, as: UTF8.self) } }
        guard let version = json["version"]?.integer else { throw .damaged(partName) }
        guard (1...Self.version).contains(version) else { throw .newer("format \(version)") }
        guard let created = json["created"]?.integer, let program = text("program"), let engine = text("engine"),
            let organisation = text("organisation"), let publicURL = text("public_url"),
            let logKey = text("log_key"), case .bool(let hasKeys)? = json["keys"],
            let listed = json["migrations"]?.array
        else { throw .damaged(partName) }
        var migrations: [RecordedMigration] = []
        for migration in listed {
            guard let name = migration["name"]?.string, let digest = migration["digest"]?.string else {
                throw .damaged(partName)
            }
            migrations.append(
                RecordedMigration(
                    name: String(decoding: name, as: UTF8.self), digest: String(decoding: digest, as: UTF8.self)))
        }
        return BackupAbout(
            format: version, created: created, program: program, engine: engine, organisation: organisation,
            publicURL: publicURL, logKey: logKey, hasKeys: hasKeys, migrations: migrations)
    }
}

/// A summary of a backup in a few kilobytes: the last part before its own digest.
package struct BackupManifest: Sendable, Equatable {
    static let partName = "manifest.json"
    static let digestName = "manifest.sha256"
    static let maximumLength = TarHeader.maximumSize

    /// The other parts.
    package var contents: BackupContents
    /// The tables with their number of rows, in the order in which they are written.
    package var tables: [Table]
    /// The log's tree, as far as it was signed.
    package var log: Log

    /// A table.
    package struct Table: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Its columns.
        package let columns: [String]
        /// How many rows.
        package var rows: Int64
    }

    /// The log's tree.
    package struct Log: Sendable, Equatable {
        /// How many entries the signed checkpoint covers.
        package var size: UInt64
        /// The root, 32 bytes.
        package var root: Bytes
        /// Entries that no checkpoint covers yet.
        package var waiting: UInt64
        /// Entries whose record and opening were deleted with a person.
        package var forgotten: UInt64
    }

    func encoded() -> Bytes {
        let parts = contents.parts.map { part in
            JSON.members([
                ("name", .text(part.name)), ("sha256", .string(Hex.encode(part.digest))),
                ("size", .integer(Int64(part.size))),
            ])
        }
        let tables = tables.map { table in
            JSON.members([
                ("columns", .array(table.columns.map(JSON.text))), ("name", .text(table.name)),
                ("rows", .integer(table.rows)),
            ])
        }
        return JSON.members([
            ("blobs", .integer(contents.blobs)), ("bytes", .integer(contents.bytes)),
            ("gone_blobs", Self.encoded(contents.gone)), ("keys", .array(contents.keys.map(JSON.text))),
            ("lists", .integer(Int64(contents.listCount))),
            (
                "log",
                .members([
                    ("forgotten", .integer(Int64(log.forgotten))), ("root", .string(Hex.encode(log.root))),
                    ("size", .integer(Int64(log.size))), ("waiting", .integer(Int64(log.waiting))),
                ])
            ), ("missing_blobs", Self.encoded(contents.missing)), ("parts", .array(parts)),
            ("tables", .array(tables)),
        ]).serialized() + [0x0A]
    }

    private static func encoded(_ names: BackupNames) -> JSON {
        .members([("count", .integer(names.count)), ("first", .array(names.first.map(JSON.text)))])
    }

    /// - Parameter format: the version of the backup that it is in.
    static func parse(_ bytes: Bytes, format: Int64 = BackupAbout.version) throws(BackupError) -> BackupManifest {
        let fault = BackupError.damaged(partName)
        // In version 1 it has four values for each blob.
        let count = format == 1 ? maximumLength / 32 : 1 << 17
        guard let json = try? JSON.parse(bytes, maximumLength: maximumLength, maximumCount: count),
            let tables = json["tables"]?.array,
            let log = json["log"], let size = log["size"]?.integer, let waiting = log["waiting"]?.integer,
            let forgotten = log["forgotten"]?.integer, let root = log["root"]?.string.flatMap(Hex.decode), size >= 0,
            waiting >= 0, forgotten >= 0
        else { throw fault }
        var manifest = BackupManifest(
            contents: format == 1 ? try oldContents(json) : try contents(json), tables: [],
            log: Log(size: UInt64(size), root: root, waiting: UInt64(waiting), forgotten: UInt64(forgotten)))
        for table in tables {
            guard let name = table["name"]?.string, let rows = table["rows"]?.integer else { throw fault }
            manifest.tables.append(
                Table(name: String(decoding: name, as: UTF8.self), columns: try names(table["columns"]), rows: rows))
        }
        return manifest
    }

    private static func contents(_ json: JSON) throws(BackupError) -> BackupContents {
        func absent(_ json: JSON?) throws(BackupError) -> BackupNames {
            guard let count = json?["count"]?.integer else { throw .damaged(partName) }
            return BackupNames(count: count, first: try names(json?["first"]))
        }
        guard let blobs = json["blobs"]?.integer, let bytes = json["bytes"]?.integer,
            let lists = json["lists"]?.integer
        else { throw .damaged(partName) }
        return BackupContents(
            parts: try parts(json), blobs: blobs, bytes: bytes, keys: try names(json["keys"]), lists: Int(lists),
            gone: try absent(json["gone_blobs"]), missing: try absent(json["missing_blobs"]))
    }

    private static func oldContents(_ json: JSON) throws(BackupError) -> BackupContents {
        BackupContents(
            parts: try parts(json), gone: try names(json["gone_blobs"]), missing: try names(json["missing_blobs"]))
    }

    private static func parts(_ json: JSON) throws(BackupError) -> [BackupPart] {
        guard let listed = json["parts"]?.array else { throw .damaged(partName) }
        var parts: [BackupPart] = []
        for part in listed {
            guard let name = part["name"]?.string, let size = part["size"]?.integer,
                let digest = part["sha256"]?.string.flatMap(Hex.decode)
            else { throw .damaged(partName) }
            parts.append(BackupPart(name: String(decoding: name, as: UTF8.self), size: Int(size), digest: digest))
        }
        return parts
    }

    private static func names(_ json: JSON?) throws(BackupError) -> [String] {
        guard let values = json?.array else { throw .damaged(partName) }
        return values.map { String(decoding: $0.string ?? [], as: UTF8.self) }
    }
}
