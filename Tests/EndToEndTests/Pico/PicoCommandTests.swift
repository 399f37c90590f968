import Encodings
import Foundation
import Glibc
import Pico
import Testing

@testable import Wallet
@testable import countersign

/// Our wallet and our service, as people and scripts run them.
@Suite("Signing in with a scan on the command line", .blocking, .timeLimit(.minutes(15)))
struct PicoCommandTests {
    private static func pair(_ place: PicoPlace, user: String = "ada") async throws -> JSON {
        let (service, code) = try await place.service("pair", ["--user", user])
        let paired = try await place.json(["scan", code, "--yes"])
        #expect(await service.end() == 0)
        return try #require(paired["paired"])
    }

    @Test("pairs, signs in from a file and standard input, and keeps the service's key and users to their owner")
    func whole() async throws {
        let place = try await PicoPlace()
        let account = try await Self.pair(place)
        #expect(account.text("name") == "ada" && account.text("service") == "Example")
        let (service, code) = try await place.service("auth")
        try code.write(toFile: place.folder.path("code.txt"), atomically: true, encoding: .utf8)
        let words = try await place.run(["scan", place.folder.path("code.txt"), "--yes"], json: false)
        #expect(words.status == 0 && words.output == "Signed in.\n", "\(words)")
        #expect(
            words.errors == """
                service: Example
                host: localhost (without TLS)
                account: ada
                Your server does not know which browser or computer shows the code.
                Are you in front of that screen? If not, say no: somebody else would be signed in as you.

                """)
        #expect(await service.end() == 0)
        for name in ["service.key", "service.users"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("stays while it answers, pauses, and stops at Ctrl-C; the service says each state")
    func stay() async throws {
        let place = try await PicoPlace()
        _ = try await Self.pair(place)
        let (service, code) = try await place.service("auth", ["--continuous", "--interval", "60"])
        let wallet = try place.start(["scan", code, "--yes", "--stay"])
        #expect(try await wallet.json()["stays"] == .bool(true))
        #expect(try await service.json()["stays"] == .bool(true))
        #expect(try await wallet.json().text("state") == "active")
        #expect(try await service.json().text("state") == "active")
        try wallet.type("pause")
        #expect(try await wallet.json().text("state") == "paused")
        wallet.signal(SIGINT)
        #expect(try await wallet.json().text("state") == "stopped")
        #expect(await wallet.end() == 0)
        var states: [String] = []
        while states.last != "stopped" { states.append(try #require(try await service.json().text("state"))) }
        #expect(states.contains("paused"))
        #expect(await service.end() == 0)
    }

    @Test("a wallet that is killed is lost for the service")
    func lost() async throws {
        let place = try await PicoPlace()
        _ = try await Self.pair(place)
        let (service, code) = try await place.service("auth", ["--continuous", "--interval", "1"])
        let wallet = try place.start(["scan", code, "--yes", "--stay"])
        _ = try await wallet.json()
        #expect(try await wallet.json().text("state") == "active")
        wallet.signal(SIGKILL)
        var last = try await service.json()
        while last.text("state") != "lost" { last = try await service.json() }
        #expect(await service.end() == 2)
    }

    @Test("several accounts: one is named, renamed, made strict and forgotten")
    func accounts() async throws {
        let place = try await PicoPlace()
        let (one, two) = (try await Self.pair(place, user: "ada"), try await Self.pair(place, user: "root"))
        let (first, second) = (try #require(one.text("id")), try #require(two.text("id")))
        let (service, code) = try await place.service("auth")
        let unclear = try await place.run(["scan", code, "--yes"])
        #expect(unclear.status == 2 && unclear.errors.contains(first) && unclear.errors.contains(second), "\(unclear)")
        let foreign = try await place.run(["scan", code, "--yes", "--account", "000000000000"])
        #expect(foreign.status == 1, "\(foreign)")
        #expect(try await place.json(["accounts", "strict", second])["asks_every_time"] == .bool(true))
        let unasked = try await place.run(["scan", code, "--yes", "--account", second])
        #expect(unasked.status == 2 && unasked.output.contains("no terminal"), "\(unasked)")
        let signed = try await place.json(["scan", code, "--yes", "--account", first])
        #expect(signed["signed_in"]?.text("id") == first)
        #expect(try await service.json()["signed_in"]?.text("user") == "ada")
        #expect(await service.end() == 0)
        // The switch is not turned off without somebody at a terminal.
        #expect(try await place.run(["accounts", "strict", second, "--off"]).status == 2)
        #expect(try await place.json(["accounts", "rename", first, "Work"]).text("name") == "Work")
        #expect(try await place.json(["accounts", "forget", second, "--yes"]).text("forgotten") == second)
        let left = try await place.run(["accounts"], json: false)
        #expect(left.output.contains("Work") && !left.output.contains(second), "\(left)")
    }

    @Test("a backup brings the accounts back; a wrong phrase and a changed file bring nothing")
    func backup() async throws {
        let place = try await PicoPlace()
        let empty = try await place.run(["backup", place.folder.path("b")])
        #expect(empty.status == 1, "\(empty)")
        let account = try await Self.pair(place)
        let made = try await place.json(["backup", place.folder.path("b")])
        #expect(made["accounts"] == .integer(1))
        #expect(try await place.run(["backup", place.folder.path("b")]).status == 2)
        let phrase = try #require(made.text("phrase"))
        let sealed = try place.folder.text("b")
        #expect(!sealed.contains(phrase))
        _ = try await place.json(["accounts", "forget", try #require(account.text("id")), "--yes"])
        func restore(_ file: String, _ phrase: String) async throws -> Program.Outcome {
            try phrase.write(toFile: place.folder.path("phrase"), atomically: true, encoding: .utf8)
            return try await place.run([
                "restore", place.folder.path(file), "--phrase-file", place.folder.path("phrase"),
            ])
        }
        let wrong = try await restore("b", (phrase.hasPrefix("A") ? "B" : "A") + phrase.dropFirst())
        #expect(wrong.status == 1 && wrong.output.contains("badBackup"), "\(wrong)")
        var text = try place.folder.text("b")
        let middle = text.index(text.endIndex, offsetBy: -40)
        text.replaceSubrange(middle...middle, with: text[middle] == "A" ? "B" : "A")
        try text.write(toFile: place.folder.path("changed"), atomically: true, encoding: .utf8)
        #expect(try await restore("changed", phrase).status == 1)
        #expect(try await place.json(["accounts"])["items"]?.array == [])
        #expect(try ServerMachine.json(try await restore("b", phrase))["added"]?.array?.count == 1)
        let (service, code) = try await place.service("auth")
        _ = try await place.json(["scan", code, "--yes"])
        #expect(await service.end() == 0)
    }

    @Test("a service whose key has changed is another one, and its pairing code says that the name is taken")
    func changedKey() async throws {
        let place = try await PicoPlace()
        _ = try await Self.pair(place)
        try FileManager.default.removeItem(atPath: place.folder.path("service.key"))
        let (service, code) = try await place.service("auth")
        let unknown = try await place.run(["scan", code, "--yes"])
        #expect(unknown.status == 1 && unknown.output.contains("no account"), "\(unknown)")
        service.signal(SIGKILL)
        let (pairing, second) = try await place.service("pair")
        let outcome = try await place.run(["scan", second, "--yes"])
        #expect(outcome.status == 0 && outcome.errors.contains("another fingerprint"), "\(outcome)")
        #expect(await pairing.end() == 0)
    }

    @Test("nobody comes: the service ends with its code")
    func nobody() async throws {
        let place = try await PicoPlace()
        let (service, _) = try await place.service("pair", ["--lifetime", "1"])
        #expect(await service.end() == 2)
    }

    @Test("a second wallet that breaks into a run comes in as little as the first, and learns nothing")
    func race() async throws {
        let place = try await PicoPlace()
        _ = try await Self.pair(place)
        let (service, code) = try await place.service("auth")
        service.signal(SIGKILL)
        guard case .authentication(let read) = try WalletClient.picoCode(Bytes(text: code)) else {
            Issue.record("no code to sign in with")
            return
        }
        let channel = RendezvousClient(read.address)
        let deadline = PicoClock.system.now() + 240_000
        let first = try place.start(["scan", code, "--yes"])
        // The service has heard the first wallet, and what it reads next is the second one's beginning.
        let start = try await channel.receive(before: deadline)
        let second = try place.start(["scan", code, "--yes"])
        #expect(await first.end() == 1)
        let answer = Task { try? await channel.send(Bytes(text: "{}"), before: deadline) }
        #expect([1, 2].contains(await second.end()))
        answer.cancel()
        #expect(
            try JSON.parse(start).members?.map(\.name.text).sorted() == [
                "picoEphemeralPublicKey", "picoNonce", "picoVersion",
            ])
    }

    @Test(
        "codes that are none of ours are refused with a reason, before the wallet is opened",
        arguments: [
            (#"{"t":"LP","sc":"C","td":{"ta":"http://localhost/channel/a","tc":"C"}}"#, "Pico Lens", 1),
            (#"{"t":"LA","sc":"C","td":{"ta":"http://localhost/channel/a","tc":"C"}}"#, "Pico Lens", 1),
            (
                #"{"t":"TP","tn":"B","n":"AAAAAAAAAAA=","td":{"ta":"http://localhost/channel/a","tc":"C"}}"#, "browser",
                1
            ),
            (
                #"{"t":"DP","tn":"B","n":"AAAAAAAAAAA=","td":{"ta":"http://localhost/channel/a","tc":"C"}}"#, "browser",
                1
            ),
            (#"{"t":"KA","sc":"C","ed":"","sa":"btspp://0123456789ab:05","td":{}}"#, "Bluetooth", 1),
            (#"{"t":"KA","sc":"C","ed":"","sa":"tcp://localhost:5","td":{}}"#, "TCP", 1),
            (#"{"t":"PA","ta":"http://localhost/channel/a"}"#, "not the code", 1),
            ("https://example.org", "not the code", 1),
        ])
    func declined(text: String, words: String, status: Int32) throws {
        let commitment = Base64.encode(Bytes(repeating: 1, count: 32), .standard).text
        let outcome = try Program.run(
            Program.countersign,
            ["wallet", "scan", text.replacing(#":"C""#, with: ":\"\(commitment)\""), "--wallet", "/nowhere"])
        #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome)")
    }
}
