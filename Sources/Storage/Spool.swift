import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lines that are too many for memory: written one after the other, then read once in the same order.
///
/// They are in a file without a name, so a crash leaves nothing. These functions wait for the disk, as those of
/// ``DurableFile`` do.
package final class Spool: Sendable {
    private struct State: ~Copyable {
        let file: OpenFile
        /// What is not yet written.
        var waiting: [UInt8] = []
        var count = 0
        /// The bytes that were read and not yet handed over, and where the file goes on after them.
        var read: [UInt8] = []
        var start = 0
        var offset: Int64 = 0

        mutating func flush() throws(StorageError) {
            try file.writeAll(waiting)
            waiting.removeAll(keepingCapacity: true)
        }
    }

    private static let piece = 1 << 16
    private let state: Mutex<State>

    /// An empty one on the disk of a directory.
    package init(in directory: String) throws(StorageError) {
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let path = "\(directory)/\(DurableFile.temporaryPrefix)\(suffix)"
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL)
        unsafe unlink(path)
        state = Mutex(State(file: file))
    }

    /// How many lines were written.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a line, which holds no line feed.
    package func append(_ line: [UInt8]) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            state.waiting += line
            state.waiting.append(0x0A)
            state.count += 1
            if state.waiting.count >= Self.piece { try state.flush() }
        }
    }

    /// The next lines: as many as asked for, fewer only at the end.
    package func next(_ count: Int) throws(StorageError) -> [[UInt8]] {
        try state.withLock { state throws(StorageError) in
            try state.flush()
            var lines: [[UInt8]] = []
            while lines.count < count {
                if let end = state.read[state.start...].firstIndex(of: 0x0A) {
                    lines.append(Array(state.read[state.start..<end]))
                    state.start = end + 1
                    continue
                }
                let more = try state.file.bytes(Self.piece, at: state.offset)
                if more.isEmpty { break }
                state.offset += Int64(more.count)
                state.read = Array(state.read[state.start...]) + more
                state.start = 0
            }
            return lines
        }
    }
}
