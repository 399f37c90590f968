import AsyncHTTPClient
package import Interface
import NIOCore
import NIOHTTP1

extension ServerClient {
    /// Live updates of this session from now on: when it returns, the server has begun to send them.
    ///
    /// The stream ends when the connection does; the listener then fetches what it shows and listens again.
    package func connectedEvents() async throws -> AsyncStream<LiveEvent> {
        var request = request(.GET, "/api/events")
        request.headers.replaceOrAdd(name: "accept", value: "text/event-stream")
        let response = try await execute(request, timeout: .hours(12))
        guard response.status == .ok else {
            throw WalletError.unexpectedAnswer("no live updates (\(response.status.code))")
        }
        return AsyncStream { continuation in
            let task = Task {
                defer { continuation.finish() }
                var parser = EventParser()
                do {
                    for try await part in response.body {
                        for event in parser.take(part.readableBytesView) { continuation.yield(event) }
                    }
                } catch {
                    // A broken connection ends the stream like a closed one.
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Live updates of this session as they happen; an empty stream when they cannot be had.
    package func events() -> AsyncStream<LiveEvent> {
        AsyncStream { continuation in
            let task = Task {
                defer { continuation.finish() }
                guard let events = try? await connectedEvents() else { return }
                for await event in events { continuation.yield(event) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
