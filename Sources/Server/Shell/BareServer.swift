import Hummingbird
package import Logging

/// The HTTP library with nothing of ours on it: what benchmarks hold our answers against.
package enum BareServer {
    /// Answers `GET /hello`, and `GET /events` by a stream without events, until its task is cancelled.
    package static func run(
        port: Int, logger: Logger, onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let router = Router()
        router.get("/hello") { _, _ in "hello" }
        router.get("/events") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    let (events, source) = AsyncStream.makeStream(of: String.self)
                    defer { source.finish() }
                    source.yield("retry: 1000\n\n")
                    for await event in events { try await writer.write(ByteBuffer(string: event)) }
                    try await writer.finish(nil)
                })
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { await onListening($0.localAddress?.port ?? port) }, logger: logger)
        try await application.run()
    }
}
