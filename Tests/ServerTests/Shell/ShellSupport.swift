import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Server

/// A clock that stands still until it is told to move.
///
/// A sleeper wakes when it has moved far enough.
final class ManualClock: Sendable {
    private struct State {
        var time: Duration = .zero
        var next = 0
        var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var waiters: [Int: (isMet: @Sendable (State) -> Bool, wake: CheckedContinuation<Void, Never>)] = [:]
    }
    private let state = Mutex(State())

    var clock: ServerClock {
        ServerClock(
            now: { 1_790_000_000 + Int64(self.state.withLock { $0.time }.components.seconds) },
            uptime: { self.state.withLock { $0.time } },
            sleep: { try await self.sleep($0) })
    }

    /// - Returns: how many tasks still sleep.
    @discardableResult
    func advance(_ duration: Duration) -> Int {
        let (due, left) = state.withLock { state in
            state.time += duration
            let due = state.sleepers.filter { $0.value.until <= state.time }
            due.keys.forEach { state.sleepers[$0] = nil }
            return (due.values.map(\.wake), state.sleepers.count)
        }
        due.forEach { $0.resume() }
        return left
    }

    /// Returns once at least `count` tasks sleep, or when the test is cancelled: else its time limit would end nothing.
    func waitForSleepers(_ count: Int) async { await wait { $0.sleepers.count >= count } }

    /// Returns once a task sleeps for so long or longer: others, such as one that limits the time of requests, may begin
    /// to sleep at any moment.
    func waitForSleeper(of duration: Duration) async {
        await wait { state in state.sleepers.values.contains { $0.until >= state.time + duration } }
    }

    /// Returns once a task sleeps for exactly so long, which is how one wait is told from others.
    func waitForSleeper(ofExactly duration: Duration) async {
        await wait { state in state.sleepers.values.contains { $0.until == state.time + duration } }
    }

    private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if Task.isCancelled || isMet(state) { return true }
                    state.waiters[id] = (isMet, continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.wake.resume()
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let (isCancelled, ready) = state.withLock { state in
                    if state.cancelled.remove(id) != nil {
                        return (true, [] as [CheckedContinuation<Void, Never>])
                    }
                    state.sleepers[id] = (state.time + duration, wake)
                    let ready = state.waiters.filter { $0.value.isMet(state) }
                    ready.keys.forEach { state.waiters[$0] = nil }
                    return (false, ready.values.map(\.wake))
                }
                if isCancelled { wake.resume(throwing: CancellationError()) }
                ready.forEach { $0.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }
}

/// Takes the role's name for a token.
struct RoleAuthenticator: SessionAuthenticator {
    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
        Role(rawValue: token).map { Principal(account: "a-" + token, role: $0, session: "s-" + token, device: "d") }
    }
}

struct Unexpected: Error {
    let secret = "the-secret-inside"
}

/// A body for tests: every kind of member that the interface has.
struct Sample: Codable, Sendable, Equatable {
    enum Colour: String, Codable, Sendable, CaseIterable { case red, green }
    struct Inner: Codable, Sendable, Equatable { var text: String }
    var name: String
    var count: Int
    var isReady: Bool
    var publicURL: String
    var colour: Colour
    var inner: Inner
    var list: [Inner]
    var note: String?

    static let valid = """
        {"name":"n","count":3,"is_ready":true,"public_url":"u","colour":"red","inner":{"text":"t"},\
        "list":[{"text":"x"}]}
        """
}

/// A server with one route of each sort.
func sampleRoutes() -> RouteTable {
    var routes = RouteTable()
    routes.open(.post, "/api/sample", "Echo", rate: .signUp, takes: Sample.self, answers: Sample.self) { sample, _ in
        sample
    }
    routes.open(.get, "/api/broken", "Fails", answers: Sample.self) { _ in throw Unexpected() }
    routes.open(.get, "/api/things/{id}", "Path", answers: Listing<String>.self) { call in
        Listing([try call.parameter("id")])
    }
    routes.openRaw(.get, "/tile/{path+}", "Rest", answers: "text/plain") { .text($0.rest.joined(separator: "|")) }
    routes.secured(.get, "/api/me", "Session", nil, answers: Listing<String>.self) { _, principal in
        Listing([principal.account])
    }
    routes.secured(.delete, "/api/me", "Ends", .delegate, answers: NoContent.self) { _, _ in NoContent() }
    routes.securedRaw(.get, "/api/events", "Live updates", .ownAccount, answers: "text/event-stream") {
        try await $0.liveUpdates($1)
    }
    ShellRoutes().add(to: &routes, publicURL: "http://localhost:8080")
    return routes
}

func makeShell(_ clock: ServerClock = ManualClock().clock, readiness: [ReadinessCheck] = []) -> Shell {
    Shell(
        clock: clock, authenticator: RoleAuthenticator(), readiness: readiness, publicURL: "https://sign.example.test")
}

/// Runs `test` against the routes, in memory.
func withServer(
    _ shell: Shell = makeShell(), routes: RouteTable = sampleRoutes(), log: LineLogHandler? = nil,
    _ test: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
    let handler = log ?? LineLogHandler(format: .text) { _ in }
    let application = Application(
        router: routes.router(shell), logger: Logger(label: "test") { _ in handler })
    try await application.test(.router) { try await test($0) }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    var bytes: Bytes { Array(body.readableBytesView) }
}

/// The problem in an answer; everything that must be true of every problem is checked here.
func problem(_ response: TestResponse, _ location: SourceLocation = #_sourceLocation) throws -> ProblemDetails {
    #expect(response.headers[.contentType] == "application/problem+json", sourceLocation: location)
    #expect(response.headers[.cacheControl] == "no-store", sourceLocation: location)
    #expect(response.headers[.xContentTypeOptions] == "nosniff", sourceLocation: location)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let details = try decoder.decode(ProblemDetails.self, from: Data(response.bytes))
    #expect(details.status == response.status.code, sourceLocation: location)
    #expect(details.type.hasPrefix("/problems/"), sourceLocation: location)
    #expect(details.instance == response.headers[.requestID], sourceLocation: location)
    return details
}
