import Encodings
import Interface

/// A service waits until a question is decided: bounded, and ended by the decision, by its end, or by the clock.
struct ApprovalWaiting {
    let environment: Environment
    /// Who waits in this process, by services: members listen in the same pool, and must find a place there.
    private let underWay = UnderWay()

    init(environment: Environment) { self.environment = environment }

    /// The name by which a question's waiting service listens; no account has it.
    static func listener(_ id: String) -> String { "challenge \(id)" }

    /// Where a question stands, as soon as that is no longer pending, or after so many seconds.
    ///
    /// - Throws: `Problem` `tooManyRequests` when the service, or all services together, wait for too many already.
    func find(
        _ id: String, user: String?, _ program: CallingProgram, seconds: Int64
    ) async throws -> ServiceChallenge {
        let asking = ApprovalAsking(environment: environment)
        // A service that may not see it must not listen to it.
        let first = try await asking.find(id, user: user, program)
        guard seconds > 0, first.state == .pending else { return first }
        let together = min(Limits.waits, environment.events.most / 2)
        guard underWay.begin(program.id, ofEach: Limits.waitsOfService, together: together) else {
            throw Problem(
                .tooManyRequests, "Too many requests wait already: \(Limits.waitsOfService) of a service may.",
                retryAfter: Limits.waitPause)
        }
        defer { underWay.end(program.id) }
        let principal = Principal(account: Self.listener(id), role: .member, session: Self.listener(id), device: nil)
        let stream = try environment.events.subscribe(principal) {
            $0.kind == LiveEvent.Kind.approval.rawValue && $0.id == id
        }
        // Again, since it may have been decided before anybody listened.
        let second = try await asking.find(id, program)
        guard second.state == .pending else { return second }
        let wait = min(seconds, second.expires - environment.now() + 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock = environment.clock] in try? await clock.sleep(.seconds(wait)) }
            group.addTask {
                for await frame in stream { if case .event = frame { return } }
            }
            await group.next()
            group.cancelAll()
        }
        return try await asking.find(id, program)
    }
}
