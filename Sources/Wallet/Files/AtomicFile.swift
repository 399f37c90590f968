package import Encodings
import Foundation

/// Files that only their owner can read and that are either old or new, never half.
package enum AtomicFile {
    /// Replaces the file at `path`: a crash at any moment leaves the old contents or the new ones.
    ///
    /// A new file of mode 0600 beside it is written, synced and renamed, and the folder is synced.
    package static func write(_ bytes: Bytes, to path: String) throws(WalletError) {
        let folder = Self.folder(of: path)
        try makeFolder(folder)
        let temporary = "\(path).\(UUID().uuidString).new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path: path) }
        let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, unsafe rename(temporary, path) == 0 else {
            unsafe unlink(temporary)
            throw .cannotWrite(path: path)
        }
        sync(folder: folder)
    }

    /// Reads at most `limit` bytes.
    ///
    /// - Returns: `nil` when there is no such file.
    static func read(_ path: String, limit: Int) throws(WalletError) -> Bytes? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .cannotRead(path: path)
        }
        defer { _ = close(descriptor) }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            var bytes = Bytes()
            while bytes.count <= limit, let chunk = try handle.read(upToCount: limit + 1 - bytes.count),
                !chunk.isEmpty
            {
                bytes.append(contentsOf: chunk)
            }
            guard bytes.count <= limit else { throw WalletError.fileTooLarge(path: path) }
            return bytes
        } catch let error as WalletError {
            throw error
        } catch {
            throw .cannotRead(path: path)
        }
    }

    /// Gives a file another name, so that it is neither in the way nor lost.
    static func setAside(_ path: String, time: Int64) throws(WalletError) {
        guard unsafe rename(path, "\(path).unanswered-\(time)") == 0 else { throw .cannotWrite(path: path) }
        sync(folder: Self.folder(of: path))
    }

    /// Gives a file another name, durably; a file that has that name already is replaced.
    package static func move(_ path: String, to other: String) throws(WalletError) {
        guard unsafe rename(path, other) == 0 else { throw .cannotWrite(path: other) }
        sync(folder: Self.folder(of: other))
    }

    /// Removes a file; it is no error when it is not there.
    package static func remove(_ path: String) {
        unsafe unlink(path)
        sync(folder: Self.folder(of: path))
    }

    /// Runs `body` while no other process does the same for this path.
    package static func whileLocked<Result>(
        _ path: String, _ body: () throws(WalletError) -> Result
    ) throws(WalletError) -> Result {
        try makeFolder(Self.folder(of: path))
        let descriptor = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path: path) }
        defer { _ = close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw .cannotWrite(path: path) }
        return try body()
    }

    /// The folder part of a path: `.` when there is none.
    ///
    /// Foundation's own has trapped on a name of one letter.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func makeFolder(_ folder: String) throws(WalletError) {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWrite(path: folder)
        }
    }

    private static func write(_ bytes: Bytes, to descriptor: Int32) -> Bool {
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
            return true
        } catch {
            return false
        }
    }

    private static func sync(folder: String) {
        let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        _ = close(descriptor)
    }
}
