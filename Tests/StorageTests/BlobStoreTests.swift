import Foundation
import NIOCore
import Testing

@testable import Storage

@Suite("Blobs and files") struct BlobStoreTests {
    @Test(arguments: StoreKind.present)
    func `a blob is written, read, listed and deleted`(kind: StoreKind) async throws {
        try await kind.run { store in
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
            if kind != .memory {
                #expect(listed.allSatisfy { abs($0.modified - Int64(Date().timeIntervalSince1970)) < 600 })
            }
            #expect(try await store.delete("a"))
            #expect(try await !store.delete("a"))
            #expect(try await store.read("a") == nil)
        }
    }

    private struct Refusal: Error {}

    @Test(arguments: StoreKind.present)
    func `a blob that comes in pieces is there with the last of them, or nothing is`(kind: StoreKind) async throws {
        let pieces = (0..<5).map { [UInt8](repeating: UInt8($0), count: 1_000_000 + $0) } + [[9]]
        try await kind.run { store in
            var rest = pieces[...]
            try await store.write("folder/a") {
                let listed = try await store.list()
                #expect(listed.isEmpty)
                return rest.popFirst()
            }
            #expect(try await store.read("folder/a") == Array(pieces.joined()))
            try await store.write("empty") { nil }
            #expect(try await store.read("empty") == [])
            for count in [0, 1, 3] {
                rest = pieces[..<count]
                await #expect(throws: Refusal.self) {
                    try await store.write("b") {
                        guard let piece = rest.popFirst() else { throw Refusal() }
                        return piece
                    }
                }
            }
            #expect(try await store.list().map(\.name) == ["empty", "folder/a"])
        }
    }

    @Test func `of a blob whose pieces stop coming no file stays`() async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore(directory)
            var rest = [[UInt8](repeating: 1, count: 3 << 20), [2]][...]
            await #expect(throws: Refusal.self) {
                try await store.write("a") {
                    guard let piece = rest.popFirst() else { throw Refusal() }
                    return piece
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }

    @Test func `a file that is removed while others look for it is there or not`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/a"
            let store = try await DirectoryBlobStore(directory)
            let coming = Task.detached {
                while !Task.isCancelled {
                    try DurableFile.create(path, [1, 2, 3])
                    try DurableFile.remove(path)
                    await Task.yield()
                }
            }
            // An error would be that somebody removed it after it was found.
            var outcome: Result<Void, any Error> = .success(())
            do {
                for _ in 0..<20_000 {
                    if let bytes = try DurableFile.read(path) { try #require(bytes == [1, 2, 3]) }
                }
                for _ in 0..<5_000 {
                    if let bytes = try await store.read("a", from: 1, count: 1) { try #require(bytes == [2]) }
                }
            } catch {
                outcome = .failure(error)
            }
            coming.cancel()
            try await coming.value
            try outcome.get()
        }
    }

    @Test func `a file that several destroy at once is gone for all of them`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/key"
            for _ in 0..<200 {
                try DurableFile.write(path, [1, 2, 3])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await BlockingThreads.run { try DurableFile.destroy(path) } }
                    }
                    try await group.waitForAll()
                }
                #expect(try DurableFile.read(path) == nil)
            }
        }
    }

    @Test(arguments: StoreKind.present)
    func `many blobs are written at once, listed in order and deleted together`(kind: StoreKind) async throws {
        try await kind.run { store in
            let blobs = (0..<30).map {
                Blob(name: "tile/\($0 % 3)/x\($0).p/7", bytes: [UInt8($0)], serving: .immutable)
            }
            let others = ["checkpoint", "tile/1.p", "tile/10/a", "tile-1"].map { Blob(name: $0, bytes: [1]) }
            try await store.write(blobs + others)
            for blob in blobs + others { #expect(try await store.read(blob.name) == blob.bytes) }
            #expect(try await store.list().map(\.name) == (blobs + others).map(\.name).sorted())
            try await store.deleteAll(under: "tile/1")
            try await store.deleteAll(under: "nothing")
            let left = (blobs.filter { !$0.name.hasPrefix("tile/1/") } + others).map(\.name).sorted()
            #expect(try await store.list().map(\.name) == left)
            try await store.write([])
        }
    }

    @Test(arguments: StoreKind.present)
    func `a store says which of some names it lacks, and whether it has any`(kind: StoreKind) async throws {
        try await kind.run { store in
            #expect(try await store.isEmpty())
            #expect(try await store.missing(among: ["a", "b/c"]) == ["a", "b/c"])
            let names = (0..<40).map { "n\($0)" } + ["b/c", "z"]
            try await store.write(names.map { Blob(name: $0, bytes: [1]) })
            #expect(try await !store.isEmpty())
            #expect(try await store.missing(among: []) == [])
            #expect(try await store.missing(among: names) == [])
            #expect(try await store.missing(among: ["b/c", "c"]) == ["c"])
            let lacking = ["zz", "n100", "a", "n5", "n12x", "n39"]
            #expect(try await store.missing(among: lacking) == ["zz", "n100", "a", "n12x"])
            await #expect(throws: StorageError.invalidName) { try await store.missing(among: ["n1", "../n1"]) }
        }
    }

    @Test(
        arguments: StoreKind.present,
        [
            "", ".", "..", "../a", "a//b", "a/", "/a", "a/../b", "a/.b", "/etc/passwd", ".tmp-1", "a b", "a\0", "ä",
            "a\n",
            "%2e%2e", "a\\b", String(repeating: "a", count: 129), String(repeating: "a/", count: 256) + "a",
        ])
    func `names that could mean another file are refused`(kind: StoreKind, name: String) async throws {
        try await kind.run { store in
            await #expect(throws: StorageError.invalidName) { try await store.write(name, [1]) }
            await #expect(throws: StorageError.invalidName) { try await store.read(name) }
            await #expect(throws: StorageError.invalidName) { try await store.delete(name) }
            await #expect(throws: StorageError.invalidName) { try await store.deleteAll(under: name) }
            await #expect(throws: StorageError.invalidName) { try await store.size(name) }
            let left = try await store.list()
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: StoreKind.present)
    func `readers see the old or the new and never a part`(kind: StoreKind) async throws {
        try await kind.run { store in
            try await store.write("a", [UInt8](repeating: 0, count: 300_000))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in UInt8(1)...4 {
                    group.addTask {
                        for _ in 0..<10 { try await store.write("a", [UInt8](repeating: writer, count: 300_000)) }
                    }
                    group.addTask {
                        for _ in 0..<20 {
                            let bytes = try #require(try await store.read("a"))
                            #expect(bytes == [UInt8](repeating: try #require(bytes.first), count: 300_000))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.list().map(\.name) == ["a"])
        }
    }

    @Test(arguments: StoreKind.present)
    func `a piece of a blob is read, and no more than there is`(kind: StoreKind) async throws {
        try await kind.run { store in
            try await store.write("a/b", Array(0...255))
            #expect(try await store.read("a/b", from: 0, count: 3) == [0, 1, 2])
            #expect(try await store.read("a/b", from: 250, count: 100) == Array(250...255))
            #expect(try await store.read("a/b", from: 256, count: 1) == [])
            #expect(try await store.read("a/c", from: 0, count: 1) == nil)
            await #expect(throws: StorageError.invalidName) { try await store.read("../a", from: 0, count: 1) }
        }
    }

    @Test(arguments: StoreKind.present)
    func `a piece is read into memory, and stays as it is while somebody has it`(kind: StoreKind) async throws {
        try await kind.run { store in
            try await store.write("a/b", Array(0...255))
            let buffer = PieceBuffer()
            #expect(try await store.read("a/b", from: 0, count: 3, into: buffer) == 3)
            let first = buffer.bytes
            #expect(try await store.read("a/b", from: 250, count: 100, into: buffer) == 6)
            #expect(Array(buffer: first) == [0, 1, 2])
            #expect(Array(buffer: buffer.bytes) == Array(250...255))
            #expect(try await store.read("a/c", from: 0, count: 1, into: buffer) == nil)
            #expect(Array(buffer: buffer.take()) == Array(250...255))
            #expect(Array(buffer: buffer.bytes) == [])
            #expect(try await store.read("a/b", from: 256, count: 1, into: buffer) == 0)
            #expect(Array(buffer: buffer.bytes) == [])
            await #expect(throws: StorageError.invalidName) {
                try await store.read("../a", from: 0, count: 1, into: buffer)
            }
        }
    }

    @Test func `memory takes the next piece once nobody has the one before it`() async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore("\(directory)/blobs")
            try await store.write("a", [UInt8](repeating: 7, count: 100_000))
            let buffer = PieceBuffer()
            var places: [UInt] = []
            for _ in 0..<3 {
                #expect(try await store.read("a", from: 0, count: 100_000, into: buffer) == 100_000)
                places.append(Self.place(of: buffer.bytes))
            }
            #expect(Set(places).count == 1)
            let held = buffer.bytes
            #expect(try await store.read("a", from: 0, count: 100_000, into: buffer) == 100_000)
            #expect(Self.place(of: buffer.bytes) != Self.place(of: held))
        }
    }

    private static func place(of bytes: ByteBuffer) -> UInt {
        unsafe bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func `a file that is destroyed or replaced is overwritten where it was`() async throws {
        try await withDirectory { directory in
            let (path, other) = ("\(directory)/key", "\(directory)/other")
            for destroys in [true, false] {
                let secret = [UInt8](repeating: 7, count: 64)
                try DurableFile.write(path, secret)
                // Another name of the same bytes on the disk.
                try FileManager.default.linkItem(atPath: path, toPath: other)
                if destroys { try DurableFile.destroy(path) } else { try DurableFile.replace(path, [1]) }
                #expect(try DurableFile.read(path) == (destroys ? nil : [1]))
                let left = try #require(try DurableFile.read(other))
                #expect(left.count == 64 && left != secret)
                try DurableFile.remove(other)
            }
            try DurableFile.destroy("\(directory)/nothing")
            try DurableFile.replace("\(directory)/new", [2])
            #expect(try DurableFile.read("\(directory)/new") == [2])
        }
    }

    @Test func `temporary files are where they are wanted`() async throws {
        try await withDirectory { directory in
            let items = [DurableFile.Item(path: "\(directory)/a/b", bytes: [1])]
            #expect(throws: StorageError.self) {
                try DurableFile.write(items, temporaries: "\(directory)/nowhere")
            }
            try DurableFile.write(items, temporaries: directory)
            #expect(try DurableFile.read("\(directory)/a/b") == [1])
            #expect(try FileManager.default.subpathsOfDirectory(atPath: directory).sorted() == ["a", "a/b"])
        }
    }

    @Test func `writing leaves no temporary files, and files are for their owner`() async throws {
        try await withDirectory { directory in
            let store = try await DirectoryBlobStore(directory)
            try await store.write([Blob(name: "a", bytes: [1]), Blob(name: "b/c", bytes: [1])])
            #expect(try FileManager.default.subpathsOfDirectory(atPath: directory).sorted() == ["a", "b", "b/c"])
            let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/b/c")[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `what a crash left half-written is no blob, and is removed when it is old`() async throws {
        try await withDirectory { directory in
            try Data([1]).write(to: URL(fileURLWithPath: "\(directory)/.tmp-crash"))
            let store = try await DirectoryBlobStore(directory)
            #expect(try await store.list() == [])
            try await store.removeUnfinished(olderThan: 3_600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [".tmp-crash"])
            try await store.removeUnfinished(olderThan: 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }

    @Test(arguments: StoreKind.present)
    func `pages hold every blob once, in folders too`(kind: StoreKind) async throws {
        try await kind.run { store in
            // Stores far away give pages of their own; to fill one of theirs takes minutes.
            let count = kind == .folder ? 2_300 : 30
            let names = (0..<count).map { "\($0 % 3)/n\($0)" } + ["top"]
            try await store.write(names.map { Blob(name: $0, bytes: [1]) })
            var pages: [[BlobInfo]] = []
            try await store.forEachPage { pages.append($0) }
            #expect(pages.flatMap { $0.map(\.name) }.sorted() == names.sorted())
            #expect(pages.allSatisfy { $0.count <= 1_000 } && pages.count > count / 1_000)
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
