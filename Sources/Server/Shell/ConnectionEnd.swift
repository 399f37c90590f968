import NIOCore

/// Tells what works for a client that it has hung up; all of it runs on the connection's event loop.
final class ConnectionEnd {
    private var hasHappened = false
    private var listeners: [AsyncStream<Never>.Continuation] = []

    /// Ends a stream now, or later.
    ///
    /// Requests follow each other on a connection, so those of earlier ones are over by then, and forgotten.
    func tell(_ listener: AsyncStream<Never>.Continuation) {
        guard !hasHappened else { return listener.finish() }
        listeners = [listener]
    }

    func happened() {
        hasHappened = true
        for listener in listeners { listener.finish() }
        listeners = []
    }
}

extension Call {
    /// Waits for something on behalf of the client: cancelled as soon as the client hangs up.
    ///
    /// The library has this too, but ends the whole process when a client keeps the end of its body back.
    func whileConnected<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (ended, listener) = AsyncStream.makeStream(of: Never.self)
        let channel = context.channel
        channel.eventLoop.execute {
            if let wire = try? channel.pipeline.syncOperations.handler(type: WireGuard.self) {
                wire.tell(listener)
            } else {
                // A client that hung up before its turn came took all handlers along.
                channel.closeFuture.whenComplete { _ in listener.finish() }
            }
        }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await _ in ended {}
                return nil
            }
            group.addTask { try await operation() }
            while let value = try await group.next() {
                group.cancelAll()
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}
