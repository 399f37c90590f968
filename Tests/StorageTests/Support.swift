import Foundation
import Testing

@testable import Storage

/// A directory that is gone after the test.
func withDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// A database with the table `notes (id BIGINT PRIMARY KEY, text TEXT NOT NULL UNIQUE, parent BIGINT, size BIGINT)`.
func withDatabase<T>(
    queueLimit: Int = 20_000, batchLimit: Int = 1_024, _ body: (SQLiteDatabase) async throws -> T
) async throws -> T {
    try await withDirectory { directory in
        let database = try await SQLiteDatabase.open(
            "\(directory)/test.sqlite", queueLimit: queueLimit, batchLimit: batchLimit)
        try await database.migrate([notes])
        let value = try await body(database)
        try await database.close()
        return value
    }
}

let notes = Migration(
    name: "0001-notes",
    statements: [
        """
        CREATE TABLE notes (
            id BIGINT PRIMARY KEY, text TEXT NOT NULL UNIQUE, parent BIGINT REFERENCES notes (id),
            size BIGINT CHECK (size >= 0))
        """
    ])

extension Transaction {
    func insert(_ id: Int64, _ text: String? = nil, parent: SQLValue = .null, size: SQLValue = .null) throws {
        try execute(
            "INSERT INTO notes (id, text, parent, size) VALUES ($1, $2, $3, $4)",
            [.integer(id), .text(text ?? "note \(id)"), parent, size])
    }

    func identifiers() throws -> [Int64] { try rows("SELECT id FROM notes ORDER BY id").map { try $0.integer("id") } }
}

/// Runs a program to its end.
///
/// - Returns: its exit status and what it wrote.
func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

/// Waits until something is so, and leaves others the processor.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
}
