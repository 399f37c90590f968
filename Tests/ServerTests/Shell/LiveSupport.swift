import Encodings
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

@testable import Server

/// Starts a server on a port of the system's choice, and stops it after `test`.
func withLiveServer(
    _ shell: Shell = makeShell(.system), bounds: Connections.Bounds = .init(),
    tls: ServerConfiguration.TLSFiles? = nil, routes: RouteTable = sampleRoutes(),
    configuration: ServerConfiguration = ServerConfiguration(),
    _ test: @Sendable @escaping (Int) async throws -> Void
) async throws {
    var configuration = configuration
    configuration.port = 0
    configuration.tls = tls
    let (ports, announce) = AsyncStream.makeStream(of: Int.self)
    let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
    try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
        group.addTask {
            try await HTTPServer.run(
                configuration: configuration, bounds: bounds, shell: shell, routes: routes, logger: quiet,
                stopsOnSignals: false
            ) { announce.yield($0) }
        }
        for await port in ports {
            try await test(port)
            break
        }
        group.cancelAll()
    }
}

/// Runs `work` as a service and stops it gracefully when `stops` says so, or ends.
func testGracefulShutdown(
    _ stops: AsyncStream<Void>, _ work: @escaping @Sendable () async throws -> Void
) async throws {
    struct Work: Service {
        let work: @Sendable () async throws -> Void
        func run() async throws { try await work() }
    }
    let group = ServiceGroup(
        services: [Work(work: work)], logger: Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } })
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        for await _ in stops { break }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}

/// A connection to a server of this machine.
///
/// - Parameter source: the address of this machine that it comes from.
func connect(_ port: Int, from source: String = "127.0.0.1") async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(to: SocketAddress(ipAddress: source, port: 0))
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
}

/// Sends bytes and collects what comes back until the server closes, or has said `until`.
func exchange(
    _ port: Int, _ parts: [Bytes], until: String? = nil, from source: String = "127.0.0.1"
) async throws -> String {
    try await connect(port, from: source).executeThenClose { inbound, outbound in
        // The server may hang up while we are still writing: what it said before still counts.
        for part in parts { try? await outbound.write(ByteBuffer(bytes: part)) }
        var text = ""
        do {
            for try await buffer in inbound {
                text += String(buffer: buffer)
                if let until, text.contains(until) { break }
            }
        } catch is IOError {}
        return text
    }
}
