import Hummingbird
import NIOCore

/// Writes one piece of a long answer after the other: each has been handed to its connection before the next is taken.
///
/// The library queues what is written for the connection's loop and learns only there that a connection takes no more. While
/// a loop is late, a fast producer would queue the whole answer in memory, and seem to be done with it.
struct StepwiseWriter {
    private var base: any ResponseBodyWriter
    private let loop: any EventLoop
    private let pace: Pace

    fileprivate init(_ base: any ResponseBodyWriter, _ loop: any EventLoop, _ pace: Pace) {
        (self.base, self.loop, self.pace) = (base, loop, pace)
    }

    /// Sends no more at once than a slow line takes in time.
    mutating func write(_ bytes: ByteBuffer) async throws {
        var left = bytes
        while left.readableBytes > 0, let next = left.readSlice(length: min(left.readableBytes, Limits.downloadPiece)) {
            pace.begin()
            try await base.write(next)
            // A loop runs what it was given in turn.
            try await loop.submit {}.get()
            pace.move(next.readableBytes)
            pace.rest()
        }
    }

    fileprivate consuming func finish() async throws { try await base.finish(nil) }
}

extension ResponseBody {
    /// A body that is made while it is sent; if `make` throws, the connection is cut before the body's end.
    ///
    /// So is that of a reader who takes nothing for long: it may keep others out, and a write that nobody takes ends only
    /// with its connection.
    ///
    /// - Parameter contentLength: how many bytes `make` writes; without it the body is sent in chunks.
    static func stepwise(
        contentLength: Int? = nil, to call: Call,
        _ make: @escaping @Sendable (inout StepwiseWriter) async throws -> Void
    ) -> ResponseBody {
        let channel = call.context.channel
        let cut = { @Sendable in channel.close(promise: nil) }
        return stepwise(
            contentLength: contentLength, on: channel.eventLoop, clock: call.shell.clock, call.shell.limits, cut: cut,
            make)
    }

    /// The same, on a connection that is known by its loop and by how it is cut.
    static func stepwise(
        contentLength: Int? = nil, on loop: any EventLoop, clock: ServerClock, _ limits: TimeLimits,
        cut: @escaping @Sendable () -> Void, _ make: @escaping @Sendable (inout StepwiseWriter) async throws -> Void
    ) -> ResponseBody {
        let pace = Pace(pause: Limits.downloadPause, rate: Limits.downloadRate, within: nil, clock: clock)
        return ResponseBody(contentLength: contentLength) { direct in
            let watch = limits.watch(pace, cancel: cut)
            defer { limits.forget(watch) }
            var writer = StepwiseWriter(direct, loop, pace)
            try await make(&writer)
            try await writer.finish()
        }
    }
}
