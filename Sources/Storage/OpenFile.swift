#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file, closed when it goes out of scope.
struct OpenFile: ~Copyable {
    let descriptor: CInt
    private let path: String

    /// Opens a file; children of the process do not inherit it.
    init(_ path: String, _ flags: CInt, permissions: mode_t = 0o600) throws(StorageError) {
        let found = unsafe open(path, flags | O_CLOEXEC, permissions)
        guard found >= 0 else { throw .system(errno, path) }
        descriptor = found
        self.path = path
    }

    private init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a file that is there, to be read if nothing else is said.
    ///
    /// It does not look for the file first: another process may remove it after that.
    ///
    /// - Returns: `nil` when there is no such file.
    static func existing(_ path: String, _ flags: CInt = O_RDONLY) throws(StorageError) -> OpenFile? {
        let found = unsafe open(path, flags | O_CLOEXEC)
        let number = errno
        guard found >= 0 else {
            if number == ENOENT { return nil }
            throw .system(number, path)
        }
        return OpenFile(descriptor: found, path: path)
    }

    func writeAll(_ bytes: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(errno, path) }
            done += count
        }
    }

    /// Writes random bytes over the first ones, and waits until they are on the disk.
    func overwrite(_ count: Int) throws(StorageError) {
        try writeAll((0..<count).map { _ in UInt8.random(in: .min ... .max) })
        try synchronise()
    }

    /// Some bytes from a place on; none at the end.
    func bytes(_ most: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
        while true {
            var count = 0
            // Not zeroed before it is read into: contents are long.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { place, initialized in
                count = unsafe pread(descriptor, place.baseAddress, most, off_t(offset))
                initialized = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno, path) }
            return bytes
        }
    }

    /// Reads some bytes from a place on into memory that is used again.
    ///
    /// - Returns: how many; none at the end.
    func fill(_ buffer: PieceBuffer, _ most: Int, at offset: Int64) throws(StorageError) -> Int {
        while true {
            var count = 0
            var number: CInt = 0
            unsafe buffer.fill(most) { place in
                count = unsafe pread(descriptor, place.baseAddress, place.count, off_t(offset))
                number = errno
                return max(count, 0)
            }
            if count < 0, number == EINTR { continue }
            guard count >= 0 else { throw .system(number, path) }
            return count
        }
    }

    func readAll() throws(StorageError) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno, path) }
        var bytes = [UInt8](repeating: 0, count: max(Int(status.st_size) + 1, 512))
        var done = 0
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno, path) }
            guard count > 0 else { break }
            done += count
            if done == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// Locks the file until it is closed.
    ///
    /// A shared lock fails while another process holds an exclusive one. An exclusive lock fails while another process
    /// holds any.
    ///
    /// - Returns: whether it is locked.
    func lock(isShared: Bool) throws(StorageError) -> Bool {
        while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw .system(errno, path) }
            return false
        }
        return true
    }

    /// Waits until nobody else has the file locked, and locks it until it is closed.
    func waitForLock() throws(StorageError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system(errno, path) }
        }
    }

    /// Waits until what was written is on the disk.
    func synchronise() throws(StorageError) {
        #if canImport(Darwin)
            // There fsync stops at the drive's cache.
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw .system(errno, path) }
    }

    /// Has the system begin to write some of the bytes to the disk, and waits for nothing.
    ///
    /// A refusal costs only time.
    func beginSynchronising(from offset: Int64, count: Int64) {
        #if os(Linux)
            // Linux begins to write what is said to be not needed.
            _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
        #endif
    }

    /// Makes the names in a directory durable.
    static func synchroniseDirectory(_ path: String) throws(StorageError) {
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronise()
    }
}

extension StorageError {
    /// What an error number of the operating system means.
    static func system(_ number: CInt, _ path: String) -> StorageError {
        let detail = unsafe "\(path): \(strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)")"
        return switch number {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS: .readOnly(detail: detail)
        default: .ioError(detail: detail)
        }
    }
}
