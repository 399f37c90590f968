import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on a port of 127.0.0.1 that gives prepared answers, one after the other, and nothing after the last.
final class ScriptedServer: Sendable {
    /// An answer.
    struct Answer: Sendable {
        var status = 200
        var type: String? = "application/json"
        var body: [UInt8] = []
        var fields: [String: String] = [:]
    }

    private let script: Mutex<[Answer]>
    private let seen = Mutex<[String]>([])
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    private let port = Mutex(0)

    private init(_ script: [Answer]) { self.script = Mutex(script) }

    static func start(_ script: [Answer]) async throws -> ScriptedServer {
        let server = ScriptedServer(script)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(Handler(server: server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        server.port.withLock { $0 = channel.localAddress?.port ?? 0 }
        return server
    }

    func stop() async throws { try await channel.withLock { $0.take() }?.close() }

    /// Where it answers.
    var url: String { "http://127.0.0.1:\(port.withLock(\.self))" }

    /// The methods of the requests so far.
    var methods: [String] { seen.withLock(\.self) }

    private func next(_ method: String) -> Answer? {
        seen.withLock { $0.append(method) }
        return script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: ScriptedServer
        private var method = ""

        init(server: ScriptedServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): method = head.method.rawValue
            case .body: break
            case .end:
                guard let answer = server.next(method) else { return }
                var headers: HTTPHeaders = ["content-length": "\(answer.body.count)"]
                if let type = answer.type { headers.add(name: "content-type", value: type) }
                for (name, value) in answer.fields { headers.add(name: name, value: value) }
                let head = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
