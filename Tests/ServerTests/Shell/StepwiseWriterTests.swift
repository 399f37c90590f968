import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Server

/// An answer that is made faster than its connection's loop comes to it.
@Suite("Long answers, piece by piece", .timeLimit(.minutes(5)))
struct StepwiseWriterTests {
    /// Queues what is written for its loop and returns at once, as the library's writer does.
    private struct Queue: ResponseBodyWriter {
        /// What was queued, of that what the loop has taken, and the most that ever waited for it.
        final class Count: Sendable {
            let state = Mutex((queued: 0, taken: 0, most: 0))
        }

        let count: Count
        let loop: any EventLoop

        func write(_ buffer: ByteBuffer) async throws {
            let count = count
            count.state.withLock {
                $0.queued += buffer.readableBytes
                $0.most = max($0.most, $0.queued - $0.taken)
            }
            loop.execute {
                // The loop is slower than what is made for it.
                usleep(1_000)
                count.state.withLock { $0.taken += buffer.readableBytes }
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test("while the loop is late, no more than one piece waits for it")
    func late() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let count = Queue.Count()
        let piece = ByteBuffer(repeating: 7, count: 1_000)
        let limits = TimeLimits(clock: .system)
        let body = ResponseBody.stepwise(contentLength: 24_000, on: loop, clock: .system, limits, cut: {}) { writer in
            for _ in 0..<24 { try await writer.write(piece) }
        }
        #expect(body.contentLength == 24_000)
        try await body.write(Queue(count: count, loop: loop))
        let all = count.state.withLock { $0 }
        #expect(all.queued == 24_000 && all.most == 1_000)
        try await group.shutdownGracefully()
    }
}
