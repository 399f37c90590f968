import Encodings
import Storage
import Transparency

/// The memory of a witness: the newest checkpoint that it signed for each log, and proofs that a log has two histories.
struct WitnessStore {
    let transaction: Transaction

    /// What was signed last for a log.
    struct Cosigned: Sendable {
        var origin: String
        var size: Int64
        /// 32 bytes, base64.
        var root: String
        /// The log's signed note.
        var note: String
        /// When, in seconds since 1970.
        var time: Int64
    }

    /// The name that this witness has had since its first start.
    func name() throws -> String? {
        try transaction.row("SELECT name FROM witness WHERE id = 1", [])?.text("name")
    }

    func setName(_ name: String) throws {
        try transaction.execute("INSERT INTO witness (id, name) VALUES (1, $1)", [.text(name)])
    }

    func find(origin: String) throws -> Cosigned? {
        try transaction.row(
            "SELECT origin, size, root, note, time FROM cosigned WHERE origin = $1", [.text(origin)]
        ).map(Self.cosigned)
    }

    func list() throws -> [Cosigned] {
        try transaction.rows("SELECT origin, size, root, note, time FROM cosigned ORDER BY origin", [])
            .map(Self.cosigned)
    }

    /// Replaces the last checkpoint with a new one.
    func save(_ cosigned: Cosigned) throws {
        try transaction.execute(
            """
            INSERT INTO cosigned (origin, size, root, note, time) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (origin) DO UPDATE SET size = $2, root = $3, note = $4, time = $5
            """,
            [
                .text(cosigned.origin), .integer(cosigned.size), .text(cosigned.root), .text(cosigned.note),
                .integer(cosigned.time),
            ])
    }

    /// Keeps two notes that a log has signed and that cannot both be true, once for each wrong tree.
    ///
    /// The most proofs for one log: one is enough.
    func keep(_ shown: Cosigned, against kept: Cosigned, limit: Int64) throws {
        let count = try transaction.row(
            "SELECT COUNT(*) AS total FROM contradictions WHERE origin = $1", [.text(shown.origin)]
        )?.integer("total")
        guard (count ?? 0) < limit else { return }
        try transaction.execute(
            """
            INSERT INTO contradictions (origin, size, root, kept, shown, time) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (origin, size, root) DO NOTHING
            """,
            [
                .text(shown.origin), .integer(shown.size), .text(shown.root), .text(kept.note), .text(shown.note),
                .integer(shown.time),
            ])
    }

    /// The proofs that were kept: two notes each, and when the second was seen.
    func contradictions() throws -> [(origin: String, kept: String, shown: String, time: Int64)] {
        try transaction.rows(
            "SELECT origin, kept, shown, time FROM contradictions ORDER BY origin, time, size", []
        ).map {
            (try $0.text("origin"), try $0.text("kept"), try $0.text("shown"), try $0.integer("time"))
        }
    }

    private static func cosigned(_ row: Row) throws -> Cosigned {
        Cosigned(
            origin: try row.text("origin"), size: try row.integer("size"), root: try row.text("root"),
            note: try row.text("note"), time: try row.integer("time"))
    }
}

extension WitnessStore.Cosigned {
    init(_ request: WitnessRequest, time: Int64) {
        let checkpoint = request.checkpoint
        self.init(
            origin: String(decoding: checkpoint.origin, as: UTF8.self), size: Int64(checkpoint.size),
            root: String(decoding: Base64.encode(checkpoint.root, .standard), as: UTF8.self),
            note: String(decoding: request.note, as: UTF8.self), time: time)
    }

    /// The tree head that was signed.
    func checkpoint() throws -> Checkpoint {
        guard let root = Base64.decode(Bytes(text: root), .standard), size >= 0 else {
            throw StoredValueError(column: "cosigned.root")
        }
        return try Checkpoint(origin: Bytes(text: origin), size: UInt64(size), root: root)
    }
}
