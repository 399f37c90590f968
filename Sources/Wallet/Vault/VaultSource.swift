package import Encodings
import Foundation

/// Content that is to be put into a vault, read from its beginning to its end.
package protocol VaultSource: Sendable {
    /// How long it is, in bytes.
    var size: UInt64 { get }
    /// What it is called, for errors.
    var name: String { get }
    /// The next bytes, at most `count`; nothing at the end.
    func read(_ count: Int) throws -> Bytes
}

/// A file that was opened for reading.
package final class FileSource: VaultSource {
    package let size: UInt64
    package let name: String
    /// What tells this file, in this state, from others: its place, length and the time of its last change.
    package let identity: String
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: `cannotRead` for what is no file.
    package init(_ path: String) throws(WalletError) {
        name = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: path) }
        let end = lseek(descriptor, 0, SEEK_END)
        let about = FileAbout(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard let about, about.kind == .file, UInt64(exactly: end) == about.size, lseek(descriptor, 0, SEEK_SET) == 0
        else {
            _ = close(descriptor)
            throw .cannotRead(path: path)
        }
        size = about.size
        identity = about.identity
    }

    deinit { _ = close(descriptor) }

    /// Begins again.
    package func rewind() throws(WalletError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .cannotRead(path: name) }
    }

    package func read(_ count: Int) throws -> Bytes {
        try Descriptor.take(descriptor, count, name: name)
    }
}

/// Reading and writing with file descriptors, whole.
package enum Descriptor {
    /// Reads so many bytes; fewer only at the end.
    package static func take(_ descriptor: Int32, _ count: Int, name: String) throws(WalletError) -> Bytes {
        var failed = false
        let bytes = unsafe Bytes(unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe read(descriptor, start + filled, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    failed = true
                    break
                }
            }
        }
        guard !failed else { throw .cannotRead(path: name) }
        return bytes
    }

    /// Writes all of these bytes.
    package static func give(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>, name: String) throws(WalletError) {
        let isWritten = unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let start = buffer.baseAddress {
                let count = unsafe write(descriptor, start + written, buffer.count - written)
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
        guard isWritten else { throw .cannotWrite(path: name) }
    }
}
