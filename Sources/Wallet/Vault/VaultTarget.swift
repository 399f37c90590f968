import Foundation

/// Where the content of a file of a vault goes.
package protocol VaultTarget: Sendable {
    /// Takes the next bytes, which are authentic.
    func write(_ bytes: ArraySlice<UInt8>) throws
}

/// A file that is there, under its name, only once it is whole.
package final class FileTarget: VaultTarget, @unchecked Sendable {
    /// Its name.
    package let path: String
    private let temporary: String
    private let descriptor: Int32
    private let lock = NSLock()
    private var isOver = false

    /// Begins a file of mode 0600 beside the name.
    package init(_ path: String) throws(WalletError) {
        self.path = path
        temporary = "\(path).\(UUID().uuidString.prefix(8)).part"
        descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(path: path) }
    }

    deinit { discard() }

    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try Descriptor.give(descriptor, bytes, name: path)
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
        guard fsync(descriptor) == 0 else { throw WalletError.cannotWrite(path: path) }
        if replacing {
            guard unsafe rename(temporary, path) == 0 else { throw WalletError.cannotWrite(path: path) }
        } else {
            guard unsafe link(temporary, path) == 0 else {
                throw errno == EEXIST ? VaultFault.exists(path) : WalletError.cannotWrite(path: path)
            }
            unsafe unlink(temporary)
        }
        isOver = true
        _ = close(descriptor)
    }

    /// Removes what was written.
    package func discard() {
        lock.lock()
        defer { lock.unlock() }
        guard !isOver else { return }
        isOver = true
        _ = close(descriptor)
        unsafe unlink(temporary)
    }
}

/// Standard output.
package struct StandardOutput: VaultTarget {
    package init() {}
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try Descriptor.give(STDOUT_FILENO, bytes, name: "standard output")
    }
}
