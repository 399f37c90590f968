import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Something that is sent with POST: who gets it decides only whether it counts as delivered.
package struct EgressMessage: Sendable {
    /// Names and values, in their order.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
}

/// How something is sent to an address that was checked.
///
/// Tests give their own.
package protocol EgressSender: Sendable {
    /// Sends to the server of the address at `place`, and to no other, even if the name leads elsewhere by now.
    ///
    /// - Returns: the status.
    func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> Int
}

/// Real connections: a certificate for the name, no redirects, a time for the answer, whose body nobody reads.
struct HTTPEgressSender: EgressSender {
    private let patience: Duration

    init(patience: Duration = HTTPEgressTransport.patience) { self.patience = patience }

    func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> Int {
        let client = HTTPClient.pinned(address.host, at: place)
        do {
            let status = try await post(message, address, by: client)
            try? await client.shutdown()
            return status
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func post(_ message: EgressMessage, _ address: EgressAddress, by client: HTTPClient) async throws -> Int {
        var request = HTTPClientRequest(url: address.text)
        request.method = .POST
        for (name, value) in message.fields { request.headers.add(name: name, value: value) }
        request.headers.add(name: "user-agent", value: "countersign")
        request.body = .bytes(message.body)
        return try await withThrowingTaskGroup(of: Int.self) { [request, patience] group in
            group.addTask { Int(try await client.execute(request, timeout: TimeAmount(patience)).status.code) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw Egress.Failure.unreachable
            }
            defer { group.cancelAll() }
            guard let status = try await group.next() else { throw Egress.Failure.unreachable }
            return status
        }
    }
}

extension HTTPClient {
    /// A client for one request: a connection kept from before may lead to another address than this one.
    static func pinned(_ name: String, at address: String) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.dnsOverride = [name: address]
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
