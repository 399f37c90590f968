import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers what is not HTTP at all with a problem document too, and hangs up on bodies nobody reads.
///
/// One for each connection; all its methods run on the connection's event loop.
final class WireGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests whose answer has not ended.
    private var unanswered = 0
    /// Whether a request's end is still to come.
    private var isReceiving = false
    /// Bytes of body that came after their request's answer.
    private var discarded = 0
    /// Hangs up on a body that goes on for long after its request was answered.
    private var hangUp: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
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
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            if isReceiving {
                let channel = context.channel
                hangUp = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
            }
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hangUp?.cancel()
        context.fireChannelInactive()
    }

    private static let patience = TimeAmount.seconds(Limits.bodyTime.components.seconds)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, unanswered == 0, context.channel.isActive else {
            return context.fireErrorCaught(error)
        }
        let problem = Problem(Self.kind(error))
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
