import Encodings
import Foundation
import NIOCore
import Pico
import Synchronization
import Testing

@testable import Server

/// What a rendezvous must stand: peers that vanish, strangers who fill it, and many at the same moment.
@Suite("The rendezvous", .timeLimit(.minutes(5)))
struct RendezvousTests {
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test("a client that drops the connection no longer waits, and what it wrote is lost")
    func dropped() async throws {
        try await withRendezvous { port, rendezvous, _ in
            let head = "POST /channel/a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
            try await connect(port).executeThenClose { _, outbound in
                try await outbound.write(ByteBuffer(bytes: Bytes(text: head + "old")))
                try await until { rendezvous.count > 0 }
            }
            try await until { rendezvous.count == 0 }
            async let answer = ask(port, "GET", "/channel/a")
            try await until { rendezvous.count > 0 }
            #expect(try await ask(port, "POST", "/channel/a", Bytes(text: "new")).body.contains(#""code":0"#))
            #expect(try await answer.body == "new")
        }
    }

    @Test("a reader that keeps the end of its request back gets the message, and harms nobody")
    func unfinished() async throws {
        try await withRendezvous { port, rendezvous, _ in
            for path in ["a", "b"] {
                let head = "GET /channel/\(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
                async let read = exchange(port, [Bytes(text: head)], until: "new")
                try await until { rendezvous.count > 0 }
                let written = try await ask(port, "POST", "/channel/\(path)", Bytes(text: "new"))
                #expect(written.body.contains(#""code":0"#))
                #expect(try await read.hasSuffix("new"))
            }
            #expect(try await ask(port, "GET", "/new").status == 200)
        }
    }

    @Test("several requests follow each other on one connection, whether they waited or not")
    func kept() async throws {
        try await withRendezvous { port, rendezvous, _ in
            let get = "GET /channel/a HTTP/1.1\r\nHost: x\r\n\r\n"
            try await connect(port).executeThenClose { inbound, outbound in
                var (parts, text) = (inbound.makeAsyncIterator(), "")
                for number in 1...3 {
                    try await outbound.write(ByteBuffer(string: get))
                    try await until { rendezvous.count > 0 }
                    _ = try await ask(port, "POST", "/channel/a", Bytes(text: "<\(number)>"))
                    while !text.contains("<\(number)>"), let part = try await parts.next() {
                        text += String(buffer: part)
                    }
                }
                #expect(text.components(separatedBy: "HTTP/1.1 200").count == 4)
            }
        }
    }

    @Test("a name is 1 to 64 letters, digits, - and _, and nothing follows it")
    func names() async throws {
        try await withRendezvous { port, rendezvous, _ in
            let long = String(repeating: "x", count: 64)
            for path in ["", "a.b", "a%2Fb", "%C3%A9", long + "x", "a/", "a/b"] {
                for method in ["GET", "POST", "DELETE", "OPTIONS"] {
                    let answer = try await ask(port, method, "/channel/" + path, method == "POST" ? [1] : nil)
                    #expect(answer.status == 404, "\(method) \(path): \(answer)")
                }
            }
            for path in [long, "a?b=c", "-_9Z"] {
                #expect(try await ask(port, "DELETE", "/channel/" + path).status == 200)
            }
            #expect(rendezvous.count == 0)
        }
    }

    @Test("a message has at most 64 KiB and its length, and a longer one waits nowhere")
    func large() async throws {
        try await withRendezvous { port, rendezvous, _ in
            let most = Bytes(repeating: 0x78, count: 65_540)
            let refused = try await ask(port, "POST", "/channel/a", most + [0x78])
            #expect(refused.status == 413)
            #expect(rendezvous.count == 0)
            async let written = ask(port, "POST", "/channel/a", most)
            try await until { rendezvous.count > 0 }
            let (read, answer) = (try await ask(port, "GET", "/channel/a"), try await written)
            #expect(read.body.utf8.count == most.count && answer.status == 200)
        }
    }

    @Test("an address, all together, and their bytes are bounded; who is refused is told when to come back")
    func bounds() async throws {
        let bounds = Rendezvous.Bounds(ofAddress: 2, requests: 3, bytes: 10)
        try await withRendezvous(bounds) { port, rendezvous, clock in
            try await withThrowingTaskGroup(of: HTTPText.self) { group in
                let waits = [("a", "127.0.0.2"), ("b", "127.0.0.2"), ("c", "127.0.0.3")]
                for (count, (name, source)) in waits.enumerated() {
                    group.addTask { try await ask(port, "POST", "/channel/\(name)", [1, 2, 3, 4], from: source) }
                    // The third would take the bytes beyond their bound.
                    if name == "c" { break }
                    try await until { rendezvous.count > count }
                }
                let refused = try await group.next()
                #expect(refused?.status == 429 && refused?.fields["retry-after"] == "5")
                let fourth = try await ask(port, "GET", "/channel/d", from: "127.0.0.2")
                #expect(fourth.status == 429)
                group.addTask { try await ask(port, "GET", "/channel/d", from: "127.0.0.3") }
                try await until { rendezvous.count == 3 }
                let stranger = try await ask(port, "GET", "/channel/e", from: "127.0.0.4")
                #expect(stranger.status == 429)
                // Who meets somebody takes no place.
                let met = try await ask(port, "GET", "/channel/a", from: "127.0.0.2")
                #expect(met.body == "\u{1}\u{2}\u{3}\u{4}")
                for name in ["b", "d"] { _ = try await ask(port, "DELETE", "/channel/\(name)") }
                for try await answer in group { #expect(answer.status == 200) }
            }
            // What is over makes room.
            #expect(rendezvous.count == 0)
            async let again = ask(port, "POST", "/channel/a", Bytes(repeating: 1, count: 10), from: "127.0.0.2")
            await clock.waitForSleepers(1)
            clock.advance(.seconds(40))
            #expect(try await again.body.contains(#""code":2"#))
        }
    }

    @Test("HEAD takes a message, and a page of another site may ask")
    func head() async throws {
        try await withRendezvous { port, rendezvous, _ in
            async let written = ask(port, "POST", "/channel/a", [1, 2])
            try await until { rendezvous.count > 0 }
            let head = try await ask(port, "HEAD", "/channel/a")
            #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "2")
            #expect(try await written.body.contains(#""code":0"#))
            let options = try await ask(port, "OPTIONS", "/channel/a")
            #expect(options.status == 204 && options.fields["access-control-allow-origin"] == "*")
            #expect(options.fields["access-control-allow-methods"]?.contains("POST") == true)
            for method in ["PUT", "PATCH"] { #expect(try await ask(port, method, "/channel/a", [1]).status == 405) }
            #expect(try await ask(port, "POST", "/new", [1]).status == 405)
        }
    }

    @Test("those who wait are told when the lock is free: else one that is cancelled then stops the process")
    func unlocked() async throws {
        let rendezvous = Rendezvous(clock: ManualClock().clock)
        let probe = LockProbe { _ = rendezvous.count }
        func end(
            writing message: Bytes?, _ end: (Task<RendezvousAnswer, any Error>) throws -> Void
        ) async throws -> RendezvousAnswer {
            let waiting = Task(executorPreference: probe) {
                try await rendezvous.wait(at: "a", writing: message, from: "127.0.0.1")
            }
            try await until { rendezvous.count == 1 }
            try end(waiting)
            return try await waiting.value
        }
        let message = Bytes(text: "m")
        func meet(writing message: Bytes?) throws {
            _ = try rendezvous.meet("a", writing: message, from: "127.0.0.2")
        }
        #expect(try await end(writing: nil) { _ in rendezvous.close("a") } == .closed)
        #expect(try await end(writing: nil) { _ in try meet(writing: message) } == .data(message))
        #expect(try await end(writing: message) { _ in try meet(writing: nil) } == .taken)
        #expect(try await end(writing: nil) { $0.cancel() } == .timedOut)
        #expect(probe.looks > 0 && probe.blocked == 0)
    }

    @Test("ten thousand channels wait at once, and each hands over its own message")
    func many() async throws {
        let rendezvous = Rendezvous(bounds: .init(ofAddress: 10_000), clock: ManualClock().clock)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    try await rendezvous.wait(at: "c\(number)", writing: nil, from: "x")
                        == .data(Bytes(text: "\(number)"))
                }
            }
            try await until { rendezvous.count == 10_000 }
            for number in 0..<10_000 {
                #expect(
                    try rendezvous.meet("c\(number)", writing: Bytes(text: "\(number)"), from: "y") == .taken)
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(rendezvous.count == 0)
    }

    @Test("at one channel at the same moment, each message is read once or not at all, and its writer knows")
    func races() async throws {
        let rendezvous = Rendezvous(clock: ManualClock().clock)
        let ended = Counter()
        let outcomes = await withTaskGroup(of: (written: Bytes?, Result<RendezvousAnswer, any Error>).self) { group in
            for number in 0..<400 {
                let message: Bytes? = number.isMultiple(of: 2) ? Bytes(text: "\(number)") : nil
                group.addTask {
                    defer { ended.add() }
                    do {
                        return (message, .success(try await rendezvous.wait(at: "a", writing: message, from: "x")))
                    } catch { return (message, .failure(error)) }
                }
            }
            var outcomes: [(written: Bytes?, Result<RendezvousAnswer, any Error>)] = []
            // The last one may wait for ever, as nobody is left; and it may still be on its way to that.
            while ended.count < 399 || (ended.count < 400 && rendezvous.count == 0), !Task.isCancelled {
                await Task.yield()
            }
            group.cancelAll()
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        var (taken, read): (Set<Bytes>, [Bytes]) = ([], [])
        for (written, outcome) in outcomes {
            switch outcome {
            case .success(.taken): taken.insert(try #require(written))
            case .success(.data(let bytes)): read.append(bytes)
            default: break
            }
        }
        #expect(Set(read) == taken && read.count == taken.count && outcomes.count == 400)
    }
}
