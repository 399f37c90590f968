package import HTTPTypes
package import Hummingbird
import NIOCore

extension Response {
    /// A JSON answer in the interface's form: names in snake case, sorted.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, mediaType: String = "application/json"
    ) -> Response {
        .bytes(jsonBytes(value), status: status, mediaType: mediaType)
    }

    /// JSON in the interface's form.
    ///
    /// Empty if it cannot be encoded, which no value of the interface brings about: their numbers are whole.
    static func jsonBytes(_ value: some Encodable) -> [UInt8] {
        (try? StrictEncoder.bytes(value)) ?? []
    }

    /// An answer of plain text, UTF-8.
    package static func text(
        _ text: String, status: HTTPResponse.Status = .ok, mediaType: String = "text/plain; charset=utf-8"
    ) -> Response {
        .bytes(Array(text.utf8), status: status, mediaType: mediaType)
    }

    /// An answer of bytes.
    package static func bytes(
        _ bytes: [UInt8], status: HTTPResponse.Status = .ok, mediaType: String
    ) -> Response {
        Response(
            status: status, headers: [.contentType: mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The answer of an act that has nothing to say: 204 without a body.
package struct NoContent: Codable, Sendable {
    /// Whether the calling session is over: then a page's cookies go too.
    let endsSession: Bool

    /// Nothing.
    package init(endsSession: Bool = false) { self.endsSession = endsSession }
}
