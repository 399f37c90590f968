#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Blobs as files of one directory.
package struct DirectoryBlobStore: BlobStore {
    private let directory: String

    /// Opens the directory, making it when it is not there, and removes what a crash left half-written.
    ///
    /// - Parameter age: in seconds, how old something half-written must be: another process may be writing it.
    package init(_ directory: String, removingOlderThan age: Int64 = 0) async throws {
        self.directory = directory
        try await BlockingThreads.run {
            try DurableFile.makeDirectory(directory)
            let now = Int64(time(nil))
            for name in try Self.names(in: directory) where name.hasPrefix(DurableFile.temporaryPrefix) {
                let written = try Self.info(name, in: directory)?.modified ?? now
                if now - written >= age { _ = unsafe unlink("\(directory)/\(name)") }
            }
        }
    }

    /// Writes a temporary file, synchronises and renames it, and synchronises the directory.
    package func write(_ name: String, _ bytes: [UInt8]) async throws {
        let path = try path(name)
        try await BlockingThreads.run { try DurableFile.write(path, bytes) }
    }

    /// Reads a file.
    package func read(_ name: String) async throws -> [UInt8]? {
        let path = try path(name)
        return try await BlockingThreads.run { try DurableFile.read(path) }
    }

    /// Removes a file and synchronises the directory.
    @discardableResult
    package func delete(_ name: String) async throws -> Bool {
        let path = try path(name)
        return try await BlockingThreads.run { [directory] in
            guard unsafe unlink(path) == 0 else {
                if errno == ENOENT { return false }
                throw StorageError.system(errno, path)
            }
            try OpenFile.synchroniseDirectory(directory)
            return true
        }
    }

    /// Asks for the size of a file.
    package func size(_ name: String) async throws -> Int64? {
        let (name, directory) = (try BlobName(name).text, directory)
        return try await BlockingThreads.run { try Self.info(name, in: directory)?.size }
    }

    /// Lists the files whose names are those of blobs.
    package func list() async throws -> [BlobInfo] {
        try await BlockingThreads.run { [directory] in
            let names = try Self.names(in: directory).filter { (try? BlobName($0)) != nil }.sorted()
            return try names.compactMap { try Self.info($0, in: directory) }
        }
    }

    private func path(_ name: String) throws(StorageError) -> String { "\(directory)/\(try BlobName(name).text)" }

    private static func info(_ name: String, in directory: String) throws(StorageError) -> BlobInfo? {
        let path = "\(directory)/\(name)"
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno, path)
        }
        #if canImport(Darwin)
            let modified = Int64(status.st_mtimespec.tv_sec)
        #else
            let modified = Int64(status.st_mtim.tv_sec)
        #endif
        return BlobInfo(name: name, size: Int64(status.st_size), modified: modified)
    }

    private static func names(in directory: String) throws(StorageError) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw .system(errno, directory) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
