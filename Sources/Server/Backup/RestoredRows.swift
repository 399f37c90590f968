import Encodings
import Storage
import Synchronization

/// Hands the rows of a backup to a transaction, and holds the names of its blobs against them; a page at a time.
final class RestoredRows: Sendable {
    private let source: Mutex<BackupSource>
    private let report: BackupCheck.Report
    private let slices: [Slice]
    /// Where there is room for what has to wait.
    private let directory: String

    init(_ source: sending BackupSource, report: BackupCheck.Report, slices: [Slice], directory: String) {
        self.source = Mutex(source)
        self.report = report
        self.slices = slices
        self.directory = directory
    }

    /// Adds all rows to tables that are there and empty, and reads back what can be counted: the engine's own rules
    /// hold for the rest.
    func insert(into transaction: Transaction) throws {
        let shapes = try transaction.tables()
        guard Set(shapes.map(\.name)) == Set(report.manifest.tables.map(\.name)) else {
            throw BackupError.notRestored("the tables")
        }
        var blobs = RestoredNames(
            store: BlobColumnStore(transaction: transaction, slices: slices), time: report.about.created)
        try source.withLock { source in
            var table: RestoredTable?
            while let (header, content) = try source.part() {
                if let name = BackupTables.table(ofPart: header.name) {
                    if table?.shape.name != name {
                        try table?.finish(transaction)
                        guard let shape = shapes.first(where: { $0.name == name }) else {
                            throw BackupError.notRestored("table \(name)")
                        }
                        table = try RestoredTable(shape, directory: directory)
                    }
                    try table?.add(try BackupRows(content, name: header.name), transaction)
                } else if header.name.hasPrefix("blobs/") {
                    try blobs.add(String(header.name.dropFirst(6)))
                } else if AbsentBlobs.isPart(header.name) {
                    try blobs.add(absent: try AbsentBlobs.parse(content, name: header.name))
                }
                // With the last row of the last table all that it points to is there.
                if BackupTables.table(ofPart: header.name) == nil {
                    try table?.finish(transaction)
                    table = nil
                }
            }
            guard source.chain == report.chain else { throw BackupError.damaged("it was changed after it was checked") }
        }
        if report.about.format == 1 {
            let contents = report.manifest.contents
            try blobs.add(absent: contents.gone.first.map { ($0, false) } + contents.missing.first.map { ($0, true) })
        }
        try blobs.finish()
        for table in report.manifest.tables {
            guard let shape = shapes.first(where: { $0.name == table.name }),
                try transaction.count(shape) == table.rows
            else { throw BackupError.notRestored("table \(table.name)") }
        }
    }
}

/// A table that is being filled.
///
/// Rows that point to others of their table are added without the pointer, which is set once all rows are in. A row may
/// come before the one it points to, and a million cannot wait in memory.
private struct RestoredTable {
    let shape: TableShape
    private let pointing: Spool?
    private let own: [Int]
    private let key: [Int]

    init(_ shape: TableShape, directory: String) throws {
        self.shape = shape
        own = shape.ownReferences.compactMap { shape.columns.firstIndex(of: $0.column) }
        key = shape.key.compactMap { shape.columns.firstIndex(of: $0) }
        pointing = own.isEmpty ? nil : try Spool(in: directory)
    }

    func add(_ page: BackupRows, _ transaction: Transaction) throws {
        guard page.columns == shape.columns else { throw BackupError.notRestored("table \(shape.name)") }
        guard let pointing else { return try transaction.insert(page.rows, into: shape) }
        var rows = page.rows
        for index in rows.indices {
            let row = rows[index]
            guard own.contains(where: { row[$0] != .null }) else { continue }
            try pointing.append(try BackupRows.line((own + key).map { row[$0] }, table: shape.name))
            for column in own { rows[index][column] = .null }
        }
        try transaction.insert(rows, into: shape)
    }

    func finish(_ transaction: Transaction) throws {
        while let lines = try pointing?.next(500), !lines.isEmpty {
            for line in lines {
                guard let values = BackupRows.values(line) else {
                    throw BackupError.notRestored("table \(shape.name)")
                }
                try transaction.point(
                    Array(values[own.count...]), of: shape, to: Array(values[..<own.count]))
            }
        }
    }
}

/// Compares the names of a backup's blobs with those that its restored rows name: each is among the others, and there
/// are equally many.
private struct RestoredNames {
    let store: BlobColumnStore
    let time: Int64
    private var waiting: [String] = []
    private var count = 0
    private static let fault = BackupError.notRestored("the names of the sealed documents")

    init(store: BlobColumnStore, time: Int64) {
        self.store = store
        self.time = time
    }

    /// A blob of the backup.
    mutating func add(_ name: String) throws {
        waiting.append(name)
        if waiting.count == BlobColumnStore.page { try compare() }
    }

    /// Blobs that the backup does not have.
    mutating func add(absent: [(name: String, isMissing: Bool)]) throws {
        for blob in absent where blob.isMissing { try add(blob.name) }
        let gone = absent.filter { !$0.isMissing }.map(\.name)
        for name in gone { try store.end(name, at: time) }
        // Where rows cannot say that it is gone they go on naming it.
        if !gone.isEmpty { count += try store.names(among: gone, at: time).count }
    }

    mutating func finish() throws {
        try compare()
        var named = 0
        try store.forEachPage(at: time) { named += $0.count }
        guard named == count else { throw Self.fault }
    }

    private mutating func compare() throws {
        guard !waiting.isEmpty else { return }
        let named = try store.names(among: waiting, at: time)
        guard named.count == waiting.count else { throw Self.fault }
        count += waiting.count
        waiting = []
    }
}
