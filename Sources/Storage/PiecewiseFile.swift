import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A large file that is written piece by piece, and there only once it is whole.
///
/// These functions wait for the disk, as those of ``DurableFile`` do.
package final class NewFile {
    private let path: String
    private let temporary: String
    private let file: OpenFile
    private var isFinished = false
    /// How many bytes were written, and how many of them the disk has begun with.
    private var (written, begun): (Int64, Int64) = (0, 0)

    /// So much is written before the disk is to begin with it.
    private static let push: Int64 = 2 << 20

    /// Begins a file in a directory that exists.
    ///
    /// - Parameters:
    ///   - permissions: the file's mode, before the process's mask.
    ///   - place: the directory of the temporary file, on the same file system; that of the file, if `nil`.
    /// - Throws: `StorageError.ioError` when there is such a file already.
    package init(
        _ path: String, permissions: UInt16 = 0o600, temporaries place: String? = nil
    ) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) != 0 else { throw .system(EEXIST, path) }
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        temporary = "\(place ?? DurableFile.directory(of: path))/\(DurableFile.temporaryPrefix)\(suffix)"
        self.path = path
        file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, permissions: mode_t(permissions))
    }

    /// Adds to its end.
    ///
    /// The disk begins with what is long enough, so that ``finish()`` waits for little.
    package func write(_ bytes: [UInt8]) throws(StorageError) {
        try file.writeAll(bytes)
        written += Int64(bytes.count)
        guard written - begun >= Self.push else { return }
        file.beginSynchronising(from: begun, count: written - begun)
        begun = written
    }

    /// Makes it durable under its name.
    ///
    /// - Throws: `StorageError.ioError` when a file of that name has appeared in between.
    package func finish() throws(StorageError) {
        try file.synchronise()
        guard unsafe link(temporary, path) == 0 else { throw .system(errno, path) }
        unsafe unlink(temporary)
        isFinished = true
        try OpenFile.synchroniseDirectory(DurableFile.directory(of: path))
    }

    /// Gives it up: nothing of it is left when this returns, even if something still holds it.
    package func discard() {
        guard !isFinished else { return }
        unsafe unlink(temporary)
        isFinished = true
    }

    deinit { discard() }
}

/// A new file whose pieces come from several threads, one after the other.
final class GrowingFile: Sendable {
    private let file: Mutex<NewFile>

    /// Begins it, as ``NewFile`` does.
    init(_ path: String, permissions: UInt16, temporaries place: String) throws(StorageError) {
        file = Mutex(try NewFile(path, permissions: permissions, temporaries: place))
    }

    /// Adds to its end.
    func write(_ bytes: [UInt8]) throws(StorageError) {
        try file.withLock { file throws(StorageError) in try file.write(bytes) }
    }

    /// Makes it durable under its name.
    func finish() throws(StorageError) {
        try file.withLock { file throws(StorageError) in try file.finish() }
    }

    /// Gives it up.
    func discard() { file.withLock { $0.discard() } }
}

/// A large file that is read piece by piece.
package final class FilePieces {
    private let file: OpenFile
    private let path: String

    /// Opens a file at its beginning.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        file = try OpenFile(path, O_RDONLY)
    }

    /// The next bytes: as many as asked for, fewer only at the end.
    package func read(_ count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let found = unsafe bytes.withUnsafeMutableBytes {
                unsafe Self.read(file.descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw .system(errno, path) }
            guard found > 0 else { break }
            done += found
        }
        bytes.removeLast(count - done)
        return bytes
    }

    private static func read(_ descriptor: CInt, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(descriptor, start, count)
        #elseif canImport(Musl)
            unsafe Musl.read(descriptor, start, count)
        #else
            unsafe Darwin.read(descriptor, start, count)
        #endif
    }
}
