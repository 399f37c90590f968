import Foundation
import Testing

@testable import Storage

@Suite("Blobs and files") struct BlobStoreTests {
    @Test func `a blob is written, read, listed and deleted`() async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore("\(directory)/blobs")
            #expect(try await store.read("a") == nil)
            #expect(try await !store.exists("a"))
            try await store.write("b.2", [])
            try await store.write("a", Array(0...255))
            #expect(try await store.read("a") == Array(0...255))
            #expect(try await store.size("a") == 256)
            try await store.write("a", [1])
            #expect(try await store.read("a") == [1])
            let listed = try await store.list()
            #expect(listed.map(\.name) == ["a", "b.2"])
            #expect(listed.map(\.size) == [1, 0])
            #expect(listed.allSatisfy { abs($0.modified - Int64(Date().timeIntervalSince1970)) < 600 })
            #expect(try await store.delete("a"))
            #expect(try await !store.delete("a"))
            #expect(try await store.read("a") == nil)
        }
    }

    @Test(arguments: [
        "", ".", "..", "../a", "a/b", "/etc/passwd", ".tmp-1", "a b", "a\0", "ä", "a\n", "%2e%2e",
        String(repeating: "a", count: 129),
    ])
    func `names that could mean another file are refused`(name: String) async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore(directory)
            await #expect(throws: StorageError.invalidName) { try await store.write(name, [1]) }
            await #expect(throws: StorageError.invalidName) { try await store.read(name) }
            await #expect(throws: StorageError.invalidName) { try await store.delete(name) }
            await #expect(throws: StorageError.invalidName) { try await store.size(name) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }

    @Test func `readers see the old or the new and never a part`() async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore(directory)
            try await store.write("a", [UInt8](repeating: 0, count: 300_000))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in UInt8(1)...4 {
                    group.addTask {
                        for _ in 0..<10 { try await store.write("a", [UInt8](repeating: writer, count: 300_000)) }
                    }
                    group.addTask {
                        for _ in 0..<20 {
                            let bytes = try #require(try await store.read("a"))
                            #expect(bytes.count == 300_000)
                            #expect(Set(bytes).count == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["a"])
        }
    }

    @Test func `what a crash left half-written is removed at the next start`() async throws {
        try await withDirectory { directory in
            try Data([1]).write(to: URL(fileURLWithPath: "\(directory)/.tmp-crash"))
            let store = try await DirectoryBlobStore(directory)
            #expect(try await store.list() == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }

    @Test func `a store needs a directory`() async throws {
        try await withDirectory { directory in
            try DurableFile.write("\(directory)/file", [])
            await #expect(throws: StorageError.self) { try await DirectoryBlobStore("\(directory)/file") }
        }
    }

    @Test func `many files are written with their directories`() async throws {
        try await withDirectory { directory in
            let items = (0..<40).map { index in
                DurableFile.Item(path: "\(directory)/tile/0/x00\(index % 3)/\(index)", bytes: [UInt8(index)])
            }
            try DurableFile.write(items)
            try DurableFile.write(items)
            for item in items { #expect(try DurableFile.read(item.path) == item.bytes) }
            let mode = try FileManager.default.attributesOfItem(atPath: items[0].path)[.posixPermissions] as? Int
            #expect((mode ?? 0) & 0o600 == 0o600)
        }
    }

    @Test func `a batch that fails leaves no temporary files`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: "\(directory)/taken/x", withIntermediateDirectories: true)
            let items = ["one", "taken", "two"].map { DurableFile.Item(path: "\(directory)/\($0)", bytes: [1]) }
            #expect(throws: StorageError.self) { try DurableFile.write(items) }
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(!left.contains { $0.hasPrefix(".tmp") })
            #expect(throws: StorageError.self) { try DurableFile.write("\(directory)/taken", [1]) }
            #expect(throws: StorageError.self) { try DurableFile.write("\(directory)/missing/a", [1]) }
        }
    }

    @Test func `a full disk is told from other errors`() throws {
        let file = try OpenFile("/dev/full", O_WRONLY)
        #expect(throws: StorageError.full) { try file.writeAll([1, 2, 3]) }
    }

    @Test(arguments: [("a", "."), ("/a", "/"), ("a/b", "a"), ("/a/b/", "/a"), ("/", "/")])
    func `the directory of a path`(path: String, directory: String) {
        #expect(DurableFile.directory(of: path) == directory)
    }
}
