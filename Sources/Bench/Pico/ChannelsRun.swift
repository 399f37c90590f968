import CryptoProvider
import Encodings
import Foundation
import Glibc
import Wallet

/// Thousands of readers, each at a channel of its own, and the messages that they are sent, on one thread.
struct ChannelsRun: ~Copyable {
    private struct Reader {
        var lane: Lane
        /// What asks for the next message.
        let request: Bytes
        let name: String
    }

    /// Senders in turn: a server lets one address ask 600 times at once and 50 times a second.
    private static let senderCount = 64
    /// So many readers begin at once: more would not find room in the server's queue of new connections.
    private static let together = 100
    /// Seconds after which a message counts as lost.
    private static let patience = 30.0
    private static let timedOut = Bytes(text: #"{"status":"error","code":2,"#)

    private let server: ListenersServer
    private let clock = ContinuousClock()
    private var readers: [Reader] = []
    private var senders: [Lane] = []
    private var chunk = Bytes(repeating: 0, count: 16_384)
    /// Messages that did not arrive in time.
    private(set) var lost = 0
    /// Messages that came to another reader, and answers that nobody expects.
    private(set) var stray = 0

    /// Something that came.
    private enum Event {
        case reader(Bytes)
        case sender(Bytes)
    }

    init(server: ListenersServer) { self.server = server }

    deinit { for reader in readers { close(reader.lane.descriptor) } }

    /// Has as many readers wait, with those who do already.
    mutating func open(_ count: Int) throws {
        while readers.count < count {
            for _ in 0..<min(Self.together, count - readers.count) {
                let name = RandomBytes.make(16).hex
                let lane = try Lane(port: server.port, from: 0x7F00_0002 + UInt32(readers.count))
                let request = PagesVisitor.request("GET", "/channel/\(name)", host: server.host)
                readers.append(Reader(lane: lane, request: request, name: name))
                try lane.send(request)
            }
            try rest(seconds: 0.01)
        }
    }

    /// Sends nothing; readers whose wait is over ask again.
    mutating func rest(seconds: Double) throws {
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            usleep(UInt32(min(0.05, seconds) * 1e6))
            try sweep()
        }
    }

    /// Has all readers whose wait is over ask again; nothing else may have come to them.
    private mutating func sweep() throws { stray += try receive(Array(readers.indices), milliseconds: 0).count }

    /// Sends messages, one after the other, to readers drawn at random.
    ///
    /// - Returns: seconds from sending a message to its arrival, and to the sender's answer.
    mutating func relay(_ count: Int) throws -> (arrivals: [Double], answers: [Double]) {
        var (arrivals, answers): ([Double], [Double]) = ([], [])
        // New ones each time: the server ends connections that say nothing.
        for number in 0..<UInt32(Self.senderCount) {
            let lane = try Lane(port: server.port, from: 0x7F10_0002 + number)
            senders.append(lane)
        }
        defer {
            for sender in senders { close(sender.descriptor) }
            senders = []
        }
        for number in 0..<count {
            // Not before each: asking about thousands takes longer than a message.
            if number % 10 == 0 { try sweep() }
            let target = Int.random(in: readers.indices)
            let message = RandomBytes.make(300)
            let request = PagesVisitor.request(
                "POST", "/channel/\(readers[target].name)", host: server.host, body: message,
                mediaType: "application/octet-stream")
            let start = clock.now
            try senders[number % Self.senderCount].send(request)
            var (hasArrived, isAnswered) = (false, false)
            while !hasArrived || !isAnswered {
                let time = Double(start.duration(to: clock.now) / .nanoseconds(1)) / 1e9
                guard time < Self.patience else {
                    lost += 1
                    break
                }
                // Only these two, for the same reason.
                for event in try receive([target], sender: number % Self.senderCount, milliseconds: 100) {
                    let time = Double(start.duration(to: clock.now) / .nanoseconds(1)) / 1e9
                    switch event {
                    case .reader(message) where !hasArrived:
                        hasArrived = true
                        arrivals.append(time)
                    case .sender(let body) where !isAnswered && !body.starts(with: Self.timedOut):
                        isAnswered = true
                        answers.append(time)
                    case .reader, .sender: stray += 1
                    }
                }
            }
        }
        return (arrivals, answers)
    }

    /// Waits until something comes to some readers or to a sender, and has readers who got something ask again.
    ///
    /// - Returns: what came, without ends of waits.
    private mutating func receive(
        _ numbers: [Int], sender: Int? = nil, milliseconds: Int32
    ) throws -> [Event] {
        var polled = numbers.map { pollfd(fd: readers[$0].lane.descriptor, events: Int16(POLLIN), revents: 0) }
        if let sender { polled.append(pollfd(fd: senders[sender].descriptor, events: Int16(POLLIN), revents: 0)) }
        guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
        var events: [Event] = []
        for (place, number) in numbers.enumerated() where polled[place].revents != 0 {
            guard let body = try readers[number].lane.receive(through: &chunk) else { continue }
            if !body.starts(with: Self.timedOut) { events.append(.reader(body)) }
            try readers[number].lane.send(readers[number].request)
        }
        if let sender, polled[numbers.count].revents != 0, let body = try senders[sender].receive(through: &chunk) {
            events.append(.sender(body))
        }
        return events
    }
}
