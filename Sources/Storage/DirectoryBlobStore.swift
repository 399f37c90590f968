#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Blobs as files of one directory; slashes in names are folders of it.
package struct DirectoryBlobStore: BlobStore {
    private let directory: String
    private let permissions: UInt16

    /// Opens the directory, making it when it is not there, and looks at nothing in it: there may be millions of files.
    ///
    /// - Parameter permissions: the mode of the files, before the process's mask.
    package init(_ directory: String, permissions: UInt16 = 0o600) async throws {
        self.directory = directory
        self.permissions = permissions
        try await BlockingThreads.run { try DurableFile.makeDirectory(directory) }
    }

    /// Removes temporary files at the directory's top, where all are made.
    package func removeUnfinished(olderThan age: Int64) async throws {
        try await BlockingThreads.run { [directory] in
            guard try Self.fileStatus(directory) != nil else { return }
            let now = Int64(time(nil))
            let names = try FileNames(of: directory)
            while let name = names.next() {
                guard name.hasPrefix(DurableFile.temporaryPrefix) else { continue }
                let written = try Self.fileStatus("\(directory)/\(name)").map(Self.modified) ?? now
                if now - written >= age { _ = unsafe unlink("\(directory)/\(name)") }
            }
        }
    }

    /// Reads the directory, and the folders in it, as far as a page goes at a time.
    package func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        let walk = DirectoryWalk(directory)
        while true {
            let page = try await BlockingThreads.run { try walk.next(Self.page) { try Self.info($0, in: $1) } }
            if page.isEmpty { return }
            try await body(page)
        }
    }

    private static let page = 1_000

    /// Looks for the files in one go.
    package func missing(among names: [String]) async throws -> [String] {
        let paths = try names.map { ($0, try path($0)) }
        return try await BlockingThreads.run {
            try paths.filter { try Self.fileStatus($0.1) == nil }.map(\.0)
        }
    }

    /// A directory that may not be there, to be read.
    init(asItIs directory: String) {
        self.directory = directory
        permissions = 0o600
    }

    /// Writes temporary files, synchronises and renames them, and synchronises their directories.
    package func write(_ blobs: [Blob]) async throws {
        let items = try blobs.map { DurableFile.Item(path: try path($0.name), bytes: $0.bytes) }
        try await BlockingThreads.run { [permissions, directory] in
            // At the top, where what a crash leaves is found without looking into every folder.
            try DurableFile.makeDirectory(directory)
            try DurableFile.write(items, permissions: permissions, temporaries: directory)
        }
    }

    /// Writes each piece while the next one comes, so that little is left for the disk when the last is there.
    package func write(_ name: String, from next: () async throws -> [UInt8]?) async throws {
        let path = try path(name)
        let file = try await BlockingThreads.run { [directory, permissions] in
            try DurableFile.makeDirectory(directory)
            try DurableFile.makeDirectory(DurableFile.directory(of: path))
            return try GrowingFile(path, permissions: permissions, temporaries: directory)
        }
        var writing: Task<Void, any Error>?
        do {
            while let piece = try await next() {
                try await writing?.value
                writing = Task { try await BlockingThreads.run { try file.write(piece) } }
            }
            try await writing?.value
            try await BlockingThreads.run { try file.finish() }
        } catch {
            _ = await writing?.result
            try await BlockingThreads.run { file.discard() }
            throw error
        }
    }

    /// Reads a file.
    package func read(_ name: String) async throws -> [UInt8]? {
        let path = try path(name)
        return try await BlockingThreads.run { try DurableFile.read(path) }
    }

    /// It does.
    package var readsPieces: Bool { true }

    /// Reads a piece of a file.
    package func read(_ name: String, from offset: Int64, count: Int) async throws -> [UInt8]? {
        let path = try path(name)
        return try await BlockingThreads.run {
            guard let file = try OpenFile.existing(path) else { return nil }
            return try file.bytes(count, at: offset)
        }
    }

    /// Reads a piece of a file to where it is sent from.
    package func read(
        _ name: String, from offset: Int64, count: Int, into buffer: PieceBuffer
    ) async throws -> Int? {
        let path = try path(name)
        return try await BlockingThreads.run {
            guard let file = try OpenFile.existing(path) else { return nil }
            return try file.fill(buffer, count, at: offset)
        }
    }

    /// Removes a file and synchronises its directory.
    @discardableResult
    package func delete(_ name: String) async throws -> Bool {
        let path = try path(name)
        return try await BlockingThreads.run {
            guard try Self.remove(path) else { return false }
            try OpenFile.synchroniseDirectory(DurableFile.directory(of: path))
            return true
        }
    }

    /// Removes a folder and the files in it; after a power cut some may be back.
    package func deleteAll(under folder: String) async throws {
        let path = try path(folder)
        try await BlockingThreads.run { [directory] in
            guard try Self.fileStatus(path) != nil else { return }
            for file in try Self.files(below: folder, in: directory) {
                _ = try Self.remove("\(directory)/\(file.name)")
            }
            guard unsafe rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY else {
                throw StorageError.system(errno, path)
            }
        }
    }

    /// Asks for the size of a file.
    package func size(_ name: String) async throws -> Int64? {
        let path = try path(name)
        return try await BlockingThreads.run { try Self.fileStatus(path).map { Int64($0.st_size) } }
    }

    /// Lists the files whose names are those of blobs; none when there is no directory.
    package func list() async throws -> [BlobInfo] {
        try await BlockingThreads.run { [directory] in
            guard try Self.fileStatus(directory) != nil else { return [] }
            return try Self.files(below: "", in: directory).sorted { $0.name < $1.name }
        }
    }

    private func path(_ name: String) throws(StorageError) -> String { "\(directory)/\(try BlobName(name).text)" }

    /// - Returns: whether there was one.
    private static func remove(_ path: String) throws(StorageError) -> Bool {
        guard unsafe unlink(path) == 0 else {
            if errno == ENOENT { return false }
            throw .system(errno, path)
        }
        return true
    }

    private static func files(below folder: String, in directory: String) throws(StorageError) -> [BlobInfo] {
        var found: [BlobInfo] = []
        for part in try names(in: folder.isEmpty ? directory : "\(directory)/\(folder)")
        where BlobName.isPart(part.utf8) {
            let name = folder.isEmpty ? part : "\(folder)/\(part)"
            guard let status = try fileStatus("\(directory)/\(name)") else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                found += try files(below: name, in: directory)
            } else {
                found.append(BlobInfo(name: name, size: Int64(status.st_size), modified: modified(status)))
            }
        }
        return found
    }

    /// `nil` when there is no such file.
    private static func fileStatus(_ path: String) throws(StorageError) -> stat? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno, path)
        }
        return status
    }

    private static func modified(_ status: stat) -> Int64 {
        #if canImport(Darwin)
            Int64(status.st_mtimespec.tv_sec)
        #else
            Int64(status.st_mtim.tv_sec)
        #endif
    }

    private static func names(in directory: String) throws(StorageError) -> [String] {
        let names = try FileNames(of: directory)
        var all: [String] = []
        while let name = names.next() { all.append(name) }
        return all
    }

    /// The kind of a name in a directory: a blob, or a folder of them; `nil` for anything else, or when it has gone.
    private static func info(_ name: String, in directory: String) throws(StorageError) -> DirectoryWalk.Found? {
        guard name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy(BlobName.isPart),
            let status = try fileStatus("\(directory)/\(name)")
        else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return .folder }
        return .blob(BlobInfo(name: name, size: Int64(status.st_size), modified: modified(status)))
    }
}
