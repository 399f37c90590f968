import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import NIOCore
import Storage
import Synchronization
import Testing

@testable import Server

/// The accounts whose listeners an event has cost anything.
private final class Touched: Sendable {
    private let accounts = Mutex<[String]>([])

    @Sendable func note(_ principal: Principal) { accounts.withLock { $0.append(principal.account) } }

    func take() -> [String] {
        accounts.withLock { accounts in
            defer { accounts = [] }
            return accounts
        }
    }
}

/// Takes an account for a token.
private struct AccountAuthenticator: SessionAuthenticator {
    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
        Principal(account: token, role: .member, session: "s-" + token, device: nil)
    }
}

/// Finds another principal, or nobody, from the second time on.
private final class ChangingAuthenticator: SessionAuthenticator {
    private let later: Principal?
    private let asked = Atomic<Int>(0)

    init(later: Principal?) { self.later = later }

    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
        guard asked.add(1, ordering: .relaxed).oldValue == 0 else { return later }
        return Principal(account: "a", role: .administrator, session: "s", device: nil)
    }
}

@Suite("Live updates reach those whom they concern", .timeLimit(.minutes(5)))
struct EventTests {
    private func principal(_ account: String, _ role: Role = .member, session: String = "s") -> Principal {
        Principal(account: account, role: role, session: session, device: "d")
    }

    private func event(_ id: String, kind: String = "request") -> LiveEvent {
        LiveEvent(kind: kind, id: id, state: "pending")
    }

    /// What is waiting in a stream that has ended.
    private func ids(_ stream: AsyncStream<EventHub.Frame>) async -> [String] {
        var found: [String] = []
        for await frame in stream {
            switch frame {
            case .event(let event): found.append(event.id)
            case .heartbeat: found.append("beat")
            }
        }
        return found
    }

    @Test("an audience is accounts or a permission")
    func audience() async throws {
        let hub = EventHub(clock: ManualClock().clock)
        let member = try hub.subscribe(principal("m"))
        let other = try hub.subscribe(principal("o"))
        let administrator = try hub.subscribe(principal("a", .administrator))
        hub.publish(event("1"), to: .accounts(["m", "nobody"]))
        hub.publish(event("2"), to: .permission(.handleRequests))
        hub.beat()
        ["m", "o", "a"].forEach { hub.end(account: $0) }
        #expect(await ids(member) == ["1", "beat"])
        #expect(await ids(other) == ["beat"])
        #expect(await ids(administrator) == ["2", "beat"])
        #expect(hub.count == 0)
    }

    @Test("a filter leaves out what the listener does not want")
    func filter() async throws {
        let hub = EventHub(clock: ManualClock().clock)
        let stream = try hub.subscribe(principal("m")) { $0.kind == "document" }
        hub.publish(event("1"), to: .accounts(["m"]))
        hub.publish(event("2", kind: "document"), to: .accounts(["m"]))
        hub.end(session: "s")
        #expect(await ids(stream) == ["2"])
    }

    @Test("a slow listener gets what was waiting, then its stream ends; nobody else notices")
    func slow() async throws {
        let hub = EventHub(clock: ManualClock().clock)
        let slow = try hub.subscribe(principal("slow"))
        let quick = try hub.subscribe(principal("quick"))
        for number in 0..<(Limits.waitingEvents * 3) {
            hub.publish(event(String(number)), to: .accounts(["slow"]))
        }
        #expect(hub.count == 1)
        #expect(await ids(slow) == (0..<Limits.waitingEvents).map(String.init))
        hub.publish(event("x"), to: .accounts(["quick"]))
        hub.end(account: "quick")
        #expect(await ids(quick) == ["x"])
    }

    @Test("one account has a bounded number of streams: a further one ends the oldest")
    func bounded() async throws {
        let hub = EventHub(clock: ManualClock().clock)
        let streams = try (0...Limits.streamsPerAccount).map { _ in try hub.subscribe(principal("m")) }
        let other = try hub.subscribe(principal("o"))
        #expect(hub.count == Limits.streamsPerAccount + 1)
        #expect(await ids(streams[0]).isEmpty)
        hub.publish(event("1"), to: .accounts(["m"]))
        hub.end(account: "m")
        #expect(await ids(streams[1]) == ["1"])
        #expect(hub.count == 1)
        withExtendedLifetime(other) {}
    }

    @Test("a stream that nobody holds any more is forgotten")
    func dropped() throws {
        let hub = EventHub(clock: ManualClock().clock)
        do { _ = try hub.subscribe(principal("m")) }
        #expect(hub.count == 0)
    }

    @Test("a quiet stream has a heartbeat every 15 seconds, never many at once, and stopping ends it")
    func heartbeat() async throws {
        let manual = ManualClock()
        let touched = Touched()
        let hub = EventHub(clock: manual.clock, onTouch: touched.note)
        let streams = try (0..<90).map { try hub.subscribe(principal("m\($0)", session: "s\($0)")) }
        let running = Task { try await hub.run() }
        var together: [Int] = []
        for _ in 0..<30 {
            await manual.waitForSleepers(1)
            manual.advance(.milliseconds(500))
            await manual.waitForSleepers(1)
            together.append(touched.take().count)
        }
        #expect(together == Array(repeating: 3, count: 30))
        running.cancel()
        try await running.value
        for stream in streams { #expect(await ids(stream) == ["beat"]) }
        #expect(throws: Problem.self) { try hub.subscribe(principal("m")) }
    }

    @Test("an event costs its own account's listeners alone, or those of the roles that may see it; an end, too")
    func untouched() throws {
        let touched = Touched()
        let hub = EventHub(clock: ManualClock().clock, onTouch: touched.note)
        var streams: [AsyncStream<EventHub.Frame>] = []
        for number in 0..<2_000 {
            streams.append(try hub.subscribe(principal("m\(number)", session: "s\(number)")))
        }
        streams.append(try hub.subscribe(principal("m7", session: "another")))
        streams.append(try hub.subscribe(principal("a", .administrator, session: "a")))
        streams.append(try hub.subscribe(principal("o", .operator, session: "o")))
        hub.publish(event("1"), to: .accounts(["m7", "m7", "nobody"]))
        #expect(touched.take() == ["m7", "m7"])
        hub.publish(event("2"), to: .permission(.handleRequests))
        #expect(touched.take() == ["a"])
        hub.end(session: "s7")
        hub.publish(event("3"), to: .accounts(["m7"]))
        #expect(touched.take() == ["m7"])
        hub.end(account: "m7")
        hub.publish(event("4"), to: .accounts(["m7"]))
        #expect(touched.take().isEmpty && hub.count == 2_001)
        hub.beat()
        #expect(touched.take().count == 2_001)
        withExtendedLifetime(streams) {}
    }

    @Test("the number of streams is bounded, and a place that becomes free can be had")
    func full() throws {
        let hub = EventHub(clock: ManualClock().clock, most: 2)
        let streams = try ["a", "b"].map { try hub.subscribe(principal($0)) }
        #expect(throws: Problem.self) { try hub.subscribe(principal("c")) }
        hub.end(account: "a")
        let third = try hub.subscribe(principal("c"))
        #expect(hub.count == 2)
        withExtendedLifetime((streams, third)) {}
    }

    @Test("events are framed as server-sent events, whatever their text holds")
    func frames() {
        let hostile = LiveEvent(kind: "a\n\ndata: forged", id: "\u{2028}\"", state: "\r\n")
        let text = String(decoding: EventHub.Frame.event(hostile).bytes, as: UTF8.self)
        #expect(text.hasPrefix("data: {") && text.hasSuffix("}\n\n"))
        #expect(text.utf8.count { $0 == 0x0A } == 2 && !text.utf8.contains(0x0D))
        #expect(EventHub.Frame.heartbeat.bytes.first == UInt8(ascii: ":"))
    }

    @Test("over HTTP an event arrives, and the answer ends when the session does")
    func http() async throws {
        let shell = makeShell()
        try await withServer(shell) { client in
            async let answer = client.execute(
                uri: "/api/events", method: .get, headers: [.authorization: "Bearer member"]
            ) { $0 }
            while shell.events.count == 0, !Task.isCancelled { await Task.yield() }
            shell.events.publish(event("42"), to: .accounts(["a-member"]))
            shell.events.end(session: "s-member")
            let response = try await answer
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/event-stream")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.text.contains(#"data: {"kind":"request","id":"42","state":"pending"}"#))
        }
    }
}

@Suite("A session that ends while its stream begins", .timeLimit(.minutes(5)))
struct EndingListenerTests {
    @Test(
        "has no stream, nor has one whose role has changed: nobody would end it",
        arguments: [(Role?.none, "HTTP/1.1 401 "), (.member, "HTTP/1.1 503 "), (.administrator, "HTTP/1.1 200 ")])
    func ended(_ role: Role?, _ answer: String) async throws {
        let later = role.map { Principal(account: "a", role: $0, session: "s", device: nil) }
        let shell = Shell(
            authenticator: ChangingAuthenticator(later: later), events: EventHub(clock: ManualClock().clock),
            publicURL: "https://sign.example.test")
        try await withLiveServer(shell) { port in
            let head = "GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n"
            let text = try await exchange(port, [Bytes(text: head)], until: "\r\n\r\n")
            #expect(text.hasPrefix(answer))
            // One that was there goes some time after its connection.
            if role != .administrator { #expect(shell.events.count == 0) }
        }
    }
}

@Suite("Hundreds listen over HTTP", .timeLimit(.minutes(5)))
struct ListenerTests {
    @Test("an event reaches its account, costs nobody else anything, and all streams end with their sessions")
    func hundreds() async throws {
        let touched = Touched()
        let shell = Shell(
            authenticator: AccountAuthenticator(), events: EventHub(clock: ManualClock().clock, onTouch: touched.note),
            publicURL: "https://sign.example.test")
        let accounts = (0..<300).map { "a-\($0)" }
        try await withLiveServer(shell) { port in
            try await withThrowingTaskGroup(of: (String, String).self) { group in
                for (number, account) in accounts.enumerated() {
                    group.addTask {
                        let head = "GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(account)\r\n\r\n"
                        let source = "127.0.1.\(1 + number % 100)"
                        return (
                            account,
                            try await exchange(port, [Bytes(text: head)], until: "\r\n0\r\n\r\n", from: source)
                        )
                    }
                }
                while shell.events.count < accounts.count { try await Task.sleep(for: .milliseconds(5)) }
                _ = touched.take()
                shell.events.publish(
                    LiveEvent(kind: "request", id: "42", state: "pending"), to: .accounts(["a-7"]))
                #expect(touched.take() == ["a-7"])
                for account in accounts { shell.events.end(session: "s-" + account) }
                var reached: [String] = []
                for try await (account, text) in group {
                    #expect(text.hasPrefix("HTTP/1.1 200 "))
                    if text.contains("\"id\":\"42\"") { reached.append(account) }
                }
                #expect(reached == ["a-7"] && shell.events.count == 0)
            }
        }
    }
}

@Suite("Processes tell each other of live updates", .timeLimit(.minutes(5)))
struct SharedEventTests {
    /// What one hub sends the other gets.
    private final class Wire: Notices {
        let (stream, continuation) = AsyncStream.makeStream(of: NoticeArrival.self)
        let sent: @Sendable (String) -> Void

        init(sent: @escaping @Sendable (String) -> Void) { self.sent = sent }
        func send(_ message: String) { sent(message) }
        func arrivals() -> AsyncStream<NoticeArrival> { stream }
    }

    private func principal(_ account: String, _ role: Role = .member, session: String = "s") -> Principal {
        Principal(account: account, role: role, session: session, device: "d-" + account)
    }

    @Test("events and ends reach the streams of the other, once; after an interruption all come back")
    func shared() async throws {
        let there = Wire { _ in }
        let here = Wire { there.continuation.yield(.message($0)) }
        // Time stands still: on a busy machine a heartbeat might come before what is waited for.
        let clock = ManualClock().clock
        let (one, other) = (EventHub(clock: clock, notices: here), EventHub(clock: clock, notices: there))
        let running = Task { try await other.run() }
        var streams = try ["m", "n", "o"].map { try other.subscribe(principal($0, session: $0)).makeAsyncIterator() }
        let administrator = try other.subscribe(principal("a", .administrator))
        let event = LiveEvent(kind: "request", id: "1", state: "pending")
        one.publish(event, to: .accounts(["m"]))
        one.publish(LiveEvent(kind: "request", id: "2", state: "pending"), to: .permission(.handleRequests))
        there.continuation.yield(.message("not of ours"))
        one.end(session: "m")
        one.end(device: "d-n")
        guard case .event(let found) = await streams[0].next() else {
            Issue.record("no event")
            return
        }
        #expect(found.id == "1")
        #expect(await streams[0].next() == nil, "its session has ended")
        #expect(await streams[1].next() == nil, "its device was revoked")
        #expect(other.count == 2)
        there.continuation.yield(.interrupted)
        #expect(await streams[2].next() == nil, "something may have been missed")
        var ids: [String] = []
        for await frame in administrator { if case .event(let event) = frame { ids.append(event.id) } }
        #expect(ids == ["2"])
        #expect(other.count == 0)
        running.cancel()
        _ = try? await running.value
    }

    @Test("many at once arrive all, each once and in order, before what ends the stream")
    func many() async throws {
        let there = Wire { _ in }
        let here = Wire { there.continuation.yield(.message($0)) }
        let (one, other) = (EventHub(clock: .system, notices: here), EventHub(clock: .system, notices: there))
        let running = Task { try await other.run() }
        // Fewer than may wait for a slow listener.
        let count = Limits.waitingEvents / 2
        let stream = try other.subscribe(principal("m", session: "m"))
        for number in 0..<count {
            one.publish(LiveEvent(kind: "request", id: "\(number)", state: "pending"), to: .accounts(["m"]))
        }
        one.end(session: "m")
        var ids: [String] = []
        for await frame in stream { if case .event(let event) = frame { ids.append(event.id) } }
        #expect(ids == (0..<count).map { "\($0)" })
        running.cancel()
        _ = try? await running.value
    }

    @Test("a message to other processes is as Codable has it, which every version reads")
    func message() throws {
        let event = LiveEvent(kind: "request", id: "a\"/ü\n", state: "pending")
        let messages: [EventHub.Message] = [
            .accounts(["m", "n"], event), .accounts([], event), .permission("p", event), .endSession("s"),
            .endDevice("d"), .endAccount("a"),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for message in messages + [EventHub.Message.many(messages)] {
            let read = try JSONDecoder().decode(EventHub.Message.self, from: Data(message.json.serialized()))
            let (ours, theirs) = (try encoder.encode(read), try encoder.encode(message))
            #expect(ours == theirs)
        }
    }

    @Test("neighbouring events are packed as far as a message goes, others travel alone")
    func packed() {
        func item(_ text: String, isEvent: Bool = true) -> EventOutbox.Item {
            EventOutbox.Item(text: text, isEvent: isEvent)
        }
        #expect(EventOutbox.packed([]) == [])
        #expect(EventOutbox.packed([item("1")]) == ["1"])
        let mixed = [item("1"), item("2"), item("end", isEvent: false), item("3"), item("4"), item("5")]
        #expect(EventOutbox.packed(mixed) == [#"{"many":{"_0":[1,2]}}"#, "end", #"{"many":{"_0":[3,4,5]}}"#])
        let long = String(repeating: "x", count: 90)
        let messages = EventOutbox.packed(Array(repeating: item(long), count: 7), limit: 300)
        #expect(messages.map { $0.split(separator: ",").count } == [3, 3, 1])
        #expect(messages.allSatisfy { $0.utf8.count <= 300 })
    }
}
