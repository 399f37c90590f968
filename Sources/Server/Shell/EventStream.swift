import Encodings
import Foundation
package import Hummingbird
import HTTPTypes
import Interface
import NIOCore

extension Response {
    /// An answer of server-sent events (HTML, section 9.2) that lasts until the stream, the connection or the server
    /// ends.
    package static func events(_ stream: AsyncStream<EventHub.Frame>) -> Response {
        let body = ResponseBody { writer in
            // The first bytes let a proxy pass the head on at once.
            try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
            // The hub ends every stream when the server stops. Waiting for that here as well would cost each listener
            // tasks of its own.
            for await frame in stream {
                try await writer.write(ByteBuffer(bytes: frame.bytes))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }
}

extension Call {
    /// Live updates for who sends the request.
    ///
    /// - Throws: `Problem` `unauthenticated` or `busy` when the session has ended or its role has changed before anybody
    ///   listened: that ended no stream.
    package func liveUpdates(_ principal: Principal) async throws -> Response {
        let stream = try shell.events.subscribe(principal)
        guard try await principalNow().role == principal.role else {
            throw Problem(.busy, "Your role has changed. Ask again.", cause: "role")
        }
        return .events(stream)
    }
}

extension EventHub.Frame {
    /// The frame on the wire.
    ///
    /// JSON has no raw line breaks, so that one `data` line holds the event.
    var bytes: Bytes {
        switch self {
        case .heartbeat: return Bytes(text: ": still here\n\n")
        case .event(let event):
            let json = JSON.members([
                ("kind", .text(event.kind)), ("id", .text(event.id)), ("state", .text(event.state)),
            ])
            return Bytes(text: "data: ") + json.serialized() + Bytes(text: "\n\n")
        }
    }
}
