import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// What is asked of a channel of another server's rendezvous point (Pico protocol, section 3.1).
package struct ChannelRequest: Sendable, Equatable {
    /// What to write, or `nil` to read.
    let message: [UInt8]?
}

/// What it answered.
package struct ChannelAnswer: Sendable {
    let status: Int
    let mediaType: String
    let body: [UInt8]
}

/// How a request goes to a channel at an address that was checked.
///
/// Tests give their own.
package protocol EgressChannel: Sendable {
    /// Asks the server of the address at `place`, and no other, even if the name leads elsewhere by now.
    ///
    /// - Throws: `Egress.Failure`.
    func ask(_ request: ChannelRequest, at address: EgressAddress, place: String) async throws -> ChannelAnswer
}

/// Real connections: a certificate for the name, no redirects, and a time for the answer.
struct HTTPEgressChannel: EgressChannel {
    /// Longer than a request waits at a channel, and shorter than one waits here for its answer.
    static let patience: Duration = .seconds(50)
    private let patience: Duration

    init(patience: Duration = Self.patience) { self.patience = patience }

    func ask(_ request: ChannelRequest, at address: EgressAddress, place: String) async throws -> ChannelAnswer {
        let sent = Self.request(request, address)
        return try await HTTPClient.withPinned(address.host, at: place, for: patience) { [patience] client in
            let answer = try await client.execute(sent, timeout: TimeAmount(patience))
            return ChannelAnswer(
                status: Int(answer.status.code), mediaType: answer.headers.first(name: "content-type") ?? "",
                body: try await answer.body.bytes(upTo: Limits.Body.channel.rawValue))
        }
    }

    private static func request(_ asked: ChannelRequest, _ address: EgressAddress) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.text)
        request.headers.add(name: "user-agent", value: "countersign")
        if let message = asked.message {
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/octet-stream")
            request.body = .bytes(message)
        }
        return request
    }
}
