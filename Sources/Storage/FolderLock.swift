#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that nobody else changes while this is held: until it is let go or the process ends, however it ends.
///
/// It counts among those who ask for it; the folder's files stay readable for all. It leaves nothing behind.
package final class FolderLock: Sendable {
    private let folder: OpenFile

    /// Takes a folder that is there, if nobody has it: no other process, and nobody else in this one.
    ///
    /// - Returns: `nil` when the lock is taken.
    package static func take(_ path: String) throws(StorageError) -> FolderLock? {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        return try folder.lock(isShared: false) ? FolderLock(folder: folder) : nil
    }

    /// Takes a folder that is there, once nobody else has it; for work that is over in a moment.
    ///
    /// It waits: from asynchronous code call it through ``BlockingThreads``.
    package static func wait(_ path: String) throws(StorageError) -> FolderLock {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        try folder.waitForLock()
        return FolderLock(folder: folder)
    }

    private init(folder: consuming OpenFile) { self.folder = folder }
}
