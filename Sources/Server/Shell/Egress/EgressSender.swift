import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Something that is sent with POST: who gets it decides only whether it counts as delivered.
package struct EgressMessage: Sendable {
    /// Names and values, in their order.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
}

/// The head of the answer to what was sent; nobody reads its body.
package struct EgressAnswer: Sendable, Equatable {
    package let status: Int
    /// `Retry-After`, as it came.
    package var retryAfter: String?
    /// An answer.
    package init(status: Int, retryAfter: String? = nil) { (self.status, self.retryAfter) = (status, retryAfter) }
}

/// How something is sent to an address that was checked.
///
/// Tests give their own.
package protocol EgressSender: Sendable {
    /// Sends to the server of the address at `place`, and to no other, even if the name leads elsewhere by now.
    func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> EgressAnswer
}

/// Real connections: a certificate for the name, no redirects, a time for the answer, whose body nobody reads.
struct HTTPEgressSender: EgressSender {
    private let patience: Duration

    init(patience: Duration = HTTPEgressTransport.patience) { self.patience = patience }

    func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> EgressAnswer {
        try await HTTPClient.withPinned(address.host, at: place) { try await post(message, address, by: $0) }
    }

    private func post(
        _ message: EgressMessage, _ address: EgressAddress, by client: HTTPClient
    ) async throws -> EgressAnswer {
        var request = HTTPClientRequest(url: address.text)
        request.method = .POST
        for (name, value) in message.fields { request.headers.add(name: name, value: value) }
        request.headers.add(name: "user-agent", value: "countersign")
        request.body = .bytes(message.body)
        return try await withThrowingTaskGroup(of: EgressAnswer.self) { [request, patience] group in
            group.addTask {
                let answer = try await client.execute(request, timeout: TimeAmount(patience))
                return EgressAnswer(
                    status: Int(answer.status.code), retryAfter: answer.headers.first(name: "retry-after"))
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw Egress.Failure.unreachable
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw Egress.Failure.unreachable }
            return answer
        }
    }
}

extension HTTPClient {
    /// Gives a client that reaches a name at one address only, and closes it afterwards.
    ///
    /// Each request has its own: a connection kept from before may lead to another address than this one.
    static func withPinned<Answer: Sendable>(
        _ name: String, at address: String, _ body: (HTTPClient) async throws -> Answer
    ) async throws -> Answer {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.dnsOverride = [name: address]
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let answer = try await body(client)
            try? await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}
