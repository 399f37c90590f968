import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Server

/// How a connection treats a body after its request was answered.
///
/// Its clock stands still until the test moves it.
@Suite("Bodies that nobody reads")
struct WireGuardTests {
    /// A connection on which a request was refused before its body came.
    private static func refused() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: WireGuard(Connections(.init(), metrics: MetricsRegistry())))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .contentTooLarge)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        return channel
    }

    @Test("the server hangs up after the bytes that it throws away at most, before any time has passed")
    func amount() throws {
        let channel = try Self.refused()
        let part = ByteBuffer(repeating: 0x20, count: 1 << 20)
        for _ in 0..<(Limits.discardedBody / part.readableBytes) {
            try channel.writeInbound(HTTPRequestPart.body(part))
        }
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0x20, count: 1)))
        #expect(!channel.isActive)
    }

    @Test("the server hangs up after a time, however little comes")
    func time() throws {
        let channel = try Self.refused()
        channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.bodyTime.components.seconds) - .nanoseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a body that ends leaves the connection to the next request")
    func ended() throws {
        let channel = try Self.refused()
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(2 * Limits.bodyTime.components.seconds))
        #expect(channel.isActive)
    }
}
