import Foundation
import Testing

@testable import Storage

@Suite("Data directory") struct DataDirectoryTests {
    @Test func `it is made for this user only and holds the process`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/a/b"
            let data = try DataDirectory.open(path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            let text = try #require(try DurableFile.read(data.file("lock")))
            #expect(String(decoding: text, as: UTF8.self) == "\(getpid())\n")
        }
    }

    @Test(arguments: [0o755, 0o750, 0o701, 0o777])
    func `one that others may enter is refused, with the command that closes it`(mode: Int) async throws {
        try await withDirectory { directory in
            _ = try DataDirectory.open(directory)
            try DurableFile.write("\(directory)/keys", [1])
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: directory)
            let error = #expect(throws: StorageError.exposed(path: directory)) { try DataDirectory.open(directory) }
            #expect(error?.description.contains("'chmod 700 \(directory)'") == true)
            #expect(try files.attributesOfItem(atPath: directory)[.posixPermissions] as? Int == mode)
            try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
            _ = try DataDirectory.open(directory)
        }
    }

    @Test func `one that holds nothing yet is closed to others`() async throws {
        try await withDirectory { directory in
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
            _ = try DataDirectory.open(directory)
            #expect(try files.attributesOfItem(atPath: directory)[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `the database's files are for this user only, also those that were not`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/test.sqlite"
            func modes() throws -> [Int?] {
                try ["", "-wal", "-shm"].map {
                    try FileManager.default.attributesOfItem(atPath: path + $0)[.posixPermissions] as? Int
                }
            }
            let first = try await SQLiteDatabase.open(path)
            try await first.migrate([notes])
            #expect(try modes() == [0o600, 0o600, 0o600])
            try await first.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let second = try await SQLiteDatabase.open(path)
            _ = try await second.read { try $0.identifiers() }
            #expect(try modes() == [0o600, 0o600, 0o600])
            try await second.close()
        }
    }

    @Test func `a second one is refused until the first is gone`() async throws {
        try await withDirectory { directory in
            do {
                let data = try DataDirectory.open(directory)
                #expect(throws: StorageError.inUse(path: directory, process: getpid())) {
                    try DataDirectory.open(directory)
                }
                #expect(try run("/usr/bin/flock", ["-n", data.file("lock"), "true"]).status == 1)
            }
            let data = try DataDirectory.open(directory)
            #expect(data.path == directory)
        }
    }

    @Test func `those that share it have it together, and nobody else has`() async throws {
        try await withDirectory { directory in
            do {
                let (one, other) = (
                    try DataDirectory.open(directory, isShared: true), try DataDirectory.open(directory, isShared: true)
                )
                #expect(one.path == other.path)
                #expect(throws: StorageError.self) { try DataDirectory.open(directory) }
            }
            let alone = try DataDirectory.open(directory)
            #expect(throws: StorageError.self) { try DataDirectory.open(directory, isShared: true) }
            #expect(alone.path == directory)
        }
    }

    @Test func `of many who create a file one does, and all find it whole`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/key"
            let winners = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for number in UInt8(0)..<32 {
                    let bytes = [UInt8](repeating: number, count: 1_000)
                    group.addTask {
                        try await BlockingThreads.run { try DurableFile.create(path, bytes) ? bytes : nil }
                    }
                }
                return try await group.reduce(into: [[UInt8]]()) { if let bytes = $1 { $0.append(bytes) } }
            }
            #expect(winners.count == 1)
            #expect(try DurableFile.read(path) == winners.first)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["key"])
        }
    }

    @Test func `another process is named, with advice`() async throws {
        try await withDirectory { directory in
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            child.arguments = ["\(directory)/lock", "sh", "-c", "echo 4242 > \(directory)/lock; echo ready; read end"]
            let (input, output) = (Pipe(), Pipe())
            child.standardInput = input
            child.standardOutput = output
            try child.run()
            _ = output.fileHandleForReading.availableData
            let error = #expect(throws: StorageError.inUse(path: directory, process: 4242)) {
                try DataDirectory.open(directory)
            }
            #expect(error?.description.contains("process 4242; stop that process") == true)
            try input.fileHandleForWriting.close()
            child.waitUntilExit()
            _ = try DataDirectory.open(directory)
        }
    }

    @Test func `a path that is a file is refused`() async throws {
        try await withDirectory { directory in
            try DurableFile.write("\(directory)/file", [])
            for path in ["\(directory)/file", "\(directory)/file/below"] {
                #expect(throws: StorageError.self) { try DataDirectory.open(path) }
            }
        }
    }
}
