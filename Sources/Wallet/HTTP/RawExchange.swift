import AsyncHTTPClient
package import Encodings
import NIOCore
import NIOHTTP1

/// One answer of a server, whatever it is.
package struct RawAnswer: Sendable {
    /// The status.
    package let status: Int
    /// The media type, without parameters.
    package let mediaType: String
    /// At most a megabyte of it.
    package let body: Bytes
    /// How long the server took.
    package let duration: Duration
    /// After how many seconds trying again makes sense.
    package let retryAfter: Int?

    /// The body as JSON, if it is.
    package var json: JSON? { try? JSON.parse(body) }
}

extension ServerClient {
    /// Sends anything, and takes whatever comes back: for trying a server out.
    ///
    /// - Parameter mediaType: of the body; `nil` names none.
    package func exchange(
        _ method: String, _ path: String, body: Bytes? = nil, mediaType: String? = "application/json"
    ) async throws -> RawAnswer {
        var request = request(.init(rawValue: method), path, body: body)
        request.headers.remove(name: "content-type")
        if body != nil, let mediaType { request.headers.add(name: "content-type", value: mediaType) }
        let start = ContinuousClock.now
        let response = try await execute(request, timeout: .seconds(60))
        let body = try? await response.body.collect(upTo: 1 << 20)
        let type = response.headers.first(name: "content-type")?.split(separator: ";").first.map(String.init)
        return RawAnswer(
            status: Int(response.status.code), mediaType: type ?? "", body: body.map { Bytes(buffer: $0) } ?? [],
            duration: ContinuousClock.now - start,
            retryAfter: response.headers.first(name: "retry-after").flatMap { Int($0) })
    }
}
