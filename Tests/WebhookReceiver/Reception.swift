import NIOCore
import NIOHTTP1

/// One connection to a webhook.
final class Reception: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let receiver: WebhookReceiver
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(receiver: WebhookReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer): body += Array(buffer.readableBytesView)
        case .end:
            guard let head else { return }
            self.head = nil
            let fields = head.headers.reduce(into: [String: String]()) { $0[$1.name.lowercased()] = $1.value }
            let manner = receiver.take(
                .init(method: head.method.rawValue, path: head.uri, fields: fields, body: body))
            answer(manner, context)
        }
    }

    private func answer(_ manner: WebhookReceiver.Manner, _ context: ChannelHandlerContext) {
        let (status, headers): (Int, HTTPHeaders) =
            switch manner {
            case .status(204): (204, [:])
            case .status(let status): (status, ["content-length": "0"])
            case .redirect: (307, ["content-length": "0", "location": "/elsewhere"])
            case .silence: (0, [:])
            }
        guard status > 0 else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
