package import NIOCore
import Synchronization

/// Memory that pieces of blobs are read into, one after the other.
///
/// A piece is sent from where it was read, without a copy. Once nobody has it any more, its memory takes the next one:
/// fresh memory costs a fault for each of its pages.
package final class PieceBuffer: Sendable {
    private let memory = Mutex(ByteBuffer())

    /// No memory yet.
    package init() {}

    /// The piece that was read last; it stays as it is, whatever is read afterwards.
    package var bytes: ByteBuffer { memory.withLock { $0 } }

    /// The piece that was read last, which is kept here no longer.
    package func take() -> ByteBuffer {
        memory.withLock { memory in
            defer { memory = ByteBuffer() }
            return memory
        }
    }

    /// Replaces the piece.
    func set(_ bytes: [UInt8]) { memory.withLock { $0 = ByteBuffer(bytes: bytes) } }

    /// Replaces the piece with what is put into memory of so many bytes.
    ///
    /// - Parameter body: returns how many bytes it has put there, from the first on.
    func fill(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        memory.withLock { memory in
            // Other memory, if somebody still has what is in this.
            memory.clear(minimumCapacity: count)
            unsafe memory.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { place in
                unsafe body(UnsafeMutableRawBufferPointer(rebasing: place[..<count]))
            }
        }
    }
}
