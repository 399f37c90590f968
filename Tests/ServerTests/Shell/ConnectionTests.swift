import Encodings
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization
import Testing

@testable import Server

/// Attacks on connections: heads that never end, silence, and as many as one can open.
@Suite("Connections", .timeLimit(.minutes(5)))
struct ConnectionTests {
    private static let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    /// A connection of a server whose time the test makes pass, without an application.
    private struct Wire {
        let channel = EmbeddedChannel()
        let metrics = MetricsRegistry()

        init(_ bounds: Connections.Bounds = .init()) throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(WireGuard(Connections(bounds, metrics: metrics)))
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
        }

        var isOpen: Bool { channel.isActive }

        func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

        func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Answers the oldest request.
        func answer() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .noContent)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        /// What the server has said since the last time.
        func said() throws -> String {
            var text = ""
            while let part = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
            }
            return text
        }

        /// How many requests were handed on since the last time.
        func requests() throws -> Int {
            var count = 0
            while let part = try channel.readInbound(as: HTTPRequestPart.self) { if case .head = part { count += 1 } }
            return count
        }

        func ended(_ reason: Connections.End) -> Double? {
            metrics.snapshot().first { $0.key.labels.contains { $0.value == reason.rawValue } }?.value.number
        }
    }

    @Test("a head that never ends is refused after ten seconds, however it drips")
    func unfinishedHead() throws {
        let wire = try Wire()
        try wire.send("GET /healthz HTTP/1.1\r\nX: ")
        for _ in 0..<9 {
            wire.pass(1)
            try wire.send("x")
        }
        #expect(wire.isOpen)
        wire.pass(1)
        #expect(!wire.isOpen)
        let said = try wire.said()
        #expect(said.hasPrefix("HTTP/1.1 408 ") && said.contains(ProblemKind.requestTimeout.path), "\(said)")
        #expect(wire.ended(.head) == 1)
    }

    @Test("a connection that says nothing is closed after ten seconds without a word")
    func silence() throws {
        let wire = try Wire()
        wire.pass(9)
        #expect(wire.isOpen)
        wire.pass(1)
        let said = try wire.said()
        #expect(!wire.isOpen && said.isEmpty)
        #expect(wire.ended(.idle) == 1)
    }

    @Test("the head of a further request has ten seconds as well, and a connection without one a minute and a quarter")
    func keptAlive() throws {
        let wire = try Wire()
        for _ in 0..<3 {
            try wire.send(Self.request)
            try wire.answer()
            wire.pass(74)
            #expect(wire.isOpen)
        }
        try wire.send("GET /")
        wire.pass(9)
        #expect(wire.isOpen)
        let answers = try wire.said()
        #expect(answers.contains("204"))
        wire.pass(1)
        let said = try wire.said()
        #expect(!wire.isOpen && said.hasPrefix("HTTP/1.1 408 "))

        let quiet = try Wire()
        try quiet.send(Self.request)
        try quiet.answer()
        quiet.pass(74)
        #expect(quiet.isOpen)
        quiet.pass(1)
        #expect(!quiet.isOpen)
        #expect(quiet.ended(.idle) == 1)
    }

    @Test("an answer may take as long as it likes, and so may a body, which has a time of its own")
    func underWay() throws {
        let wire = try Wire()
        try wire.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx")
        wire.pass(1_000)
        #expect(wire.isOpen)
        try wire.send("x")
        wire.pass(1_000)
        #expect(wire.isOpen)
        try wire.answer()
        wire.pass(75)
        #expect(!wire.isOpen)
    }

    @Test("after so many requests the answer says that the connection closes, and it does; no more are taken")
    func manyRequests() throws {
        var bounds = Connections.Bounds()
        bounds.requests = 3
        let wire = try Wire(bounds)
        try wire.send(Self.request)
        try wire.answer()
        let first = try wire.said()
        #expect(!first.contains("close"))
        // The second to the fourth at once: the fourth is one too many.
        try wire.send(Self.request + Self.request + Self.request)
        let requests = try wire.requests()
        #expect(requests == 3)
        try wire.answer()
        let second = try wire.said()
        #expect(!second.contains("close") && wire.isOpen)
        try wire.answer()
        let third = try wire.said()
        #expect(third.lowercased().contains("connection: close"))
        #expect(!wire.isOpen)
    }

    @Test("half a head on a real socket is answered and closed")
    func live() async throws {
        var bounds = Connections.Bounds()
        // So long that half a head is there before it is over, on a busy machine too.
        bounds.headTime = .seconds(10)
        let shell = makeShell(.system)
        try await withLiveServer(shell, bounds: bounds) { port in
            // Both return only because the server hangs up.
            async let silent = exchange(port, [])
            let text = try await exchange(port, [Bytes(text: "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ")])
            #expect(text.hasPrefix("HTTP/1.1 408 ") && text.contains(ProblemKind.requestTimeout.path), "\(text)")
            #expect(try await silent.isEmpty)
        }
    }

    @Test(
        "an address has so many connections and no more, another one still gets through, and what is closed counts no more"
    )
    func perAddress() async throws {
        var bounds = Connections.Bounds()
        bounds.perAddress = 2
        try await withLiveServer(bounds: bounds) { port in
            let (request, last) = (Bytes(text: Self.request), Bytes(text: Self.last))
            try await connect(port).executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(bytes: request))
                for try await _ in inbound { break }
                try await connect(port).executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(bytes: request))
                    for try await _ in inbound { break }
                    #expect(try await exchange(port, [last]).isEmpty)
                    #expect(try await exchange(port, [last], from: "127.0.0.2").hasPrefix("HTTP/1.1 200 "))
                }
                while try await !exchange(port, [last]).hasPrefix("HTTP/1.1 200 "), !Task.isCancelled {
                    await Task.yield()
                }
            }
        }
    }

    @Test("as many connections are open as both settings allow; one more is served when another has ended")
    func all() async throws {
        var configuration = ServerConfiguration()
        configuration.connections = 1
        configuration.liveUpdates = 1
        let (request, last) = (Bytes(text: Self.request), Bytes(text: Self.last))
        try await withLiveServer(configuration: configuration) { port in
            try await connect(port).executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(bytes: request))
                var answers = inbound.makeAsyncIterator()
                _ = try await answers.next()
                let waiting = try await connect(port).executeThenClose { others, other in
                    try await other.write(ByteBuffer(bytes: request))
                    for try await _ in others { break }
                    let isServed = Mutex(false)
                    let waiting = Task {
                        let text = try await exchange(port, [last])
                        isServed.withLock { $0 = true }
                        return text
                    }
                    // The server has time enough to serve it, if it were to.
                    for _ in 0..<50 {
                        try await outbound.write(ByteBuffer(bytes: request))
                        _ = try await answers.next()
                    }
                    #expect(isServed.withLock { !$0 })
                    return waiting
                }
                #expect(try await waiting.value.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test(
        "behind a trusted proxy all connections are the proxy's: they have no bound, and others have the one that is set"
    )
    func proxy() {
        var configuration = ServerConfiguration()
        #expect(Connections.Bounds(configuration, isLimiting: true).perAddress == 256)
        configuration.connectionsPerAddress = 7
        #expect(Connections.Bounds(configuration, isLimiting: true).perAddress == 7)
        configuration.trustsProxy = true
        #expect(Connections.Bounds(configuration, isLimiting: true).perAddress == nil)
    }

    @Test("of IPv6 a whole /64 counts as one address")
    func network() {
        var bounds = Connections.Bounds()
        bounds.perAddress = 1
        let connections = Connections(bounds, metrics: MetricsRegistry())
        #expect(connections.enter(ClientAddress.network(of: "2001:db8::1")))
        #expect(!connections.enter(ClientAddress.network(of: "2001:db8::2")))
        #expect(connections.enter(ClientAddress.network(of: "2001:db8:0:1::1")))
        connections.leave(ClientAddress.network(of: "2001:db8::1"))
        #expect(connections.enter(ClientAddress.network(of: "2001:db8::2")))
    }
}
