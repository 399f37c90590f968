import Testing

@testable import Storage

@Suite("Transactions") struct TransactionTests {
    @Test func `what is written is read back with its type`() async throws {
        try await withEachDatabase { database in
            try await database.migrate([
                notes,
                Migration(
                    name: "2",
                    statements: [
                        "CREATE TABLE v (i BIGINT, r DOUBLE PRECISION, t TEXT, b \(database.blobType), n TEXT)"
                    ]),
            ])
            let row = try await database.write { transaction in
                try transaction.execute(
                    "INSERT INTO v (i, r, t, b, n) VALUES ($1, $2, $3, $4, $5)",
                    [.integer(.min), .real(0.1), .text("e\u{301}\u{1F511}"), .blob([0, 255, 0]), .null])
                return try transaction.row("SELECT * FROM v")
            }
            let found = try #require(row)
            #expect(try found.integer("i") == .min)
            #expect(try found.real("r") == 0.1)
            #expect(try Array(found.text("t").utf8) == Array("e\u{301}\u{1F511}".utf8))
            #expect(try found.blob("b") == [0, 255, 0])
            #expect(try found.optionalText("n") == nil)
            #expect(throws: StorageError.wrongType(column: "n")) { try found.text("n") }
            #expect(throws: StorageError.wrongType(column: "t")) { try found.integer("t") }
            #expect(throws: StorageError.wrongType(column: "b")) { try found.optionalText("b") }
            #expect(throws: StorageError.noSuchColumn("x")) { try found.value("x") }
        }
    }

    @Test func `a closure that throws stores nothing`() async throws {
        struct Refusal: Error {}
        try await withEachDatabase { database in
            await #expect(throws: Refusal.self) {
                try await database.write { transaction in
                    try transaction.insert(1)
                    throw Refusal()
                }
            }
            let stored = try await database.read { try $0.identifiers() }
            #expect(stored == [])
        }
    }

    @Test func `a closure that hides a failed statement stores nothing either`() async throws {
        try await withEachDatabase { database in
            let error = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    try transaction.insert(1)
                    try? transaction.insert(1)
                    try? transaction.settle()
                    #expect(throws: StorageError.transactionFailed) { try transaction.insert(2) }
                }
            }
            #expect(error?.isUniqueViolation == true)
            let stored = try await database.read { try $0.identifiers() }
            #expect(stored == [])
        }
    }

    @Test func `a read cannot write`() async throws {
        try await withEachDatabase { database in
            let error = await #expect(throws: StorageError.self) { try await database.read { try $0.insert(1) } }
            guard case .readOnly = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `counts tell how many rows changed`() async throws {
        try await withEachDatabase { database in
            let counts = try await database.write { transaction in
                try transaction.insert(1)
                try transaction.insert(2)
                return [
                    try transaction.changes("UPDATE notes SET size = $1", [.integer(3)]),
                    try transaction.changes("DELETE FROM notes WHERE id = $1", [.integer(9)]),
                    try transaction.changes(
                        "INSERT INTO notes (id, text) VALUES (1, 'x') ON CONFLICT (id) DO NOTHING"),
                ]
            }
            #expect(counts == [2, 0, 0])
        }
    }

    @Test func `the first row of a returning statement comes with all of its changes`() async throws {
        try await withEachDatabase { database in
            try await database.write { transaction in
                for id in Int64(1)...3 { try transaction.insert(id) }
                let row = try transaction.row("UPDATE notes SET size = 1 RETURNING id")
                #expect(row != nil)
            }
            let sized = try await database.read { try $0.rows("SELECT id FROM notes WHERE size = 1").count }
            #expect(sized == 3)
        }
    }

    @Test func `a text that was looked through before is known as it was found`() throws {
        for _ in 0..<2 {
            #expect(throws: StorageError.self) { try SQLText.checked("SELECT ?") }
            let text = try SQLText.checked("SELECT $2, $1")
            #expect(text.placeholders == 2 && !text.isInOrder)
            #expect(throws: StorageError.self) { try text.check([.null]) }
            #expect(throws: StorageError.self) { try text.check([.null, .text("a\u{0}")]) }
        }
    }

    @Test func `placeholders are numbers, whatever their order`() async throws {
        try await withEachDatabase { database in
            let row = try await database.read {
                try $0.row("SELECT $2 AS b, $1 AS a, $2 AS c", [.integer(1), .integer(2)])
            }
            #expect(try row?.integer("a") == 1)
            #expect(try row?.integer("b") == 2)
            #expect(try row?.integer("c") == 2)
        }
    }

    @Test(arguments: [
        "COMMIT", " rollback", "BEGIN", "PRAGMA synchronous = OFF", "attach 'x' AS y", "SELECT 1; SELECT 2", "SELECT ?",
        "SELECT $0", "SELECT $1000", "SELECT $", "SELECT 'open", "", "SELECT $1", "SELECT nothing FROM nowhere",
        "SAVEPOINT x", "RELEASE one_write", "VACUUM",
    ])
    func `text outside the common subset is refused`(sql: String) async throws {
        try await withEachDatabase { database in
            let error = await #expect(throws: StorageError.self) { try await database.write { try $0.execute(sql) } }
            guard case .statement = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: [SQLValue.text("admin\0x"), .real(.nan)])
    func `values that an engine would change are refused`(value: SQLValue) async throws {
        try await withEachDatabase { database in
            let error = await #expect(throws: StorageError.self) {
                try await database.write { try $0.row("SELECT $1", [value]) }
            }
            #expect(error?.isUniqueViolation == false)
        }
    }

    @Test func `broken rules are recognised`() async throws {
        let cases: [(StorageError.Constraint, @Sendable (Transaction) throws -> Void)] = [
            (.unique, { try $0.insert(1, "other") }),
            (.unique, { try $0.insert(2, "note 1") }),
            (.foreignKey, { try $0.insert(2, parent: .integer(99)) }),
            (.check, { try $0.insert(2, size: .integer(-1)) }),
            (.notNull, { try $0.execute("INSERT INTO notes (id) VALUES (2)") }),
        ]
        try await withEachDatabase { database in
            try await database.write { try $0.insert(1, "note 1") }
            for (kind, write) in cases {
                let error = await #expect(throws: StorageError.self) { try await database.write(write) }
                guard case .constraint(let found, let detail) = error else {
                    Issue.record("\(kind): \(String(describing: error))")
                    continue
                }
                #expect(found == kind)
                #expect(!detail.contains("note 1"), "values do not belong into errors")
            }
        }
    }
}
