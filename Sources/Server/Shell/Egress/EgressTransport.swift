import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// How an answer is fetched from an address that was checked.
///
/// Tests give their own.
package protocol EgressTransport: Sendable {
    /// Asks the server of `name` at `address`, and no other, even if the name leads elsewhere by now.
    ///
    /// - Throws: `Egress.Failure`.
    func get(
        _ path: String, of name: String, at address: String, limit: Int
    ) async throws -> (status: Int, body: [UInt8])
}

/// Real connections: https, a certificate for the name, no redirects, a time for the whole answer.
struct HTTPEgressTransport: EgressTransport {
    /// From the connection to the last byte of its answer.
    static let patience: Duration = .seconds(10)
    private let scheme: String
    private let port: Int?
    private let patience: Duration

    /// The way for everything outside tests.
    init() { self.init(scheme: "https", port: nil, patience: Self.patience) }

    /// - Parameters:
    ///   - scheme: tests without certificates take another.
    ///   - port: `nil` for the scheme's own.
    init(scheme: String, port: Int?, patience: Duration) {
        self.scheme = scheme
        self.port = port
        self.patience = patience
    }

    func get(
        _ path: String, of name: String, at address: String, limit: Int
    ) async throws -> (status: Int, body: [UInt8]) {
        var request = HTTPClientRequest(url: "\(scheme)://\(name)\(port.map { ":\($0)" } ?? "")\(path)")
        request.headers.add(name: "accept", value: "*/*")
        request.headers.add(name: "user-agent", value: "countersign")
        return try await HTTPClient.withPinned(name, at: address, for: patience) { [request, patience] client in
            let answer = try await client.execute(request, timeout: TimeAmount(patience))
            guard answer.status == .ok else { return (Int(answer.status.code), []) }
            return (200, try await answer.body.bytes(upTo: limit))
        }
    }
}
