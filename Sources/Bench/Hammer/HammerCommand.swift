import ArgumentParser
import Foundation

/// `countersign-bench hammer`: load of real signed acts, and whether what was acknowledged is there.
///
/// Not listed among the others: it fills a server with people who do not exist.
struct HammerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hammer",
        abstract: "Load with invariants: what was acknowledged is there, once, and in the log.",
        discussion: """
            'run' sends people to servers who sign up, are identified, get, show, revoke and delete documents, with \
            wallets of their own, operators who have made-up clients sign by hand, and services that ask members, and writes each acknowledged act \
            into a journal. 'check' then compares the journal \
            with database, sealed documents and log. While they run, scripts/kill-test kills what there is to kill.

            Only for servers without real people, started with --trust-proxy: each of the load claims an address of \
            its own.
            """,
        shouldDisplay: false, subcommands: [HammerRun.self, HammerCheck.self])
}

/// `countersign-bench hammer run`.
struct HammerRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send load to one or several servers of one organisation.",
        discussion: """
            Ends after --seconds, or at SIGTERM or SIGINT: everybody finishes the act under way.

              countersign-bench hammer run --server http://localhost:8080 --folder ./hammer --code CODE
            """)

    @Option(help: "A server's address; may be given several times.") var server: [String]
    @Option(help: "Where journal and wallets are.") var folder: String
    @Option(help: "The server's set-up code, the first time.") var code: String?
    @Option(help: "How many members act at once.") var members = 4
    @Option(help: "How many at once invite and certify.") var offices = 1
    @Option(help: "How many operators at once have clients sign by hand.") var desks = 2
    @Option(help: "How many services at once ask members, who answer.") var services = 1
    @Option(help: "Ends after so many seconds.") var seconds: Int?
    @Option(help: "Decides what the load does; the machine decides when.") var seed: UInt64 = 1
    @Flag(help: "Go on asking servers that say that they are not ready.") var stubborn = false
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard !server.isEmpty, (1...1_000).contains(members), (0...1_000).contains(offices),
            (0...1_000).contains(desks), (0...100).contains(services), (1...31_536_000).contains(seconds ?? 1)
        else {
            throw ValidationError(
                "Give a --server, 1 to 1000 members, at most 1000 offices, 1000 desks, 100 services and a year of seconds."
            )
        }
    }

    func run() async throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/wallets", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let servers = try HammerServers(server, isStubborn: stubborn)
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { servers.stop() }
            source.resume()
            return source
        }
        defer { signals.forEach { $0.cancel() } }
        let journal = try HammerJournal(path: "\(folder)/journal")
        let hand = HammerHand(servers: servers, journal: journal)
        let office = try await HammerOffice.open(
            HammerPeople(folder: folder, servers: servers), hand, code: code)
        if !json { print("under load") }
        fflush(nil)
        let limit = seconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                servers.stop()
            }
        }
        let round = journal.beginning
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<members {
                let dice = HammerDice(seed: seed &+ UInt64(lane))
                group.addTask { await HammerLife(office: office).work(name: "m\(round)-\(lane)", dice: dice) }
            }
            for lane in 0..<offices {
                let dice = HammerDice(seed: seed &+ UInt64(members + lane))
                group.addTask { await office.work(name: "o\(round)-\(lane)", dice: dice) }
            }
            for lane in 0..<desks {
                let dice = HammerDice(seed: seed &+ UInt64(members + offices + lane))
                let desk = HammerDesk(office: office)
                group.addTask { await desk.work(name: "d\(round)-\(lane)", lane: lane, dice: dice) }
            }
            for lane in 0..<services {
                let dice = HammerDice(seed: seed &+ UInt64(members + offices + desks + lane))
                let approvals = HammerApprovals(office: office)
                group.addTask { await approvals.work(name: "a\(round)-\(lane)", dice: dice) }
            }
        }
        limit?.cancel()
        try Figures(
            acknowledged: journal.count(.acknowledged), unknown: journal.count(.unknown),
            refused: journal.count(.refused), wrong: journal.count(.wrong)
        ).print(json: json)
    }

    private struct Figures: BenchFigures {
        let acknowledged: Int
        let unknown: Int
        let refused: Int
        let wrong: Int

        var words: String {
            "\(acknowledged) acts acknowledged, \(unknown) answers lost, \(refused) refused the second time, \(wrong) wrong"
        }
    }
}
