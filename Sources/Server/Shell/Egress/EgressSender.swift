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
        var request = HTTPClientRequest(url: address.text)
        request.method = .POST
        for (name, value) in message.fields { request.headers.add(name: name, value: value) }
        request.headers.add(name: "user-agent", value: "countersign")
        request.body = .bytes(message.body)
        return try await HTTPClient.withPinned(address.host, at: place, for: patience) { [request, patience] client in
            let answer = try await client.execute(request, timeout: TimeAmount(patience))
            return EgressAnswer(
                status: Int(answer.status.code), retryAfter: answer.headers.first(name: "retry-after"))
        }
    }
}
