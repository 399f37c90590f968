import Encodings
import HTTPTypes
import Hummingbird
import Pico
import ServiceLifecycle

/// The rendezvous over HTTP, as the clients that exist speak it (Pico protocol, section 3.1).
///
/// They look at exact media types, want the length of each answer, and know three sentences of JSON.
struct RendezvousRoutes {
    let rendezvous: Rendezvous
    /// Makes a name that nobody guesses: 32 hexadecimal digits.
    let newName: @Sendable () -> String

    func add(to routes: inout RouteTable) {
        routes.openRaw(
            .get, "/new", "A fresh name for a channel", rate: .rendezvous, answers: "text/html"
        ) { [newName] _ in Self.answer(Bytes(text: newName()), "text/html") }
        routes.openRaw(
            .get, "/channel/{name}", "Wait for what is written to a channel", rate: .rendezvous,
            answers: "application/octet-stream", problems: Self.problems
        ) { call in
            try await meet(call, writing: nil)
        }
        routes.openRaw(
            .post, "/channel/{name}", "Write to a channel, and wait for the reader", rate: .rendezvous,
            takes: "application/octet-stream", answers: "application/json", problems: Self.problems
        ) { call in
            try await meet(call, writing: Bytes(try await Self.body(call)))
        }
        routes.openRaw(
            .delete, "/channel/{name}", "Close a channel", rate: .rendezvous, answers: "application/json",
            problems: [.notFound]
        ) { call in
            rendezvous.close(try Self.name(call))
            return try Self.answer(.taken)
        }
        routes.openRaw(
            .options, "/channel/{name}", "What pages of other sites may ask of a channel", rate: .rendezvous,
            answers: "text/plain", problems: [.notFound]
        ) { call in
            _ = try Self.name(call)
            var response = Response(status: .noContent, headers: Self.shared)
            response.headers[.accessControlAllowMethods] = "GET, POST, DELETE, OPTIONS"
            response.headers[.accessControlAllowHeaders] = "Content-Type"
            return response
        }
    }

    /// Reads or writes; a request that has to wait ends with the connection of the client, and with the server.
    private func meet(_ call: Call, writing message: Bytes?) async throws -> Response {
        let (name, address) = (try Self.name(call), call.address)
        do {
            if let met = try rendezvous.meet(name, writing: message, from: address) { return try Self.answer(met) }
            let answer = try await call.whileConnected { [rendezvous] in
                try await cancelWhenGracefulShutdown {
                    try await rendezvous.wait(at: name, writing: message, from: address)
                }
            }
            return try Self.answer(answer)
        } catch is CancellationError {
            // Nobody is there to read it.
            return try Self.answer(.timedOut)
        } catch is Rendezvous.Full {
            throw Problem(.tooManyRequests, "Too many requests wait at channels.", retryAfter: Limits.channelPause)
        }
    }

    private static let problems: [ProblemKind] = [.notFound, .tooManyRequests]

    /// Any page may use a channel whose name it knows.
    private static let shared: HTTPFields = [.accessControlAllowOrigin: "*", .resourcePolicy: "cross-origin"]

    /// A channel's name.
    ///
    /// - Throws: `Problem` `not-found` for one that no client of ours makes (section 14), and for a slash behind it.
    private static func name(_ call: Call) throws(Problem) -> String {
        let name = try call.parameter("name")
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, Limits.channelName ~= name.utf8.count, call.request.uri.path.last != "/" else {
            throw Problem(.notFound)
        }
        return name
    }

    private static func body(_ call: Call) async throws -> [UInt8] {
        let request = call.request
        return try await call.shell.limits.run(Limits.bodyTime, or: Problem(.requestTimeout)) {
            try await request.collectBytes(limit: .channel)
        }
    }

    /// - Throws: `Problem`, where the original server answers with an error: its clients look at the status code alone.
    private static func answer(_ answer: RendezvousAnswer) throws(Problem) -> Response {
        switch answer {
        case .data, .taken, .closed, .timedOut: Self.answer(answer.body, "\(answer.contentType)")
        case .busy: throw Problem(.notFound, "Somebody else waits at this channel.")
        case .tooLarge: throw Problem(.tooLarge)
        }
    }

    private static func answer(_ bytes: Bytes, _ mediaType: String) -> Response {
        var response = Response.bytes(Array(bytes), mediaType: mediaType)
        response.headers.append(contentsOf: shared)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
