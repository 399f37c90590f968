#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that are there whole or not at all, and stay after a power cut.
///
/// The bytes go into a temporary file in the same directory, which is synchronised and renamed; then the directory is
/// synchronised. These functions wait for the disk: from asynchronous code call them through ``BlockingThreads``.
package enum DurableFile {
    /// Temporary files begin with this; what is left of a crash may be removed.
    package static let temporaryPrefix = ".tmp-"

    /// A file to be written.
    package struct Item: Sendable {
        let path: String
        let bytes: [UInt8]

        /// A file to be written.
        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Writes or replaces a file in a directory that exists.
    ///
    /// - Parameter permissions: the file's mode, before the process's mask.
    package static func write(
        _ path: String, _ bytes: [UInt8], permissions: UInt16 = 0o600
    ) throws(StorageError) {
        let temporary = try writeTemporary(Item(path: path, bytes: bytes), mode_t(permissions))
        try move(temporary, path)
        try OpenFile.synchroniseDirectory(directory(of: path))
    }

    /// Writes a file unless there is one: of many processes that do, one writes it, and all find it whole.
    ///
    /// - Returns: whether it was this call.
    @discardableResult
    package static func create(
        _ path: String, _ bytes: [UInt8], permissions: UInt16 = 0o600
    ) throws(StorageError) -> Bool {
        let temporary = try writeTemporary(Item(path: path, bytes: bytes), mode_t(permissions))
        let result = unsafe link(temporary, path)
        let number = errno
        unsafe unlink(temporary)
        guard result == 0 || number == EEXIST else { throw .system(number, path) }
        try OpenFile.synchroniseDirectory(directory(of: path))
        return result == 0
    }

    /// Writes or replaces many files, making their directories, and synchronises each directory once.
    ///
    /// After a crash some may be there and others not: what refers to them is written afterwards.
    ///
    /// - Parameter temporaries: the directory of the temporary files, on the same file system; that of each file, if `nil`.
    package static func write(
        _ items: [Item], permissions: UInt16 = 0o644, temporaries place: String? = nil
    ) throws(StorageError) {
        var directories: [String] = []
        for item in items where !directories.contains(directory(of: item.path)) {
            directories.append(directory(of: item.path))
        }
        for directory in directories { try makeDirectory(directory) }
        var temporaries: [String] = []
        do throws(StorageError) {
            for item in items { temporaries.append(try writeTemporary(item, mode_t(permissions), in: place)) }
            for (item, temporary) in zip(items, temporaries) { try move(temporary, item.path) }
        } catch {
            for temporary in temporaries { unsafe unlink(temporary) }
            throw error
        }
        for directory in directories { try OpenFile.synchroniseDirectory(directory) }
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// Its name is gone for good when this returns. The disk may still hold its bytes; that is outside our control.
    package static func remove(_ path: String) throws(StorageError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(errno, path) }
        try OpenFile.synchroniseDirectory(directory(of: path))
    }

    /// Replaces a file and overwrites what its former bytes are in: a secret that left it must not stay in free space.
    ///
    /// A crash leaves the old file or the new one; in between, the old bytes may stay where no file is.
    package static func replace(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system(errno, path) }
            return try write(path, bytes)
        }
        let former = try OpenFile(path, O_WRONLY)
        try write(path, bytes)
        try former.overwrite(Int(status.st_size))
    }

    /// Overwrites a file's bytes where they are, and removes it; one that is not there is no error.
    ///
    /// A disk that copies on writing, or a solid-state disk, may keep the old bytes where no program reaches them.
    package static func destroy(_ path: String) throws(StorageError) {
        // Another process may destroy it at the same time.
        guard let file = try OpenFile.existing(path, O_WRONLY) else { return }
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw .system(errno, path) }
        try file.overwrite(Int(status.st_size))
        try remove(path)
    }

    /// A file's bytes, or `nil` when there is none.
    package static func read(_ path: String) throws(StorageError) -> [UInt8]? {
        guard let file = try OpenFile.existing(path) else { return nil }
        return try file.readAll()
    }

    /// Whether a file, or the link that lies there, is closed to others than its owner; `nil` when there is none.
    package static func isPrivate(_ path: String) throws(StorageError) -> Bool? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno, path)
        }
        return status.st_mode & 0o077 == 0
    }

    /// Makes a directory and those above it durably; one that exists is left as it is.
    package static func makeDirectory(_ path: String, permissions: UInt16 = 0o700) throws(StorageError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(ENOTDIR, path) }
            return
        }
        guard errno == ENOENT else { throw .system(errno, path) }
        let parent = directory(of: path)
        try makeDirectory(parent, permissions: permissions)
        guard unsafe mkdir(path, mode_t(permissions)) == 0 || errno == EEXIST else { throw .system(errno, path) }
        try OpenFile.synchroniseDirectory(parent)
    }

    /// Makes an empty file for this user only; one that is there is closed to others.
    package static func makePrivate(_ path: String) throws(StorageError) {
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw .system(errno, path) }
        guard status.st_mode & 0o077 == 0 || fchmod(file.descriptor, 0o600) == 0 else { throw .system(errno, path) }
    }

    /// The directory part of a path: `.` when there is none.
    package static func directory(of path: String) -> String {
        let trimmed = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    private static func writeTemporary(
        _ item: Item, _ permissions: mode_t, in place: String? = nil
    ) throws(StorageError) -> String {
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(place ?? directory(of: item.path))/\(temporaryPrefix)\(suffix)"
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
        do throws(StorageError) {
            try file.writeAll(item.bytes)
            try file.synchronise()
            return temporary
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private static func move(_ temporary: String, _ path: String) throws(StorageError) {
        guard unsafe rename(temporary, path) == 0 else {
            let number = errno
            unsafe unlink(temporary)
            throw .system(number, path)
        }
    }
}
