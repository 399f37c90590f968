import Hummingbird
import NIOCore

/// Writes one piece of a long answer after the other: each has been handed to its connection before the next is taken.
///
/// The library queues what is written for the connection's loop and learns only there that a connection takes no more. While
/// a loop is late, a fast producer would queue the whole answer in memory, and seem to be done with it.
struct StepwiseWriter {
    private var base: any ResponseBodyWriter
    private let loop: any EventLoop

    fileprivate init(_ base: any ResponseBodyWriter, _ loop: any EventLoop) { (self.base, self.loop) = (base, loop) }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await base.write(buffer)
        // A loop runs what it was given in turn.
        try await loop.submit {}.get()
    }

    fileprivate consuming func finish() async throws { try await base.finish(nil) }
}

extension ResponseBody {
    /// A body that is made while it is sent; if `make` throws, the connection is cut before the body's end.
    ///
    /// - Parameters:
    ///   - contentLength: how many bytes `make` writes; without it the body is sent in chunks.
    ///   - loop: the connection's.
    static func stepwise(
        contentLength: Int? = nil, on loop: any EventLoop,
        _ make: @escaping @Sendable (inout StepwiseWriter) async throws -> Void
    ) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { direct in
            var writer = StepwiseWriter(direct, loop)
            try await make(&writer)
            try await writer.finish()
        }
    }
}
