import HTTPTypes
import Hummingbird
import NIOCore

/// Writes one piece of a long answer after the other: each has been handed to its connection before the next is taken.
///
/// The library queues what is written for the connection's loop and learns only there that a connection takes no more. While
/// a loop is late, a fast producer would queue the whole answer in memory, and seem to be done with it.
struct StepwiseWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private let loop: any EventLoop

    /// - Parameters:
    ///   - base: writes to the connection.
    ///   - loop: the connection's.
    init(_ base: any ResponseBodyWriter, _ loop: any EventLoop) { (self.base, self.loop) = (base, loop) }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await base.write(buffer)
        // A loop runs what it was given in turn.
        try await loop.submit {}.get()
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await base.finish(trailingHeaders) }
}
