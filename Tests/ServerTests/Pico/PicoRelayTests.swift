import Encodings
import HTTPTypes
import Interface
import Pico
import Synchronization
import Testing

@testable import Server

/// Pages at channels of other servers: taken there by ours, and by it alone.
@Suite("Channels elsewhere", .timeLimit(.minutes(5)))
struct PicoRelayTests {
    /// A resolver that knows one address for every name.
    private struct Names: NameLookup {
        var found = ["8.8.8.8"]
        func addresses(of name: String) async throws -> [String] { found }
    }

    /// The rendezvous of another server; a test may have it answer as it likes.
    private final class Elsewhere: EgressChannel {
        let rendezvous = Rendezvous(clock: ManualClock().clock)
        let asked = Mutex<[String]>([])
        let answer: ChannelAnswer?

        init(_ answer: ChannelAnswer? = nil) { self.answer = answer }

        func ask(_ request: ChannelRequest, at address: EgressAddress, place: String) async throws -> ChannelAnswer {
            asked.withLock { $0.append("\(address.text) at \(place)") }
            if let answer { return answer }
            let met = try await rendezvous.wait(at: address.text, writing: request.message, from: "x")
            return ChannelAnswer(status: met.statusCode, mediaType: "\(met.contentType)", body: met.body)
        }
    }

    /// A member's page.
    private struct Page {
        let client: TestClient
        let token: String
        let address = "https://other.example/channel/a"

        func ask(_ message: Bytes? = nil, at other: String? = nil) async throws -> TestClient.Answer {
            try await client.send(
                .post, "/api/pico/relay", PicoRelayRequest(address: other ?? address, message: message?.base64URL),
                token: token)
        }
    }

    private func withPage(
        _ elsewhere: Elsewhere, found: [String] = ["8.8.8.8"], isOn: Bool = true,
        _ test: @escaping @Sendable (Page) async throws -> Void
    ) async throws {
        let egress = Egress(
            isOn: isOn, allowsPrivate: true, lookup: Names(found: found), transport: HTTPEgressTransport(),
            channel: elsewhere)
        let organisation = try await TestOrganisation(egress: egress, mail: nil)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            try await test(Page(client: client, token: session.token))
        }
    }

    @Test("what one side writes the other reads, and what the rendezvous says is told")
    func exchange() async throws {
        let elsewhere = Elsewhere()
        try await withPage(elsewhere) { page in
            let rendezvous = elsewhere.rendezvous
            async let read = page.ask()
            try await until { rendezvous.count == 1 }
            #expect(try rendezvous.meet(page.address, writing: [1, 2], from: "y") == .taken)
            #expect(try await read.decode(PicoRelayAnswer.self) == .init(outcome: .message, message: "AQI"))
            async let written = page.ask([3])
            try await until { rendezvous.count == 1 }
            #expect(try await page.ask([4]).decode(PicoRelayAnswer.self).outcome == .occupied)
            #expect(try rendezvous.meet(page.address, writing: nil, from: "y") == .data([3]))
            #expect(try await written.decode(PicoRelayAnswer.self).outcome == .taken)
            async let closed = page.ask()
            try await until { rendezvous.count == 1 }
            rendezvous.close(page.address)
            #expect(try await closed.decode(PicoRelayAnswer.self).outcome == .closed)
            #expect(Set(elsewhere.asked.withLock(\.self)) == ["https://other.example/channel/a at 8.8.8.8"])
        }
    }

    @Test("only a member asks, and only a channel of a public server, however its address is written")
    func refused() async throws {
        let answer = ChannelAnswer(status: 200, mediaType: "application/json", body: Array(#"{"code":2}"#.utf8))
        let elsewhere = Elsewhere(answer)
        try await withPage(elsewhere) { page in
            for address in [
                "https://other.example/", "https://other.example/channel/", "https://other.example/channel/a/b",
                "https://other.example/channel/a?b", "https://other.example/channel/../api",
                "https://10.0.0.1/channel/a",
                "https://u@other.example/channel/a", "https://localhost/channel/a", "tcp://other.example:1",
                "file:///channel/a", "https://[::1]/channel/a", "",
                "http://other.example:25/channel/a", "https://other.example:22/channel/a",
            ] {
                let answer = try await page.ask(at: address)
                #expect(answer.problem == "invalid-member", "\(address)")
            }
            let plain = try await page.ask(at: "http://other.example:8080/channel/a")
            #expect(try plain.decode(PicoRelayAnswer.self).outcome == .timedOut)
            #expect(elsewhere.asked.withLock(\.self) == ["http://other.example:8080/channel/a at 8.8.8.8"])
            let stranger = try await Page(client: page.client, token: "").ask()
            #expect(stranger.status == 401)
            let body = PicoRelayRequest(address: "https://other.example/channel/a", message: "?")
            #expect(
                try await page.client.send(.post, "/api/pico/relay", body, token: page.token).problem
                    == "invalid-member")
        }
        let quiet = Elsewhere(answer)
        for (found, isOn) in [
            (["127.0.0.1"], true), (["8.8.8.8", "10.0.0.1"], true), ([], true), (["8.8.8.8"], false),
        ] {
            try await withPage(quiet, found: found, isOn: isOn) { page in
                let answer = try await page.ask()
                #expect(answer.problem == "not-found")
            }
        }
        #expect(quiet.asked.withLock(\.self).isEmpty)
    }

    @Test(
        "an answer that no rendezvous gives is none",
        arguments: [
            (500, "application/json", #"{"code":0}"#, "not-found"), (200, "text/html", "<p>", "not-found"),
            (200, "application/json", #"{"code":9}"#, "not-found"), (302, "text/plain", "", "not-found"),
            (429, "text/plain", "", "busy"), (503, "text/plain", "", "busy"),
        ])
    func answers(status: Int, mediaType: String, body: String, problem: String) async throws {
        try await withPage(Elsewhere(.init(status: status, mediaType: mediaType, body: Array(body.utf8)))) { page in
            let answer = try await page.ask()
            #expect(answer.problem == problem)
        }
    }

    @Test("one account waits at four channels at once, and others have room")
    func bounds() throws {
        let places = PicoRelayPlaces()
        for _ in 0..<4 { try places.enter("a") }
        #expect(throws: Problem.self) { try places.enter("a") }
        for number in 0..<196 { try places.enter("\(number)") }
        #expect(throws: Problem.self) { try places.enter("b") }
        places.leave("a")
        try places.enter("a")
    }

    @Test("a real connection goes to the address that was checked, writes, reads, and does not wait for ever")
    func connection() async throws {
        try await withRendezvous { port, rendezvous, _ in
            let address = try #require(
                EgressAddress("http://other.example:\(port)/channel/a", allowsPrivate: false, allowsPlain: true))
            func ask(_ message: Bytes?, patience: Duration = .seconds(30)) async throws -> ChannelAnswer {
                try await HTTPEgressChannel(patience: patience).ask(
                    ChannelRequest(message: message), at: address, place: "127.0.0.1")
            }
            async let read = ask(nil)
            try await until { rendezvous.count == 1 }
            #expect(try await ask([7, 8]).body == RendezvousAnswer.taken.body)
            let message = try await read
            #expect(message.body == [7, 8] && message.mediaType == "application/octet-stream")
            await #expect(throws: (any Error).self) { try await ask(nil, patience: .milliseconds(50)) }
            try await until { rendezvous.count == 0 }
        }
    }
}
