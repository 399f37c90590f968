import Hummingbird
package import Logging

/// The HTTP library with nothing of ours on it: what benchmarks hold our answers against.
package enum BareServer {
    /// Answers `GET /hello` until its task is cancelled.
    package static func run(
        port: Int, logger: Logger, onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let router = Router()
        router.get("/hello") { _, _ in "hello" }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { await onListening($0.localAddress?.port ?? port) }, logger: logger)
        try await application.run()
    }
}
