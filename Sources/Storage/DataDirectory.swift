import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A directory that belongs to this process, or to those that share it, until it is closed or the process ends for any
/// reason.
package final class DataDirectory: Sendable {
    /// The directory.
    package let path: String
    /// The kernel drops the lock with the last descriptor, so a killed process leaves none behind.
    private let lock: OpenFile

    private init(path: String, lock: consuming OpenFile) {
        self.path = path
        self.lock = lock
    }

    /// Takes a directory, making it readable for this user only when it is not there or holds nothing yet.
    ///
    /// One that others may enter is refused: its keys and rows may have been read already, and only the operator knows by
    /// whom.
    ///
    /// - Parameter isShared: whether others that say so too may have it at the same time: those whose database is
    ///   elsewhere.
    /// - Throws: `StorageError.exposed` when others may enter it; `StorageError.inUse` when another process has it.
    package static func open(_ path: String, isShared: Bool = false) throws(StorageError) -> DataDirectory {
        try DurableFile.makeDirectory(path, permissions: 0o700)
        try requirePrivate(path)
        let file = try OpenFile("\(path)/lock", O_RDWR | O_CREAT)
        guard try file.lock(isShared: isShared) else {
            let text = String(decoding: try file.readAll(), as: UTF8.self)
            throw .inUse(path: path, process: Int32(text.prefix { $0 != "\n" }))
        }
        guard ftruncate(file.descriptor, 0) == 0 else { throw .system(errno, path) }
        try file.writeAll(Array("\(getpid())\n".utf8))
        return DataDirectory(path: path, lock: file)
    }

    private static func requirePrivate(_ path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .system(errno, path) }
        guard status.st_mode & 0o077 != 0 else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path), names.isEmpty,
            unsafe chmod(path, 0o700) == 0
        else { throw .exposed(path: path) }
    }

    /// The path of something in the directory.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}
