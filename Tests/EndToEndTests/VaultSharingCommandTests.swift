import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// `countersign wallet vault share` against a real server.
extension VaultCommandTests {
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

    @Test("a folder gets another key: who stays takes it, who was ended does not, and the person is asked")
    func newKeys() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        _ = try await WalletClient.signUp(scene.cast.place(DemoCast.student), DemoCast.student)
        let stella = scene.cast.path(DemoCast.student)
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["make", "--recovery-out", folder.path("w2")], wallet: stella).status == 0)
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "Papers/a.txt"], input: "one").status == 0)
        let none = try scene.run(["share", "Papers", "--new-key", "-y"])
        #expect(none.status == 1 && none.errors.contains("is not shared"), "\(none)")
        #expect(try scene.run(["share", "--new-key"]).status == 2)
        #expect(try scene.run(["share", "Papers", "--new-key", "--with", "stella"]).status == 2)
        #expect(try scene.run(["share", "Papers", "--with", "stella", "-y"]).status == 0)
        #expect(try scene.run(["share", "--take", "1", "-y"], wallet: stella).status == 0)

        let asked = try scene.run(["share", "Papers", "--new-key"])
        #expect(asked.status == 2 && asked.errors.contains("--yes"), "\(asked)")
        let given = try scene.run(["share", "Papers", "--new-key", "-y", "--json"])
        let told = try ServerMachine.json(given)
        #expect(told["given"]?.array?.compactMap { $0["name"]?.string?.text } == ["Stella Student"], "\(given)")
        #expect(told["left"] == .array([]))
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"]).output == "one")
        let old = try scene.run(["ls", "Papers"], wallet: stella)
        #expect(old.status == 1 && old.errors.contains("gave it another key"), "\(old)")
        #expect(try scene.run(["share", "--take", "1"], wallet: stella).status == 0)
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"], wallet: stella).output == "one")

        let ended = try scene.run(["share", "Papers", "--end", "stella", "--new-key", "-y"])
        #expect(ended.status == 0 && ended.output.contains("Nobody else has it"), "\(ended)")
        #expect(try scene.run(["ls", "Papers"], wallet: stella).status == 1)
        #expect(try scene.run(["share"], wallet: stella).output.contains("Nobody shares a folder with you"))
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"]).output == "one")
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
}
