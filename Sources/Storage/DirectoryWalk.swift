#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// The names in a directory, one after the other, in the order in which it has them.
@safe struct FileNames: ~Copyable {
    private let stream: OpaquePointer

    init(of directory: String) throws(StorageError) {
        guard let stream = unsafe opendir(directory) else { throw .system(errno, directory) }
        unsafe self.stream = stream
    }

    /// - Returns: `nil` when there is no such directory.
    init?(thatMayBeIn directory: String) throws(StorageError) {
        guard let stream = unsafe opendir(directory) else {
            if errno == ENOENT { return nil }
            throw .system(errno, directory)
        }
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// The next name, `.` and `..` among them; `nil` at the end.
    func next() -> String? {
        guard let entry = unsafe readdir(stream) else { return nil }
        return unsafe Self.name(of: entry)
    }

    /// The name in a record.
    ///
    /// A record ends behind its name, and memory may end there, too: nothing of the room is read that the type has for
    /// longer ones.
    static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        guard let name = unsafe entry.pointer(to: \.d_name) else { return nil }
        return unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    }
}

/// The files of a directory and of the folders in it, some at a time: of each folder only its name is kept.
final class DirectoryWalk: Sendable {
    /// The kind of file behind a name.
    enum Found {
        case blob(BlobInfo)
        case folder
    }

    private struct State: ~Copyable {
        /// Folders to be read, by their paths in the directory; the directory itself is the empty one.
        var folders = [""]
        var folder = ""
        var names: FileNames?
    }

    private let directory: String
    private let state = Mutex(State())

    /// - Parameter directory: may not be there.
    init(_ directory: String) { self.directory = directory }

    /// The next files, as many as are wanted; fewer only at the end.
    func next(
        _ count: Int, _ info: (_ name: String, _ directory: String) throws -> Found?
    ) throws -> [BlobInfo] {
        try state.withLock { state in
            var page: [BlobInfo] = []
            while page.count < count {
                guard let name = state.names?.next() else {
                    guard let folder = state.folders.popLast() else { break }
                    state.names = nil
                    state.folder = folder
                    let path = folder.isEmpty ? directory : "\(directory)/\(folder)"
                    state.names = try FileNames(thatMayBeIn: path)
                    continue
                }
                let path = state.folder.isEmpty ? name : "\(state.folder)/\(name)"
                switch try info(path, directory) {
                case .blob(let blob): page.append(blob)
                case .folder: state.folders.append(path)
                case nil: break
                }
            }
            return page
        }
    }
}
