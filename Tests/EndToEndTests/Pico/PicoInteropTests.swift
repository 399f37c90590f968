import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// Our wallet and our service with the other side in Python, written from the specification alone.
@Suite("Signing in with a scan, with an independent other side", .timeLimit(.minutes(15)))
struct PicoInteropTests {
    /// What a service in Python hands out: as the newest program does, and bare as older ones do.
    private static let secrets = [#"{"name":"ada","data":"öpen  \" sesame="}"#, "bare: a+b/c="]

    @Test("our wallet pairs with a service in Python, signs in and stays", arguments: zip(["p256", "p192"], secrets))
    func wallet(curve: String, secret: String) async throws {
        let place = try await PicoPlace()
        let (pairing, code) = try await place.verifier("pair", "service", [curve, secret])
        let old = curve == "p192" ? ["--old-service", "p192"] : []
        if curve == "p192" {
            // Nothing is sent to an old service that nobody has marked, so the code is as good as before.
            let refused = try await place.run(["scan", code, "--yes"])
            #expect(refused.status == 1 && refused.output.contains("--old-service"), "\(refused)")
        }
        let paired = try await place.json(["scan", code, "--yes"] + old)
        let account = try #require(paired["paired"])
        #expect(account.text("service") == "A service in Python" && account.text("curve") == curve)
        #expect(account.text("name") == (secret.hasPrefix("{") ? "ada" : "A service in Python"))
        let key = try #require(try await pairing.json().text("paired"))
        #expect(await pairing.end() == 0)

        let (signing, second) = try await place.verifier("auth", "service")
        let signed = try await place.json(["scan", second, "--yes"])
        #expect(signed["signed_in"]?.text("id") == account.text("id") && signed["stays"] == .bool(false))
        #expect(try await signing.json().text("signed_in") == key)
        #expect(await signing.end() == 0)

        let (staying, third) = try await place.verifier("auth", "service", ["continuous"])
        let wallet = try place.start(["scan", third, "--yes", "--stay"])
        #expect(try await wallet.json()["stays"] == .bool(true))
        for (word, state) in [("", "active"), ("pause", "paused"), ("continue", "active"), ("stop", "stopped")] {
            if !word.isEmpty { try wallet.type(word) }
            #expect(try await wallet.json().text("state") == state)
        }
        #expect(await wallet.end() == 0)
        #expect(try await staying.json()["states"]?.array == [.integer(0), .integer(1), .integer(0), .integer(2)])
        #expect(await staying.end() == 0)
    }

    @Test("a Pico in Python pairs with our service, signs in, stays, pauses and stops", arguments: ["p256", "p192"])
    func service(curve: String) async throws {
        let place = try await PicoPlace()
        let (pairing, code) = try await place.service("pair", ["--curve", curve, "--user", "ada"])
        let paired = try await place.prover("pair", code, "pico")
        #expect(paired.status == 0 && paired.output.contains(#""name": "ada""#), "\(paired)")
        #expect(try await pairing.json()["paired"]?.text("user") == "ada")
        #expect(await pairing.end() == 0)

        let (signing, second) = try await place.service("auth")
        let signed = try await place.prover("auth", second, "pico")
        #expect(signed.status == 0, "\(signed)")
        #expect(try await signing.json()["signed_in"]?.text("user") == "ada")
        #expect(await signing.end() == 0)

        // The right key with another secret than the one that was handed out with it.
        let state = try place.folder.text("pico")
        let forged = state.replacing(#/"extra": "[0-9a-f]*"/#, with: #""extra": "00""#)
        try forged.write(toFile: place.folder.path("forged"), atomically: true, encoding: .utf8)
        let (doubting, other) = try await place.service("auth")
        let doubted = try await place.prover("auth", other, "forged")
        #expect(doubted.status == 1 && doubted.errors.contains("status 255"), "\(doubted)")
        #expect(await doubting.end() == 1)

        let (staying, third) = try await place.service("auth", ["--continuous", "--interval", "60"])
        let stayed = try await place.prover(
            "auth", third, "pico", ["continue", "continue", "pause", "continue", "stop"])
        #expect(
            stayed.output.contains(#""heard": [[0, 60000], [0, 60000], [1, 300000], [0, 60000], [2, -1]]"#),
            "\(stayed)")
        #expect(try await staying.json()["stays"] == .bool(true))
        for state in ["active", "active", "paused", "active", "stopped"] {
            #expect(try await staying.json().text("state") == state)
        }
        #expect(await staying.end() == 0)

        // Another Pico, which this service has never seen, brings what it knows from elsewhere.
        let (elsewhere, fourth) = try await place.service("pair", ["--curve", curve], files: "other")
        #expect(try await place.prover("pair", fourth, "stranger").status == 0)
        #expect(await elsewhere.end() == 0)
        try FileManager.default.removeItem(atPath: place.folder.path("service.users"))
        let (refusing, fifth) = try await place.service("auth")
        let refused = try await place.prover("auth", fifth, "pico")
        #expect(refused.status == 1 && refused.errors.contains("status 255"), "\(refused)")
        #expect(await refusing.end() == 1)
    }

    @Test("our wallet refuses a service in Python that is another, or changes a message, or says no")
    func faults() async throws {
        let place = try await PicoPlace()
        let (pairing, code) = try await place.verifier("pair", "service", ["p256", "secret"])
        _ = try await place.json(["scan", code, "--yes"])
        #expect(await pairing.end() == 0)
        let accounts = try await place.json(["accounts"])
        for (fault, words) in [
            ("identity", "another key"), ("tampered", "could not prove"), ("reject", "says no"),
            ("reflect", "does not follow the protocol"),
        ] {
            let (other, code) = try await place.verifier("pair", "other", ["p256", "secret", fault])
            let outcome = try await place.run(["scan", code, "--yes"])
            #expect(outcome.status == 1 && outcome.output.contains(words), "\(outcome)")
            other.signal(SIGKILL)
            let (signing, second) = try await place.verifier("auth", "service", [fault])
            let refused = try await place.run(["scan", second, "--yes"])
            #expect(refused.status == 1 && refused.output.contains(words), "\(refused)")
            signing.signal(SIGKILL)
        }
        #expect(try await place.json(["accounts"]) == accounts)
    }

    @Test("a backup of the original's app, made in Python, gives accounts that sign in")
    func original() async throws {
        let place = try await PicoPlace()
        let (secret, words) = (
            "000102030405060708090a0b",
            "merit inventive miser jamaica mural leprosy necklace liberty newborn matchmaker oakland medusa"
        )
        let made = try await Program.runAside(
            Program.python, [PicoPlace.script("app_backup"), place.folder.path("phone.backup"), secret])
        let services = try JSON.parse(Bytes(text: made.output.trimmingCharacters(in: .whitespacesAndNewlines))).array
        try words.write(toFile: place.folder.path("words"), atomically: true, encoding: .utf8)
        try ("inventive" + words.dropFirst(5)).write(
            toFile: place.folder.path("wrong"), atomically: true, encoding: .utf8)
        func restore(_ phrase: String, _ more: [String] = []) async throws -> Program.Outcome {
            try await place.run(
                [
                    "restore", place.folder.path("phone.backup"), "--original", "--phrase-file",
                    place.folder.path(phrase),
                ]
                    + more)
        }
        #expect(try await restore("wrong").status == 2)
        let first = try ServerMachine.json(try await restore("words"))
        #expect(first["added"]?.array?.count == 1 && first["left"] == .integer(1))
        let second = try ServerMachine.json(try await restore("words", ["--old-services"]))
        #expect(second["added"]?.array?.count == 1 && second["known"] == .integer(1))
        for service in try #require(services) {
            let state = place.folder.path("imported")
            try Data(service.serialized()).write(to: URL(fileURLWithPath: state))
            let (signing, code) = try await place.verifier("auth", "imported")
            let signed = try await place.json(["scan", code, "--yes"])
            #expect(signed["signed_in"]?.text("name") == "ada")
            #expect(await signing.end() == 0)
        }
    }
}
