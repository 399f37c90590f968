import NIOCore
import NIOHTTP1

/// One connection: requests in turn, answered or not.
final class Conversation: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let store: FaultyObjectStore
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(store: FaultyObjectStore) { self.store = store }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer): body += Array(buffer.readableBytesView)
        case .end:
            guard let head else { return }
            self.head = nil
            let (answer, fault) = store.answer(head, body)
            send(answer, fault, to: head, context)
        }
    }

    private func send(
        _ answer: Answer, _ fault: FaultyObjectStore.Fault?, to head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        switch fault {
        case .hangUp, .hangUpAfterwards: return context.close(promise: nil)
        case .silence: return
        default: break
        }
        var headers: HTTPHeaders = ["content-length": "\(answer.body.count)"]
        if let checksum = answer.checksum { headers.add(name: "x-amz-checksum-sha256", value: checksum) }
        let status = HTTPResponseStatus(statusCode: answer.status)
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        var body = head.method == .HEAD ? [] : answer.body
        if fault == .flippedBit, !body.isEmpty { body[body.count / 2] ^= 1 }
        switch fault {
        case .halfBody:
            sendPart(body.prefix(body.count / 2), context)
            context.close(promise: nil)
        case .slow(let milliseconds):
            sendPart(body.prefix(body.count / 2), context)
            let rest = body.dropFirst(body.count / 2)
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
                self.sendEnd(rest, context)
            }
        default: sendEnd(body[...], context)
        }
    }

    private func sendPart(_ part: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: part)))), promise: nil)
    }

    private func sendEnd(_ part: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        sendPart(part, context)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
