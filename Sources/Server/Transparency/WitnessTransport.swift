import AsyncHTTPClient
import Encodings
import Foundation
import NIOCore
import NIOHTTP1
import Transparency

/// How a witness is reached.
///
/// Tests give their own.
package protocol WitnessTransport: Sendable {
    /// Posts a request to a witness's `add-checkpoint`.
    ///
    /// - Parameter url: the submission prefix.
    /// - Returns: status and body, at most `WitnessAnswer.maximumLength` bytes.
    func addCheckpoint(_ body: [UInt8], at url: String) async throws -> (status: Int, body: [UInt8])
}

/// Witnesses over HTTP.
///
/// A witness belongs to someone else: its whole answer has a time limit, and it cannot redirect us.
package struct HTTPWitnessTransport: WitnessTransport {
    /// Why there is no answer.
    enum Failure: Error { case timeout }

    /// From the request to the last byte of its answer.
    static let patience: Duration = .seconds(10)
    private let patience: Duration

    /// One for the whole program: it lives as long as the program.
    private static let http = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5))))

    /// A transport over this process's connections.
    package init() { self.init(patience: Self.patience) }

    init(patience: Duration) { self.patience = patience }

    package func addCheckpoint(_ body: [UInt8], at url: String) async throws -> (status: Int, body: [UInt8]) {
        var request = HTTPClientRequest(url: url + (url.hasSuffix("/") ? "" : "/") + "add-checkpoint")
        request.method = .POST
        request.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        request.body = .bytes(body)
        return try await withThrowingTaskGroup(of: (status: Int, body: [UInt8]).self) { [request, patience] group in
            group.addTask {
                // The client's own limit ends with the head of the answer.
                let answer = try await Self.http.execute(request, timeout: TimeAmount(patience))
                let bytes = try await answer.body.collect(upTo: WitnessAnswer.maximumLength)
                return (Int(answer.status.code), Array(bytes.readableBytesView))
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw Failure.timeout
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw Failure.timeout }
            return answer
        }
    }

    /// Whether a policy may name this address: https, or http on this machine.
    static func isAcceptable(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else { return false }
        return parts.scheme == "https"
            || parts.scheme == "http" && ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }
}
