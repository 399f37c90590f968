import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A service's webhook on a port of 127.0.0.1, that answers as it is told.
package final class WebhookReceiver: Sendable {
    /// A request as it came.
    package struct Delivery: Sendable {
        package let method: String
        package let path: String
        /// By their names in small letters.
        package let fields: [String: String]
        package let body: [UInt8]

        /// A request, for tests that change one.
        package init(method: String, path: String, fields: [String: String], body: [UInt8]) {
            (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
        }
    }

    /// What it does with a request.
    package enum Manner: Sendable {
        case status(Int)
        /// Leads to another path of its own.
        case redirect
        /// Takes the request and never answers.
        case silence
    }

    private struct State {
        var manner = Manner.status(204)
        var deliveries: [Delivery] = []
    }
    private let state = Mutex(State())
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    private let port = Mutex(0)

    private init() {}

    /// Starts one.
    package static func start() async throws -> WebhookReceiver {
        let receiver = WebhookReceiver()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(Reception(receiver: receiver))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        receiver.channel.withLock { $0 = channel }
        receiver.port.withLock { $0 = channel.localAddress?.port ?? 0 }
        return receiver
    }

    /// Stops listening; a second time it does nothing.
    package func stop() async throws { try await channel.withLock { $0.take() }?.close() }

    /// Where it answers, or did.
    package var url: String { "http://127.0.0.1:\(port.withLock(\.self))/hook?of=bank" }

    package func behave(_ manner: Manner) { state.withLock { $0.manner = manner } }

    /// What came so far.
    package var deliveries: [Delivery] { state.withLock(\.deliveries) }

    /// Returns once so many requests have come, or throws when the test is cancelled: else its time limit would end
    /// nothing.
    package func wait(for count: Int) async throws {
        while deliveries.count < count { try await Task.sleep(for: .milliseconds(2)) }
    }

    func take(_ delivery: Delivery) -> Manner {
        state.withLock { state in
            state.deliveries.append(delivery)
            return state.manner
        }
    }
}
