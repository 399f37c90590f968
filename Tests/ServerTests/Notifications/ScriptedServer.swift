import NIOCore
import NIOPosix
import Synchronization

/// A server that says its first line to everybody, and then one more for each thing that it is told.
final class ScriptedServer: Sendable {
    private let channel: any Channel
    private let heard: Heard
    var port: Int { channel.localAddress?.port ?? 0 }
    /// Everything that it was told.
    var told: String { heard.text.withLock(\.self) }

    private final class Heard: Sendable { let text = Mutex("") }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var lines: ArraySlice<String>
        private let heard: Heard

        init(_ lines: [String], _ heard: Heard) { (self.lines, self.heard) = (lines[...], heard) }

        func channelActive(context: ChannelHandlerContext) { say(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            heard.text.withLock { $0 += text }
            say(context)
        }

        private func say(_ context: ChannelHandlerContext) {
            guard let line = lines.popFirst() else { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line)), promise: nil)
        }
    }

    init(_ lines: [String], host: String = "127.0.0.1") async throws {
        let heard = Heard()
        self.heard = heard
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(lines, heard))
                }
            }.bind(host: host, port: 0).get()
    }

    func stop() async throws { try await channel.close() }
}
