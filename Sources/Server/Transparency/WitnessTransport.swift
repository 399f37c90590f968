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
package struct HTTPWitnessTransport: WitnessTransport {
    /// From the request to the end of its answer.
    private static let time: Int64 = 10

    /// A transport over this process's connections.
    package init() {}

    package func addCheckpoint(_ body: [UInt8], at url: String) async throws -> (status: Int, body: [UInt8]) {
        var request = HTTPClientRequest(url: url + (url.hasSuffix("/") ? "" : "/") + "add-checkpoint")
        request.method = .POST
        request.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        request.body = .bytes(body)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(Self.time))
        let bytes = try await answer.body.collect(upTo: WitnessAnswer.maximumLength)
        return (Int(answer.status.code), Array(bytes.readableBytesView))
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
