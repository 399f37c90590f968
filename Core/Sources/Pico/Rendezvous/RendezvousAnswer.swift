public import Encodings

/// What a rendezvous point answers to a request on a channel (section 3.1).
public enum RendezvousAnswer: Sendable, Equatable {
    /// To a reader: what the writer wrote.
    case data(Bytes)
    /// To a writer: a reader has taken the bytes. To a closer: done.
    case taken
    /// Somebody closed the channel.
    case closed
    /// Nobody came in time. Send the same request again.
    case timedOut
    /// Somebody else reads or writes already: 404.
    case busy
    /// The body is longer than a message may be. Only our own server says so: 413.
    case tooLarge

    /// The status code of HTTP.
    public var statusCode: Int {
        switch self {
        case .data, .taken, .closed, .timedOut: 200
        case .busy: 404
        case .tooLarge: 413
        }
    }

    /// The value of Content-Type, exactly as jpico wants it, without parameters.
    public var contentType: StaticString {
        switch self {
        case .data: "application/octet-stream"
        case .taken, .closed, .timedOut, .busy, .tooLarge: "application/json"
        }
    }

    /// The body; its length has to be sent as Content-Length.
    public var body: Bytes {
        switch self {
        case .data(let bytes): bytes
        case .taken: Bytes(text: "{\"status\":\"ok\",\"code\":0}\n")
        case .closed: Bytes(text: "{\"status\":\"ok\",\"code\":-1,\"message\":\"channel closed\"}\n")
        case .timedOut: Bytes(text: "{\"status\":\"error\",\"code\":2,\"message\":\"request timed out\"}\n")
        case .busy: Bytes(text: "{\"status\":\"error\",\"code\":1,\"message\":\"channel in use\"}\n")
        case .tooLarge: Bytes(text: "{\"status\":\"error\",\"code\":1,\"message\":\"message too long\"}\n")
        }
    }

    /// Reads an answer as a client.
    ///
    /// What it means is in the content type, not in the bytes: a message begins with its length, and status is JSON.
    ///
    /// - Throws: `malformed` for another content type, status code or code in the body, `tooLarge` above 64 KiB.
    public static func read(statusCode: Int, contentType: Bytes, body: Bytes) throws(PicoError) -> RendezvousAnswer {
        guard body.count <= PicoLimits.message + 4 else { throw .tooLarge }
        if statusCode == 404 { return .busy }
        guard statusCode == 200 else { throw .malformed }
        if contentType.equals("application/octet-stream") { return .data(body) }
        guard contentType.equals("application/json") else { throw .malformed }
        switch try PicoMembers(body, maximumLength: 1_024).int32("code") {
        case 0: return .taken
        case -1: return .closed
        case 2: return .timedOut
        default: throw .malformed
        }
    }
}
