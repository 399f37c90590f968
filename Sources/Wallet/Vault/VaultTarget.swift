import Foundation

/// Where the content of a file of a vault goes.
package protocol VaultTarget: Sendable {
    /// Takes the next bytes, which are authentic.
    func write(_ bytes: ArraySlice<UInt8>) throws
}

/// Names for what is not whole yet.
enum UnfinishedName {
    /// A name in the folder of another one, and no longer than that may be: a name of a vault fills what a system takes.
    static func beside(_ path: String) -> String {
        let end = path.utf8.lastIndex { $0 != 0x2F }.map { path.utf8.index(after: $0) } ?? path.startIndex
        let name = path[..<end]
        let folder = name.utf8.lastIndex(of: 0x2F).map { name[...$0] } ?? ""
        return "\(folder).vault-\(UUID().uuidString.prefix(8)).part"
    }
}

/// A file that is there, under its name, only once it is whole.
package final class FileTarget: VaultTarget, @unchecked Sendable {
    /// Its name.
    package let path: String
    private let temporary: String
    private let descriptor: Int32
    private let isCopy: Bool
    private let lock = NSLock()
    private var (isOver, isClosed) = (false, false)
    /// How many bytes were written, and how many of them are on their way to the disk.
    private var (written, pushed) = (0, 0)

    /// So much is written before the disk is to begin with it.
    private static let push = 8 << 20

    /// Begins a file of mode 0600 beside the name.
    ///
    /// - Parameter isCopy: whether it is made from something that stays where it is. A power cut then costs the work and
    ///   nothing else, so that nobody waits for the disk, unless the file replaces another.
    package init(_ path: String, isCopy: Bool = false) throws(WalletError) {
        self.path = path
        self.isCopy = isCopy
        temporary = UnfinishedName.beside(path)
        descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path: path) }
    }

    deinit { discard() }

    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try Descriptor.give(descriptor, bytes, name: path)
        written += bytes.count
        guard !isCopy, written - pushed >= Self.push else { return }
        #if os(Linux)
            // Linux begins to write what is said to be not needed, and does not wait for it. So little is left to do when
            // the file must be durable. A refusal costs only time.
            _ = posix_fadvise(descriptor, off_t(pushed), off_t(written - pushed), POSIX_FADV_DONTNEED)
        #endif
        pushed = written
    }

    /// Gives it its name.
    ///
    /// - Parameter modified: when the content was changed last, in milliseconds since 1970.
    /// - Throws: `exists` if something is called so by now and nothing may be replaced.
    package func finish(replacing: Bool, modified: Int64? = nil) throws {
        lock.lock()
        defer { lock.unlock() }
        guard !isOver else { throw WalletError.cannotWrite(path: path) }
        if let modified {
            // For people only: a file system that has no times is no fault.
            let date = Date(timeIntervalSince1970: Double(modified) / 1_000)
            try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: temporary)
        }
        if replacing || !isCopy {
            guard fsync(descriptor) == 0 else { throw WalletError.cannotWrite(path: path) }
        }
        // Some file systems say only now that there is no room.
        guard closeOnce() else { throw WalletError.cannotWrite(path: path) }
        if replacing {
            guard unsafe rename(temporary, path) == 0 else { throw WalletError.cannotWrite(path: path) }
        } else {
            guard unsafe link(temporary, path) == 0 else {
                throw errno == EEXIST ? VaultFault.exists(path) : WalletError.cannotWrite(path: path)
            }
            unsafe unlink(temporary)
        }
        isOver = true
    }

    /// Removes what was written.
    package func discard() {
        lock.lock()
        defer { lock.unlock() }
        guard !isOver else { return }
        isOver = true
        _ = closeOnce()
        unsafe unlink(temporary)
    }

    /// A second time it would close what somebody else has opened since.
    ///
    /// - Returns: whether all that was written has been taken.
    private func closeOnce() -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        return close(descriptor) == 0
    }
}

/// Standard output.
package struct StandardOutput: VaultTarget {
    package init() {}
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try Descriptor.give(STDOUT_FILENO, bytes, name: "standard output")
    }
}
