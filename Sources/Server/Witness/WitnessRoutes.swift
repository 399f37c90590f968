import Encodings
import Hummingbird
import Logging
import Transparency

/// The HTTP interface of a witness (C2SP tlog-witness).
struct WitnessRoutes {
    let service: WitnessService

    func add(to routes: inout RouteTable) {
        let service = service
        routes.openRaw(
            .post, "/add-checkpoint", "Sign a checkpoint that continues the last (C2SP tlog-witness)",
            rate: .page, answers: "text/plain; charset=utf-8",
            problems: [.badRequest, .forbidden, .notFound, .conflict, .invalidMember]
        ) { call in
            let body = try await call.shell.limits.run(Limits.Body.medium.time, or: Problem(.requestTimeout)) {
                try await call.request.collectBytes(limit: .medium)
            }
            do {
                let lines = try await service.add(body)
                return .bytes(lines, mediaType: "text/plain; charset=utf-8")
            } catch let refusal as WitnessService.Refusal {
                return try refusal.response(logger: call.logger)
            }
        }
        routes.openRaw(
            .get, "/checkpoint", "The newest checkpoint signed for a log, ?origin=NAME: for monitors that compare",
            answers: "text/plain; charset=utf-8", problems: [.notFound]
        ) { call in
            guard let origin = call.query("origin"), let note = try await service.newest(origin: origin) else {
                throw Problem(.notFound)
            }
            return .bytes(note, mediaType: "text/plain; charset=utf-8")
        }
        routes.openRaw(
            .get, "/key", "This witness's verifier key", answers: "text/plain; charset=utf-8"
        ) { _ in .bytes(service.verifierKey.encoded() + [0x0A], mediaType: "text/plain; charset=utf-8") }
    }
}

extension WitnessService.Refusal {
    /// The answer that the standard asks for; where it leaves the body open, a problem document.
    fileprivate func response(logger: Logger) throws -> Response {
        switch self {
        case .malformed(let error): throw Problem(.badRequest, "The body is no add-checkpoint request: \(error).")
        case .unknownLog: throw Problem(.notFound, "This witness does not watch that log.")
        case .rule(.unsigned): throw Problem(.forbidden, "No key that is known for that log has signed.")
        case .rule(.olderThanOld): throw Problem(.badRequest, "The old size is above the checkpoint's.")
        case .rule(.otherSize(let size)):
            return .text("\(size)\n", status: .conflict, mediaType: "text/x.tlog.size")
        case .rule(.forked(let size)):
            logger.critical("a log has signed two trees of one size", metadata: ["size": "\(size)"])
            return .text("\(size)\n", status: .conflict, mediaType: "text/x.tlog.size")
        case .rule(.inconsistent):
            logger.warning("a checkpoint does not go on from the last one signed")
            throw Problem(.invalidMember, "The proof does not show that the last tree is the beginning of this one.")
        }
    }
}
