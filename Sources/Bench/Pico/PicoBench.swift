import ArgumentParser
import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Server
import Storage
import Wallet

/// `countersign-bench pico`: the original's evaluation, through a rendezvous on this machine, on five curves.
///
/// Curves take turns, run by run: a machine that others use too is as fast for a moment, and not for a minute.
struct PicoBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pico",
        abstract:
            "Pair and sign in through a rendezvous as the wallet sees it, and the service's handshakes per second.",
        discussion: """
            A time is from the wallet's first step to Status. Wallet, service and rendezvous share this process. The \
            handshakes are the service's steps alone, on P-256, in processor time.
            """)

    @Option(help: "How many pairings and how many sign-ins on each curve.") var runs = 50
    @Option(help: "How many handshakes of the service alone.") var handshakes = 2_000
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...100_000).contains(runs), (1...1_000_000).contains(handshakes) else {
            throw ValidationError("Give 1 to 100000 runs, and 1 to 1000000 handshakes.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let flags = ["port": "0", "log-level": "critical"]
        guard case .success(let configuration) = ServerConfiguration.read(flags: flags, environment: [:], file: nil)
        else { throw ValidationError("The server's settings are refused.") }
        let server = try await CountersignServer(
            configuration: configuration, directory: try DataDirectory.open(folder), publicURL: PagesVisitor.url,
            parts: CountersignServer.Parts(isLimitingRates: false),
            database: try await SQLiteDatabase.open(folder + "/bench.sqlite"))
        let logger = ServerLog.makeLogger(configuration, settings: server.settings)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let times = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(logger: logger, stopsOnSignals: false) { announce.yield($0) } }
            var port = 0
            for await listening in ports {
                port = listening
                break
            }
            let times = try await measure(port)
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
            return times
        }
        let rate = try PicoHandshakes(count: handshakes).perSecond()
        try PicoFigures(curves: times.map { $0.figures }, runs: runs, handshakesPerSecond: rate).print(json: json)
    }

    private func measure(_ port: Int) async throws -> [PicoTimes] {
        var times = try PicoCurveName.allCases.map { try PicoTimes(PicoBenchPeer(curve: $0, port: port)) }
        // The first runs warm everything up.
        for run in -3..<runs {
            for index in times.indices {
                let pairing = try await times[index].peer.pair()
                let signIn = try await times[index].peer.signIn()
                if run >= 0 { times[index].add(pairing: pairing, signIn: signIn) }
            }
        }
        return times
    }
}

/// What was seen on one curve, in milliseconds.
private struct PicoTimes {
    let peer: PicoBenchPeer
    private var pairings: [Double] = []
    private var signIns: [Double] = []

    init(_ peer: PicoBenchPeer) { self.peer = peer }

    mutating func add(pairing: Double, signIn: Double) {
        pairings.append(pairing)
        signIns.append(signIn)
    }

    var figures: PicoFigures.Curve {
        PicoFigures.Curve(
            curve: peer.curve.rawValue, pairing: PicoFigures.Spread(pairings), signIn: PicoFigures.Spread(signIns))
    }
}
