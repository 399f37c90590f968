import ArgumentParser
import Foundation
import Server

/// `countersign-bench listeners`: how soon one account's live update arrives among thousands who listen.
struct ListenersBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listeners", abstract: "The time of a live update to its account, among thousands who listen.",
        discussion: """
            Members sign up, each from a loopback address of its own (127.0.0.2 and on), and each listens eight times, \
            or as often as --each says. \
            Then one after the other, drawn at random, gives up a face-to-face check that it has just opened: a durable \
            act, of which only its own listeners are told. Measured from the sending of the act, with a few listeners \
            and with all. Without --url a server is started from the program beside this one.

            Each listener takes a file descriptor here and one in the server. This program raises its own limit, and so \
            that of the server it starts, as far as it may: 'ulimit -n' must allow some more than the listeners. The \
            server's own limit of listeners is its setting --live-updates. The exit code is 1 if an event was lost, or \
            came to others or twice.

            With --questions the acts are a service's questions to the members, and as many streams of the HTTP library \
            alone are opened afterwards, for their memory. With --servers 2 and --database two \
            servers share a PostgreSQL, and streams and acts are spread over both. With --bare nothing is done: the \
            streams are the HTTP library's, and their memory is measured.

              countersign-bench listeners --count 10000
              countersign-bench listeners --questions --few 1000 --count 10000 --each 1
            """)

    @Option(help: "How many listen.") var count = 10_000
    @Option(help: "How many listen in the first part.") var few = 100
    @Option(help: "How often each member listens: 1 to 8 times.") var each = 8
    @Option(help: "How many acts to do in each part.") var acts = 200
    @Option(help: "For how many seconds of each part to do nothing, for what heartbeats cost.") var quiet = 20.0
    @Option(help: "The public address of a server that is set up, http://localhost:PORT.") var url: String?
    @Option(help: "The process of that server, for its memory and processor time.") var pid: Int32?
    @Option(help: "The program whose server is started; the one beside this, if left out.") var program: String?
    @Option(help: "An empty PostgreSQL database, postgres://…; SQLite if left out.") var database: String?
    @Option(help: "How many servers share the database.") var servers = 1
    @Flag(help: "Have a service ask.") var questions = false
    @Flag(help: "Listen to the HTTP library alone, for its memory.") var bare = false
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...8).contains(servers), servers == 1 || database != nil else {
            throw ValidationError("1 to 8 servers; several share a --database.")
        }
        guard !bare || !questions && url == nil && servers == 1, url == nil || !questions else {
            throw ValidationError("--bare stands alone, and --questions needs servers that are started here.")
        }
        guard (1...8).contains(each) else { throw ValidationError("Each member listens 1 to 8 times.") }
        guard (1...50_000).contains(count), (1...count).contains(few), (1...100_000).contains(acts), 0...3_600 ~= quiet
        else { throw ValidationError("Give 1 to 50000 listeners, no more of them first, and 1 to 100000 acts.") }
    }

    func run() async throws {
        try ListenersServer.allowFiles(count + 200)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (started, kind) = try await start(folder)
        let parts = try await measured(started, kind, acts: bare ? 0 : acts, quiet: quiet)
        let bareParts =
            questions ? try await measured([ListenersServer(bareOn: nil)], .bare, acts: 0, quiet: min(quiet, 2)) : nil
        try Figures(
            acts: bare ? 0 : acts, servers: started.count, few: parts[0], many: parts[1],
            kibibytesOfBareStream: bareParts.map { $0[1].kibibytesOfStream }
        ).print(json: json)
        guard parts.allSatisfy({ $0.lost + $0.stray == 0 }) else { throw ExitCode(1) }
    }

    /// Measures servers with few listeners and with many, and stops them.
    private func measured(
        _ servers: [ListenersServer], _ kind: ListenersRun.Kind, acts: Int, quiet: Double
    ) async throws -> [Part] {
        defer { for server in servers { server.stop() } }
        // It waits for sockets: on a thread of its own.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try measure(servers, kind, acts: acts, quiet: quiet) })
            }
        }
    }

    private func start(_ folder: String) async throws -> ([ListenersServer], ListenersRun.Kind) {
        if bare { return ([try ListenersServer(bareOn: nil)], .bare) }
        if let url { return ([try ListenersServer(url: url, process: pid)], .checks) }
        let settings = ["--live-updates", String(count + 100)]
        var started = [try ListenersServer(program: program, directory: folder, settings: settings, database: database)]
        do {
            let owner = try await PagesVisitor(
                load: LoadGenerator(port: started[0].port, connections: 1), code: started[0].code)
            while started.count < servers {
                started.append(
                    try ListenersServer(
                        program: program, directory: folder, settings: settings, database: database, isFirst: false))
            }
            guard questions else { return (started, .checks) }
            // Each may call so often in a minute.
            var askers: [BenchAsker] = []
            for number in 0..<16 {
                askers.append(try await BenchAsker(domain: "bank-\(number).example", by: owner, on: started[0]))
            }
            return (started, .questions(askers))
        } catch {
            for server in started { server.stop() }
            throw error
        }
    }

    private func measure(
        _ servers: [ListenersServer], _ kind: ListenersRun.Kind, acts: Int, quiet: Double
    ) throws -> [Part] {
        func sum(_ value: (ListenersServer) -> Double) -> Double { servers.map(value).reduce(0, +) }
        var run = ListenersRun(servers: servers, kind: kind, each: each)
        var parts: [Part] = []
        for listeners in [few, count] {
            try run.join(listeners)
            let (joined, first) = (sum { $0.residentMebibytes() }, run.listeners)
            try run.listen(listeners)
            let resting = sum { $0.processorSeconds() }
            try run.wait(seconds: quiet)
            let idle = sum { $0.residentMebibytes() }
            let before = sum { $0.processorSeconds() }
            let times = try run.act(acts)
            let after = sum { $0.processorSeconds() }
            parts.append(
                Part(
                    listeners: listeners, accounts: run.accounts, eventMilliseconds: Spread(times.events),
                    answerMilliseconds: Spread(times.answers), lost: run.lost, stray: run.stray,
                    processorMillisecondsPerAct: (after - before) / Double(max(1, acts)) * 1e3,
                    restingCores: quiet > 0 ? (before - resting) / quiet : 0,
                    residentMebibytes: sum { $0.residentMebibytes() },
                    kibibytesOfStream: (idle - joined) * 1_024 / Double(max(1, listeners - first))))
        }
        return parts
    }

    /// Times in milliseconds.
    private struct Spread: Encodable {
        let median: Double
        let p99: Double
        let most: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.sorted().map { $0 * 1e3 }
            median = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
            p99 = sorted.isEmpty ? .nan : sorted[sorted.count * 99 / 100]
            most = sorted.last ?? .nan
        }

        var words: String {
            "median \(String(format: "%.2f", median)) ms, p99 \(String(format: "%.2f", p99)), at most "
                + String(format: "%.2f", most)
        }
    }

    /// What was seen with so many listeners.
    private struct Part: Encodable {
        let listeners: Int
        let accounts: Int
        /// From the sending of the act to the arrival at each of its account's listeners.
        let eventMilliseconds: Spread
        /// From the same moment to the act's own answer.
        let answerMilliseconds: Spread
        /// Events that did not arrive within half a minute.
        let lost: Int
        /// Events that arrived at another person's listener, or twice.
        let stray: Int
        /// The server's, with the opening of the check before it.
        let processorMillisecondsPerAct: Double
        let restingCores: Double
        let residentMebibytes: Double
        /// What each stream adds to the servers' memory, without what its account does.
        let kibibytesOfStream: Double

        var words: String {
            """
            \(listeners) listeners of \(accounts) accounts: \(eventMilliseconds.words); its answer \
            \(answerMilliseconds.words)
              \(lost) lost, \(stray) at others; the server: \
            \(String(format: "%.2f", processorMillisecondsPerAct)) ms of CPU for each act, \
            \(String(format: "%.3f", restingCores)) cores at rest, \(Int(residentMebibytes)) MiB resident
            """
        }
    }

    private struct Figures: BenchFigures {
        let acts: Int
        let servers: Int
        let few: Part
        let many: Part
        /// What each stream of the HTTP library alone adds to its memory.
        let kibibytesOfBareStream: Double?

        var words: String {
            let more = Double(max(1, many.listeners - few.listeners))
            let memory = (many.residentMebibytes - few.residentMebibytes) * 1_024 / more
            let own = many.kibibytesOfStream
            let beside = kibibytesOfBareStream.map { bare in
                String(format: " (%.1f for a stream of the HTTP library, ratio %.2f)", bare, own / bare)
            }
            return """
                \(acts) acts, from sending each to its event's arrival; servers: \(servers)
                \(few.words)
                \(many.words)
                \(String(format: "%.1f", memory)) KiB of memory for each further listener, \
                \(String(format: "%.1f", own)) of them for the stream alone\(beside ?? "")
                """
        }
    }
}
