import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// Gives a client that reaches a name at one address only, and closes it afterwards.
    ///
    /// Each request has its own: a connection kept from before may lead to another address than this one.
    ///
    /// - Parameter patience: from the connection to what `body` gives.
    /// - Throws: `Egress.Failure.unreachable` after that, and what `body` throws.
    static func withPinned<Answer: Sendable>(
        _ name: String, at address: String, for patience: Duration,
        _ body: @escaping @Sendable (HTTPClient) async throws -> Answer
    ) async throws -> Answer {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.dnsOverride = [name: address]
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        // Who sends has pauses of its own; a place that refuses connections is not asked again and again until then.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let answer = try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask { try await body(client) }
                group.addTask {
                    try await _Concurrency.Task.sleep(for: patience)
                    throw Egress.Failure.unreachable
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw Egress.Failure.unreachable }
                return answer
            }
            try? await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}

extension HTTPClientResponse.Body {
    /// The whole of it.
    ///
    /// - Throws: `Egress.Failure.tooLong` for more bytes than that.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        do {
            return Array((try await collect(upTo: limit)).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Egress.Failure.tooLong
        }
    }
}
