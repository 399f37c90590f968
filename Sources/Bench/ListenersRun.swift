import Encodings
import Foundation
import Glibc

/// Thousands of streams of live updates and the acts that they are told of, on one thread.
struct ListenersRun: ~Copyable {
    private struct Stream {
        let descriptor: Int32
        let member: Int
        var isReady = false
        /// The end of what was received, in case that a word goes on in the next piece.
        var tail: Bytes = []
    }

    /// So many streams begin at once: more would not find room in the server's queue of new connections.
    private static let together = 100
    /// Seconds after which an event counts as lost.
    private static let patience = 30.0
    private static let event = Bytes(text: "data: {")
    private static let beginning = Bytes(text: "retry: ")

    /// Servers of one organisation, over which streams and acts are spread.
    private let servers: [ListenersServer]
    private let kind: Kind
    /// Streams of one account: the server ends its oldest beyond eight.
    private let each: Int
    private let name = String(UInt32.random(in: .min ... .max), radix: 36)
    private let clock = ContinuousClock()
    private var chunk = Bytes(repeating: 0, count: 16_384)
    private var members: [ListenersMember] = []
    private var streams: [Stream] = []
    /// Events that did not come within half a minute, since the last part.
    private(set) var lost = 0
    /// Events that came to another person or twice, since the last part.
    private(set) var stray = 0

    /// What is listened to.
    enum Kind {
        /// An account's live updates. A face-to-face check that is given up is the event.
        case checks
        /// The same. A service's question is the event.
        case questions([BenchAsker])
        /// A stream of the HTTP library alone, without events.
        case bare
    }

    init(servers: [ListenersServer], kind: Kind, each: Int) {
        (self.servers, self.kind, self.each) = (servers, kind, each)
    }

    deinit { for stream in streams { close(stream.descriptor) } }

    /// How many accounts listen.
    var accounts: Int { members.count }

    /// How many listen.
    var listeners: Int { streams.count }

    /// Has as many members sign up, with those who have, as so many streams need.
    mutating func join(_ count: Int) throws {
        while members.count * each < count { try join() }
    }

    /// Has as many listen, with those who do already; their members have joined.
    mutating func listen(_ count: Int) throws {
        (lost, stray) = (0, 0)
        while streams.count < count {
            let first = streams.count
            for _ in 0..<min(Self.together, count - first) { try begin() }
            let end = clock.now + .seconds(60)
            while streams[first...].contains(where: { !$0.isReady }) {
                guard clock.now < end else { throw BenchError("the server takes no more than some \(first)") }
                _ = try receive(Array(first..<streams.count), milliseconds: 1_000)
            }
        }
    }

    private mutating func join() throws {
        if case .bare = kind { return members.append(ListenersMember(number: members.count, on: servers[0])) }
        let member = try ListenersMember(number: members.count, run: name, on: servers[0])
        if case .questions(let askers) = kind {
            try member.allowQuestions()
            _ = try askers[members.count % askers.count].enrol(member)
        }
        members.append(member)
    }

    private mutating func begin() throws {
        let member = streams.count / each
        let lane = try Lane(port: servers[streams.count % servers.count].port, from: members[member].address)
        streams.append(Stream(descriptor: lane.descriptor, member: member))
        try lane.send(members[member].listening)
    }

    /// The act of which a member's streams are told.
    private func prepare(_ number: Int, _ lane: inout Lane) throws -> Bytes {
        guard case .questions(let askers) = kind else { return try members[number].prepare(&lane) }
        return try askers[number % askers.count].question(to: members[number])
    }

    /// Listens without acts: anything that comes, except heartbeats, is for someone else.
    mutating func wait(seconds: Double) throws {
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            usleep(UInt32(min(1, seconds) * 1e6))
            stray += try receive(Array(streams.indices), milliseconds: 0).events.count
        }
    }

    /// Does acts, each as an account drawn at random.
    ///
    /// - Returns: seconds from sending an act to its answer, and to each arrival of its event.
    mutating func act(_ count: Int) throws -> (answers: [Double], events: [Double]) {
        var (answers, events): ([Double], [Double]) = ([], [])
        for _ in 0..<count {
            let number = streams[Int.random(in: streams.indices)].member
            var lane = try Lane(
                port: servers[Int.random(in: servers.indices)].port, from: members[number].address)
            defer { close(lane.descriptor) }
            let act = try prepare(number, &lane)
            let own = streams.indices.filter { streams[$0].member == number }
            var missing = Set(own)
            let start = clock.now
            try lane.send(act)
            var isAnswered = false
            while !isAnswered || !missing.isEmpty {
                guard seconds(since: start, to: clock.now) < Self.patience else { break }
                // Only these, because asking about thousands takes longer than an event.
                let found = try receive(own, lane.descriptor, milliseconds: 100)
                for (stream, moment) in found.events {
                    if missing.remove(stream) == nil {
                        stray += 1
                    } else {
                        events.append(seconds(since: start, to: moment))
                    }
                }
                if let moment = found.act, try lane.receive() != nil {
                    isAnswered = true
                    answers.append(seconds(since: start, to: moment))
                }
            }
            guard isAnswered else { throw BenchError("the server does not answer") }
            lost += missing.count
            // By now it would be with others too.
            try wait(seconds: 0.005)
        }
        return (answers, events)
    }

    private func seconds(since start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Double {
        Double(start.duration(to: end) / .nanoseconds(1)) / 1e9
    }

    /// Waits until something comes to some streams or to the act's connection, and reads what has come to the streams.
    ///
    /// - Returns: each event with its stream and the moment of its arrival, and that of the act's answer.
    private mutating func receive(
        _ numbers: [Int], _ act: Int32 = -1, milliseconds: Int32
    ) throws -> (events: [(stream: Int, moment: ContinuousClock.Instant)], act: ContinuousClock.Instant?) {
        var polled = numbers.map { pollfd(fd: streams[$0].descriptor, events: Int16(POLLIN), revents: 0) }
        polled.append(pollfd(fd: act, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return ([], nil) }
        var events: [(Int, ContinuousClock.Instant)] = []
        for (place, number) in numbers.enumerated() where polled[place].revents != 0 {
            let found = try read(number)
            for _ in 0..<found { events.append((number, clock.now)) }
        }
        return (events, polled.last?.revents == 0 ? nil : clock.now)
    }

    /// - Returns: how many events came.
    private mutating func read(_ number: Int) throws -> Int {
        let length = unsafe recv(streams[number].descriptor, &chunk, chunk.count, 0)
        guard length > 0 else { throw BenchError("the server has ended a stream of live updates") }
        let text = streams[number].tail + chunk[..<length]
        streams[number].tail = Bytes(text.suffix(Self.event.count - 1))
        if !streams[number].isReady {
            // The end of the head may be cut off here: it is a page of text, sent all at once.
            guard Self.count(Self.beginning, in: text) > 0 else {
                guard text.starts(with: Bytes(text: "HTTP/1.1 200")) else {
                    throw BenchError("the server refuses: \(String(decoding: text.prefix(200), as: UTF8.self))")
                }
                return 0
            }
            streams[number].isReady = true
        }
        return Self.count(Self.event, in: text)
    }

    private static func count(_ word: Bytes, in text: Bytes) -> Int {
        guard text.count >= word.count else { return 0 }
        return (0...text.count - word.count).count { start in
            text[start] == word[0] && text[start..<start + word.count].elementsEqual(word)
        }
    }
}
