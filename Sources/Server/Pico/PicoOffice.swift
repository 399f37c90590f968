import Encodings
import HTTPTypes
import Hummingbird
import Interface
import Pico
import ServiceLifecycle

/// What pairings and sign-ins share: the server's identity, the runs under way, and the channels.
struct PicoOffice: Sendable {
    let environment: Environment
    let identity: PicoIdentity
    let rendezvous: Rendezvous
    let runs = PicoRuns()
    let holds = PicoHolds()
    let relays = PicoRelayPlaces()
    let looks = PicoLooks()

    init(_ environment: Environment) throws {
        self.environment = environment
        identity = try PicoIdentity(environment.keys, suite: environment.suite)
        rendezvous = Rendezvous(clock: environment.clock)
    }

    var exchange: PicoExchange {
        PicoExchange(rendezvous: rendezvous, clock: environment.clock, suite: environment.suite)
    }

    /// Begins a run, with a channel that nobody guesses.
    func begin(_ purpose: PicoRun.Purpose, _ call: Call) throws -> PicoRun {
        let uptime = exchange.uptime
        let run = PicoRun(
            id: environment.newIdentifier(), channel: environment.newIdentifier(), purpose,
            from: .init(
                address: call.address, browser: call.browser, created: environment.now(), uptime: uptime),
            identity: identity.key)
        try runs.add(run, at: uptime)
        return run
    }

    /// Where both meet.
    func address(of run: PicoRun) throws -> PicoAddress {
        try PicoAddress.parse(
            Bytes(text: "\(environment.publicURL)/channel/\(run.channel)"), accepting: .rendezvous)
    }

    /// Does something for the client that waits, until the client hangs up or the server stops.
    ///
    /// - Returns: `nil` when nobody is there to read it.
    func forClient<Value: Sendable>(
        _ call: Call, _ work: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value? {
        do {
            return try await call.whileConnected { try await cancelWhenGracefulShutdown { try await work() } }
        } catch is CancellationError {
            return nil
        }
    }

    /// Takes a run on for the client that waits.
    ///
    /// - Returns: as `PicoExchange.advance`.
    func wait<Value: Sendable>(
        for run: PicoRun, _ call: Call,
        _ decide: @escaping @Sendable (PicoClaim) async throws -> PicoExchange.Decision<Value>
    ) async throws -> Value? {
        try run.place.take()
        defer { run.leave(at: exchange.uptime) }
        let exchange = exchange
        return try await forClient(call) { try await exchange.advance(run, decide) }
    }

    /// Ends a run, and tells the page that waits for it.
    func end(_ run: PicoRun) {
        run.finish()
        rendezvous.close(run.channel)
        runs.remove(run)
    }
}

extension Call {
    /// The token that the request comes with, of a session that may be locked or over.
    var sessionToken: String? { request.bearerToken ?? shell.cookie.token(of: request) }

    /// What the client's browser calls itself: printable ASCII, and no more than people can read.
    fileprivate var browser: String? {
        guard let text = request.headers[.userAgent] else { return nil }
        let printable = text.utf8.filter { (0x20...0x7E).contains($0) }.prefix(Limits.picoBrowser)
        return printable.isEmpty ? nil : String(decoding: printable, as: UTF8.self)
    }
}
