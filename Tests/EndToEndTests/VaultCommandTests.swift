import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// `countersign wallet vault` against a real server, from two wallets of one account.
@Suite("countersign wallet vault", .blocking, .timeLimit(.minutes(15)))
struct VaultCommandTests {
    /// A server, a wallet of its owner with a vault, and files to put there.
    struct Scene {
        let machine: ServerMachine
        let server: DemoServer
        let cast: DemoCast
        let folder: TemporaryFolder

        static func start() async throws -> Scene {
            let folder = try TemporaryFolder()
            let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
            let (server, cast, _) = try await machine.settle("Purple University")
            try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
            return Scene(machine: machine, server: server, cast: cast, folder: folder)
        }

        func run(_ arguments: [String], wallet: String? = nil, input: String = "") throws -> Program.Outcome {
            try Program.run(
                Program.countersign,
                ["wallet", "vault"] + arguments
                    + ["--wallet", wallet ?? cast.path(DemoCast.owner), "--passphrase-file", folder.path("pass")],
                input: input)
        }

        /// A command that runs on this machine alone.
        func local(_ arguments: [String]) throws -> Program.Outcome {
            try Program.run(Program.countersign, ["wallet", "vault"] + arguments)
        }

        func paths(_ arguments: [String] = []) throws -> [String] {
            try ServerMachine.json(run(["ls", "-r", "--json"] + arguments))["items"]?.array?
                .compactMap { $0["path"]?.string?.text } ?? []
        }
    }

    @Test("from the first file to the last, with every kind of item, and with pipes and patterns")
    func everyday() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        let none = try scene.run(["ls"])
        #expect(none.status == 1 && none.errors.contains("vault make"), "\(none)")
        let made = try scene.run(["make", "--recovery-out", folder.path("words"), "--json"])
        #expect(made.status == 0 && made.output.contains("vault.created"), "\(made)")
        #expect(try folder.text("words").split(separator: " ").count == 24)
        #expect(try scene.run(["make", "--recovery-out", folder.path("w2")]).status == 1)

        let secret = "the marked text of a degree"
        try String(repeating: secret + "\n", count: 700_000).write(
            toFile: folder.path("degree.pdf"), atomically: true, encoding: .utf8)
        try "two".write(toFile: folder.path("two.txt"), atomically: true, encoding: .utf8)
        #expect(try scene.run(["mkdir", "-p", "Papers/2026"]).status == 0)
        let put = try scene.run(
            ["put", folder.path("degree.pdf"), folder.path("two.txt"), "--to", "Papers/2026", "--tag", "study"])
        #expect(put.status == 0 && put.output.contains("Papers/2026/degree.pdf"), "\(put)")
        #expect(put.errors.isEmpty, "no bar where nobody watches: \(put.errors)")
        #expect(try scene.run(["put", "-", "--to", "Papers/pipe.txt"], input: "through a pipe").status == 0)
        #expect(try scene.run(["note", "door", "--write", "-"], input: "The code is 1234.").status == 0)
        #expect(
            try scene.paths() == [
                "Papers", "Papers/2026", "Papers/2026/degree.pdf", "Papers/2026/two.txt", "Papers/pipe.txt", "door",
            ])
        #expect(try scene.paths(["--tag", "study"]).count == 2)
        #expect(try scene.run(["get", "Papers/pipe.txt", "-o", "-"]).output == "through a pipe")
        #expect(try scene.run(["note", "door"]).output == "The code is 1234.")
        let got = try scene.run(["get", "Papers/2026/*", "-o", folder.url.path])
        #expect(got.status == 1 && got.errors.contains("exists already"), "\(got)")
        #expect(try scene.run(["get", "Papers/2026/d*.pdf", "-o", folder.path("out.pdf")]).status == 0)
        #expect(try folder.text("out.pdf") == folder.text("degree.pdf"))
        #expect(try scene.run(["put", folder.path("two.txt"), "--to", "Papers/2026"]).status == 1)
        #expect(try scene.run(["put", folder.path("two.txt"), "--to", "Papers/2026", "--replace"]).status == 0)

        #expect(try scene.run(["mv", "Papers/2026/*.txt", "door", "Papers"]).status == 0)
        #expect(try scene.run(["mv", "Papers/door", "Papers/front door"]).status == 0)
        #expect(try scene.run(["rm", "Papers/pipe.txt"]).status == 0)
        #expect(
            try scene.paths() == [
                "Papers", "Papers/2026", "Papers/2026/degree.pdf", "Papers/front door", "Papers/two.txt",
            ])
        #expect(try scene.run(["restore", "Papers/pipe.txt"]).status == 0)
        #expect(try scene.run(["rm", "Papers"]).status == 2)
        #expect(try scene.run(["rm", "--destroy", "-y", "Papers/pipe.txt"]).status == 0)
        #expect(try scene.run(["get", "Papers/pipe.txt", "-o", "-"]).status == 1)

        // Nothing of it is in what the server keeps.
        let blobs = try #require(FileManager.default.enumerator(atPath: folder.path("server")))
        for case let name as String in blobs {
            guard let data = FileManager.default.contents(atPath: folder.path("server/\(name)")) else { continue }
            for mark in [secret, "degree.pdf", "front door", "The code is 1234"] {
                #expect(data.range(of: Data(mark.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test("a second wallet opens it with the recovery key, and by itself afterwards; a removed slot opens nothing")
    func secondWallet() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one").status == 0)
        // Another device of the account: the same keys in another file, without the secret of the slot.
        let second = folder.path("second")
        try FileManager.default.copyItem(atPath: scene.cast.path(DemoCast.owner), toPath: second)
        try FileManager.default.copyItem(
            atPath: scene.cast.path(DemoCast.owner) + ".session", toPath: second + ".session")
        var unlocked = try await WalletFile(path: second).unlock(passphrase: DemoCast.passphrase) { _ in }
        try unlocked.update { _, secrets in secrets.vault = nil }

        let closed = try scene.run(["ls"], wallet: second)
        #expect(closed.status == 1 && closed.errors.contains("slots add"), "\(closed)")
        let words = try folder.text("words").split(separator: " ").map(String.init)
        try (words.dropLast() + ["zoo"]).joined(separator: " ").write(
            toFile: folder.path("wrong"), atomically: true, encoding: .utf8)
        #expect(try scene.run(["ls", "--recovery-file", folder.path("wrong")], wallet: second).status == 1)
        let other =
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon "
            + "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art"
        try other.write(toFile: folder.path("other"), atomically: true, encoding: .utf8)
        let refused = try scene.run(["ls", "--recovery-file", folder.path("other")], wallet: second)
        #expect(refused.status == 1 && refused.errors.contains("does not open your vault"), "\(refused)")
        let added = try scene.run(["slots", "add", "--recovery-file", folder.path("words"), "--json"], wallet: second)
        #expect(added.status == 0 && added.output.contains("vault.slot_changed"), "\(added)")
        #expect(try scene.run(["get", "a.txt", "-o", "-"], wallet: second).output == "one")
        #expect(try scene.run(["slots", "add", "--recovery-file", folder.path("words")], wallet: second).status == 1)

        // Both change it, and each sees what the other did.
        #expect(try scene.run(["put", "-", "--to", "b.txt"], wallet: second, input: "two").status == 0)
        #expect(try scene.run(["mkdir", "c"]).status == 0)
        #expect(try scene.paths() == ["a.txt", "b.txt", "c"])

        let slots = try ServerMachine.json(scene.run(["slots", "--json"]))["slots"]?.array ?? []
        #expect(slots.compactMap { $0["kind"]?.string?.text }.sorted() == ["device", "device", "recovery"])
        let list = try scene.run(["slots"], wallet: second).output
        let own = try #require(
            list.split(separator: "\n").first { $0.contains("this wallet") }?.split(separator: " ").first)
        #expect(try scene.run(["slots", "remove", String(own), "-y"]).status == 0)
        #expect(try scene.run(["ls"], wallet: second).status == 1)
        #expect(try scene.run(["ls"]).status == 0)
        #expect(try scene.run(["slots", "remove", "0a", "-y"]).status == 1)
    }

    @Test("an older state of the server's is refused in the next run too")
    func rolledBack() async throws {
        let scene = try await Scene.start()
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["mkdir", "a"]).status == 0)
        scene.server.stop()
        try FileManager.default.copyItem(atPath: folder.path("server"), toPath: folder.path("old"))
        var server = try scene.machine.start()
        #expect(try scene.run(["mkdir", "b"]).status == 0)
        server.stop()
        try FileManager.default.removeItem(atPath: folder.path("server"))
        try FileManager.default.moveItem(atPath: folder.path("old"), toPath: folder.path("server"))
        server = try scene.machine.start()
        defer { server.stop() }
        let refused = try scene.run(["ls"])
        #expect(refused.status == 1 && refused.errors.contains("older state"), "\(refused)")
    }

    @Test("export and import, sealed and opened on this machine, and opened by age")
    func exports() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "Papers/a.txt"], input: "one").status == 0)
        #expect(try Program.run("age-keygen", ["-o", folder.path("key")]).status == 0)
        let recipient = try Program.run("age-keygen", ["-y", folder.path("key")]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let out = try scene.run(["export", "--to", folder.path("out.age"), "--recipient", recipient, "--json"])
        let told = try ServerMachine.json(out)
        #expect(out.status == 0 && told["files"] == .integer(1), "\(out)")
        #expect(try scene.run(["export", "--to", folder.path("out.age"), "--recipient", recipient]).status == 1)
        let listed = try Program.run(
            "/bin/sh", ["-c", "age -d -i \(folder.path("key")) \(folder.path("out.age")) | tar -tf -"])
        #expect(listed.output == "Papers/\nPapers/a.txt\n", "\(listed)")
        let back = try scene.run(["import", folder.path("out.age"), "--to", "Back", "-i", folder.path("key")])
        #expect(back.status == 0, "\(back)")
        #expect(try scene.run(["get", "Back/Papers/a.txt", "-o", "-"]).output == "one")
        #expect(try scene.run(["import", folder.path("out.age"), "-i", folder.path("key")]).status == 1)
        #expect(try scene.run(["export", "--plain", "--to", folder.path("plain"), "Papers"]).status == 0)
        #expect(try folder.text("plain/Papers/a.txt") == "one")
        #expect(try scene.run(["import", folder.path("words"), "--to", "Bad"]).status == 1)
        #expect(try scene.paths() == ["Back", "Back/Papers", "Back/Papers/a.txt", "Papers", "Papers/a.txt"])

        let sealed = try scene.local([
            "seal", folder.path("words"), "-o", folder.path("words.age"), "--recipient", recipient,
        ])
        #expect(sealed.status == 0, "\(sealed)")
        let opened = try Program.run("age", ["-d", "-i", folder.path("key"), folder.path("words.age")])
        #expect(opened.output == (try folder.text("words")))
        #expect(
            try scene.local(["open", folder.path("words.age"), "-o", "-", "-i", folder.path("key")]).output
                == opened.output)
        let wrong = try Data(contentsOf: URL(fileURLWithPath: folder.path("words.age"))).dropLast()
        try wrong.write(to: URL(fileURLWithPath: folder.path("cut.age")))
        let cut = try scene.local(["open", folder.path("cut.age"), "-o", folder.path("cut"), "-i", folder.path("key")])
        #expect(cut.status == 1 && !FileManager.default.fileExists(atPath: folder.path("cut")), "\(cut)")
    }

    @Test("a second PIN before one item: nothing of it is shown or read without, and the tries are counted")
    func locks() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        for (name, pin) in [("pin", "194753"), ("wrong", "194754"), ("weak", "123456")] {
            try pin.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "will.txt"], input: "to Ada").status == 0)
        #expect(try scene.run(["lock", "will.txt", "--new-pin-file", folder.path("weak")]).status == 1)
        let locked = try scene.run(["lock", "will.txt", "--new-pin-file", folder.path("pin")])
        #expect(locked.status == 0 && locked.output.contains("locked"), "\(locked)")
        let list = try scene.run(["ls", "--json"])
        #expect(list.output.contains("locked") && !list.output.contains("will"), "\(list)")
        let id = try #require(try ServerMachine.json(list)["items"]?.array?.first?["id"]?.string?.text)
        #expect(try scene.run(["get", "id:\(id)", "-o", "-"]).status == 1)
        #expect(try scene.run(["get", "will.txt", "-o", "-"]).status == 1)
        let wrong = try scene.run(["get", "will.txt", "-o", "-", "--lock-pin-file", folder.path("wrong")])
        #expect(wrong.status == 1 && wrong.errors.contains("counted the try: 9 of 10 are left"), "\(wrong)")
        let right = try scene.run(["get", "will.txt", "-o", "-", "--lock-pin-file", folder.path("pin")])
        #expect(right.output == "to Ada", "\(right)")
        #expect(try scene.run(["lock", "--off", "will.txt", "--lock-pin-file", folder.path("pin")]).status == 0)
        #expect(try scene.run(["get", "will.txt", "-o", "-"]).output == "to Ada")
        // It opens no vault.
        #expect(try scene.run(["ls", "--pin-file", folder.path("pin")]).status == 1)
    }

    @Test("wrong PINs are counted, the slots say so, and the fourth has to wait; the recovery key does not")
    func wrongPINs() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        try "194754".write(toFile: folder.path("wrong"), atomically: true, encoding: .utf8)
        #expect(try !scene.run(["slots"]).output.contains("opened nothing"))
        for left in [9, 8, 7] {
            let wrong = try scene.run(["ls", "--pin-file", folder.path("wrong")])
            #expect(wrong.status == 1 && wrong.errors.contains("\(left) of 10 are left"), "\(wrong)")
            #expect(wrong.errors.contains("the next can be made in") == (left == 7), "\(wrong)")
        }
        // Half a minute, then a minute, then five: a machine that outlives one tries again and meets the next.
        var (tries, waits, slots) = (3, Program.Outcome(status: 0, output: "", errors: ""), "")
        repeat {
            waits = try scene.run(["ls", "--pin-file", folder.path("wrong"), "--json"])
            if !waits.output.contains("vault-pinWait") { tries += 1 }
            slots = try scene.run(["slots"]).output
        } while tries < 6 && !(waits.output.contains("vault-pinWait") && slots.contains("can be tried in"))
        #expect(waits.status == 1 && waits.output.contains("vault-pinWait"), "\(waits)")
        #expect(slots.contains("since the last right one: \(tries).") && slots.contains("can be tried in"), "\(slots)")
        #expect(try scene.run(["ls", "--recovery-file", folder.path("words")]).status == 0)
        let asked = try scene.run(["ls", "--pin"])
        #expect(asked.status == 2 && asked.errors.contains("--pin-file"), "\(asked)")
    }

    @Test("a folder is shared with another member, who compares, takes, reads and changes it; and ended again")
    func shares() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        _ = try await WalletClient.signUp(scene.cast.place(DemoCast.student), DemoCast.student)
        let stella = scene.cast.path(DemoCast.student)
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one").status == 0)
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["mv", "a.txt", "Papers"]).status == 0)
        let none = try scene.run(["share", "Papers", "--with", "stella", "-y"])
        #expect(none.status == 1 && none.errors.contains("has a vault"), "\(none)")
        #expect(try scene.run(["make", "--recovery-out", folder.path("w2")], wallet: stella).status == 0)
        #expect(try scene.run(["share", "Papers"]).output.contains("is shared with nobody"))
        let asked = try scene.run(["share", "Papers", "--with", "stella"])
        #expect(asked.status == 2 && asked.errors.contains("--yes") && asked.errors.contains("Stella"), "\(asked)")
        let own = try ServerMachine.json(scene.run(["share", "--json"], wallet: stella))["fingerprint"]?.string?.text
        let print = try #require(own)
        #expect(asked.errors.contains(print))
        let wrong = String(
            print.map { (digit: Character) -> Character in digit == " " ? " " : digit == "0" ? "1" : "0" })
        #expect(try scene.run(["share", "Papers", "--with", "stella", "--fingerprint", wrong]).status == 1)
        let shared = try scene.run(["share", "Papers", "--with", "stella", "--fingerprint", print, "--json"])
        #expect(shared.status == 0 && shared.output.contains("\"role\":\"reader\""), "\(shared)")
        let members = try scene.run(["share", "Papers"])
        #expect(members.output.contains("Stella Student") && members.output.contains("may look"), "\(members)")
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"]).output == "one")

        #expect(try scene.run(["share"], wallet: stella).output.contains("not yet: --take 1"))
        #expect(try scene.run(["share", "--take", "1"], wallet: stella).status == 2)
        #expect(try scene.run(["share", "--take", "2", "-y"], wallet: stella).status == 1)
        let taken = try scene.run(["share", "--take", "1", "-y"], wallet: stella)
        #expect(taken.status == 0 && taken.output.contains("Papers is in your vault"), "\(taken)")
        #expect(try scene.run(["ls", "Papers"], wallet: stella).output.contains("Papers/a.txt"))
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"], wallet: stella).output == "one")
        let refused = try scene.run(["put", "-", "--to", "Papers/b.txt"], wallet: stella, input: "two")
        #expect(refused.status == 1 && refused.errors.contains("only look"), "\(refused)")
        #expect(try scene.run(["rm", "-r", "Papers"], wallet: stella).status == 1)

        #expect(try scene.run(["share", "Papers", "--with", "@stella", "--write", "-y"]).status == 0)
        // The key is known by now: nothing is asked.
        #expect(try scene.run(["share", "--take", "1"], wallet: stella).status == 0)
        #expect(try scene.run(["put", "-", "--to", "Papers/b.txt"], wallet: stella, input: "two").status == 0)
        #expect(try scene.run(["get", "Papers/b.txt", "-o", "-"]).output == "two")

        #expect(try scene.run(["share", "Papers", "--end", "nobody", "-y"]).status == 1)
        #expect(try scene.run(["share", "Papers", "--end", "stella"]).status == 2)
        #expect(try scene.run(["share", "Papers", "--end", "stella", "-y"]).status == 0)
        let ended = try scene.run(["ls", "Papers"], wallet: stella)
        #expect(ended.status == 1 && ended.errors.contains("no longer shares"), "\(ended)")
        #expect(try scene.run(["share", "Papers"]).output.contains("is shared with nobody"))
        #expect(try scene.paths(["Papers"]) == ["Papers/a.txt", "Papers/b.txt"])
    }

    @Test("a link to a file opens with its code, as often as allowed, and stops; the server has only ciphertext")
    func links() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        #expect(try scene.run(["make", "--recovery-out", scene.folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one").status == 0)
        #expect(try scene.run(["share", "--links"]).output.contains("No links"))
        let made = try scene.run(["share", "a.txt", "--link", "--for", "2", "--views", "2", "--json"])
        let told = try ServerMachine.json(made)
        let code = try #require(told["code"]?.string?.text)
        let id = try #require(told["id"]?.string?.text)
        let parts = try #require(told["link"]?.string?.text).split(separator: "#").map(String.init)
        #expect(parts[0].hasSuffix("/v/\(id)"), "\(made)")
        let key = try #require(parts[1].fromBase64URL)
        let client = ServerClient(address: try ServerAddress(scene.server.url))
        let opened = try await client.openShare(id, ShareOpening(code: code, keyCheck: VaultLink.check(of: key)))
        let file = try SecretBox(key: key).open(
            try #require(opened.sealed.fromBase64URL), purpose: "countersign vault link v1")
        let head = Bytes(text: #"{"name":"a.txt","type":"text/plain"}"#)
        #expect(file == [0, 0, 0, UInt8(head.count)] + head + Bytes(text: "one"))
        #expect(opened.viewsLeft == 1)
        let list = try scene.run(["share", "--links"])
        #expect(
            list.output.contains("a.txt") && list.output.contains("1 of 2") && !list.output.contains(code), "\(list)")
        #expect(try scene.run(["share", "--stop", id]).status == 0)
        await #expect(throws: ProblemError.self) {
            try await client.openShare(id, ShareOpening(code: code, keyCheck: VaultLink.check(of: key)))
        }
        #expect(try scene.run(["share", "--stop", "0a"]).status == 1)
    }

    @Test("every command has its help, and none takes a secret as an argument")
    func help() throws {
        for command in [
            "make", "slots", "ls", "put", "get", "note", "mkdir", "mv", "rm", "restore", "lock", "share", "give",
            "inbox", "contacts", "export", "import", "seal", "open",
        ] {
            let help = try Program.run(Program.countersign, ["wallet", "vault", command, "--help"])
            #expect(help.status == 0 && help.output.contains("countersign wallet vault \(command)"), "\(help)")
            #expect(["slots", "inbox", "contacts"].contains(command) || help.output.contains("--json"), "\(command)")
            #expect(!help.output.contains("--passphrase <") && !help.output.contains("--pin <"), "\(command)")
        }
    }
}
