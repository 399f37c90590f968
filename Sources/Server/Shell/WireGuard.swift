import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Guards one connection, and bounds how many an address has.
///
/// It answers with a problem document even if the bytes are not HTTP. It hangs up on heads that do not end, on bodies
/// that nothing reads, and on silence.
///
/// One for each connection; all its methods run on the connection's event loop.
final class WireGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    /// The address for which the connection counts; `nil` while it does not count.
    private var network: String?
    private var hasBegun = false
    /// When something has to have come.
    private var deadline: HeadDeadline
    /// Requests that were handed on.
    private var requests = 0
    /// Requests whose answer has not ended.
    private var unanswered = 0
    /// Whether a request's end is still to come.
    private var isReceiving = false
    /// Whether nothing more is taken from this connection.
    private var isDeaf = false
    /// Bytes of body that came after their request's answer.
    private var discarded = 0
    /// Hangs up on a body that goes on for long after its request was answered.
    private var hangUp: Scheduled<Void>?
    /// Who hears that the client has hung up.
    private let ending = ConnectionEnd()

    init(_ connections: Connections) {
        self.connections = connections
        deadline = HeadDeadline(connections.bounds)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            // Before the decoder, which says nothing of a head that has only begun.
            try? pipeline.addHandler(ByteWatch { [self] in heard(context) }, position: .before(decoder))
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Most clients that say nothing more have gone: it is for them to keep both ways open.
        if case ChannelEvent.inputClosed = event { ending.happened() }
        context.fireUserInboundEventTriggered(event)
    }

    /// Ends a stream when the client hangs up.
    func tell(_ listener: AsyncStream<Never>.Continuation) { ending.tell(listener) }

    func channelInactive(context: ChannelHandlerContext) {
        ending.happened()
        if let network { connections.leave(network) }
        network = nil
        deadline.stop()
        hangUp?.cancel()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        if let address = context.channel.remoteAddress?.ipAddress {
            let own = ClientAddress.network(of: address)
            guard connections.enter(own) else {
                isDeaf = true
                return context.close(promise: nil)
            }
            network = own
        }
        deadline.connectionBegan(context.eventLoop.now)
        watch(context)
    }

    /// Bytes came, of any kind.
    private func heard(_ context: ChannelHandlerContext) {
        guard !isReceiving, !isDeaf else { return }
        deadline.headBegan(context.eventLoop.now)
        watch(context)
    }

    /// Comes back when the deadline may be over.
    private func watch(_ context: ChannelHandlerContext) {
        guard let wait = deadline.wait(from: context.eventLoop.now) else { return }
        deadline.timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [self] in
            deadline.timer = nil
            guard deadline.isOver(context.eventLoop.now) else { return watch(context) }
            let isLate = deadline.isHeadBegun
            connections.note(isLate ? .head : .idle)
            // Nothing is sent to a client that has sent nothing, and nothing into an answer that is under way.
            guard isLate, unanswered == 0 else { return context.close(promise: nil) }
            refuse(Problem(.requestTimeout), context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDeaf else { return }
        switch unwrapInboundIn(data) {
        case .head:
            guard requests < connections.bounds.requests else {
                isDeaf = true
                return
            }
            deadline.headEnded()
            requests += 1
            unanswered += 1
            discarded = 0
            isReceiving = true
        case .body(let bytes) where unanswered == 0:
            discarded += bytes.readableBytes
            if discarded > Limits.discardedBody { return context.close(promise: nil) }
        case .body: break
        case .end:
            isReceiving = false
            hangUp?.cancel()
            if unanswered == 0 { rest(context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isLast && head.status.kind != .informational:
            head.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let isLast = isLast
            unanswered -= 1
            if isReceiving {
                let channel = context.channel
                hangUp = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
            } else if isLast {
                let (written, channel) = (promise ?? context.eventLoop.makePromise(of: Void.self), context.channel)
                written.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return context.write(data, promise: written)
            } else if unanswered == 0 {
                rest(context)
            }
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    /// Whether the answer under way is to the last request that this connection may bring.
    private var isLast: Bool { requests >= connections.bounds.requests && unanswered == 1 }

    /// All that came is answered.
    private func rest(_ context: ChannelHandlerContext) {
        guard requests < connections.bounds.requests else { return context.close(promise: nil) }
        deadline.answered(context.eventLoop.now)
        watch(context)
    }

    private static let patience = TimeAmount.seconds(Limits.bodyTime.components.seconds)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, unanswered == 0, context.channel.isActive else {
            return context.fireErrorCaught(error)
        }
        refuse(Problem(Self.kind(error)), context)
    }

    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        isDeaf = true
        let body = problem.document(instance: nil)
        var head = HTTPResponse(status: problem.status)
        head.headerFields = [
            .contentType: "application/problem+json", .contentLength: String(body.count), .connection: "close",
            .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    private static func kind(_ error: any Error) -> ProblemKind {
        error as? HTTPParserError == .headerOverflow ? .headersTooLarge : .badRequest
    }
}
