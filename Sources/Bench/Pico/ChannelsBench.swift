import ArgumentParser
import Foundation

/// `countersign-bench channels`: messages over the rendezvous while thousands of other channels are open.
struct ChannelsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "The time of a message over the rendezvous, and its memory, among thousands of open channels.",
        discussion: """
            A server is started, and a reader waits at each channel, from a loopback address of its own (127.0.0.2 and \
            on). Then messages of 300 bytes go one after the other over channels that are drawn at random, while the \
            other readers wait. A time is from the sending to the arrival at the reader. Readers whose wait is over ask again.

            Each channel takes a file descriptor here and one in the server. This program raises its own limit, and so \
            that of the server, as far as it may: 'ulimit -n' must allow some more than the channels. The server is \
            started with as many --connections. The exit code is 1 if a message was lost or came to another reader.

              countersign-bench channels --count 10000
            """)

    @Option(help: "How many channels are open.") var count = 10_000
    @Option(help: "How many messages to send.") var messages = 2_000
    @Option(help: "The program whose server is started; the one beside this, if left out.") var program: String?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        // A server has 20000 requests wait at most: the readers, and the message under way.
        guard (1...19_000).contains(count), (1...min(500 * count, 30_000)).contains(messages) else {
            throw ValidationError("Give 1 to 19000 channels, and 1 to 500 messages for each but no more than 30000.")
        }
    }

    func run() async throws {
        try ListenersServer.allowFiles(count + 400)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ListenersServer(
            program: program, directory: folder,
            settings: ["--connections", String(count + 200), "--live-updates", "1"])
        defer { server.stop() }
        // It waits for sockets: on a thread of its own.
        let figures = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try measure(server) }) }
        }
        try figures.print(json: json)
        guard figures.lost + figures.stray == 0 else { throw ExitCode(1) }
    }

    private func measure(_ server: ListenersServer) throws -> ChannelsFigures {
        var run = ChannelsRun(server: server)
        let files = server.descriptors()
        // What a server needs for the first messages is not the channels'.
        try run.open(1)
        _ = try run.relay(20)
        try run.rest(seconds: 0.5)
        let memory = server.residentMebibytes()
        try run.open(count)
        try run.rest(seconds: 2)
        let opened = server.descriptors() - files
        guard opened >= count else { throw BenchError("the server has only \(opened) of \(count) channels open") }
        let (waiting, resting) = (server.residentMebibytes(), server.processorSeconds())
        try run.rest(seconds: 5)
        let (cores, start) = ((server.processorSeconds() - resting) / 5, server.processorSeconds())
        let times = try run.relay(messages)
        return ChannelsFigures(
            channels: count, messages: messages, arrivalMilliseconds: .init(times.arrivals),
            answerMilliseconds: .init(times.answers), lost: run.lost, stray: run.stray,
            kibibytesPerChannel: (waiting - memory) * 1_024 / Double(max(1, count - 1)), residentMebibytes: waiting,
            restingCores: cores,
            processorMillisecondsPerMessage: (server.processorSeconds() - start) / Double(messages) * 1e3)
    }
}

/// What `countersign-bench channels` has seen.
struct ChannelsFigures: BenchFigures {
    let channels: Int
    let messages: Int
    /// From the sending of a message to its arrival at the reader.
    let arrivalMilliseconds: Spread
    /// From the same moment to the sender's own answer.
    let answerMilliseconds: Spread
    /// Messages that did not arrive within half a minute.
    let lost: Int
    /// Messages that came to another reader, and answers that nobody expects.
    let stray: Int
    /// What an open channel adds to the server's resident memory.
    let kibibytesPerChannel: Double
    let residentMebibytes: Double
    /// The server's, while all wait: each asks again every 40 seconds.
    let restingCores: Double
    /// The server's, with those who ask again.
    let processorMillisecondsPerMessage: Double

    /// Times in milliseconds.
    struct Spread: Encodable {
        let p50: Double
        let p95: Double
        let p99: Double
        let most: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.sorted().map { $0 * 1e3 }
            func percentile(_ share: Int) -> Double {
                sorted.isEmpty ? .nan : sorted[(sorted.count * share + 99) / 100 - 1]
            }
            (p50, p95, p99, most) = (percentile(50), percentile(95), percentile(99), percentile(100))
        }

        var words: String {
            String(format: "p50 %.2f ms, p95 %.2f, p99 %.2f, at most %.2f", p50, p95, p99, most)
        }
    }

    var words: String {
        """
        \(channels) open channels, \(messages) messages: \(arrivalMilliseconds.words)
          the sender's answer: \(answerMilliseconds.words); \(lost) lost, \(stray) at others
          the server: \(String(format: "%.1f", kibibytesPerChannel)) KiB for each channel, \(Int(residentMebibytes)) MiB \
        resident, \(String(format: "%.3f", restingCores)) cores at rest, \
        \(String(format: "%.2f", processorMillisecondsPerMessage)) ms of CPU for each message
        """
    }
}
