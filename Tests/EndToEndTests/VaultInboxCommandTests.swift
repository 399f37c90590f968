import Encodings
import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// `countersign wallet vault inbox` against a real server.
extension VaultCommandTests {
    @Test("an owner admits a caretaker, takes what they put in, discards the rest, and ends it")
    func inboxes() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        _ = try await WalletClient.signUp(scene.cast.place(DemoCast.student), DemoCast.student)
        let stella = scene.cast.path(DemoCast.student)
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["make", "--recovery-out", folder.path("w2")], wallet: stella).status == 0)
        try "dear Ragnhild".write(toFile: folder.path("letter.txt"), atomically: true, encoding: .utf8)
        try "buy this".write(toFile: folder.path("advert.txt"), atomically: true, encoding: .utf8)
        let none = try scene.run(["inbox"])
        #expect(none.output.contains("is empty") && none.output.contains("inbox admit"), "\(none)")

        let asked = try scene.run(["inbox", "admit", "stella"])
        #expect(asked.status == 2 && asked.errors.contains("--yes"), "\(asked)")
        let wrong = try scene.run(["inbox", "admit", "stella", "--fingerprint", "0123 4567"])
        #expect(wrong.status == 1, "\(wrong)")
        let admitted = try scene.run(["inbox", "admit", "stella", "-y", "--json"])
        #expect(try ServerMachine.json(admitted)["name"] == .text("Stella Student"), "\(admitted)")
        let files = [folder.path("letter.txt"), folder.path("advert.txt")]
        #expect(try scene.run(["give", "rector"] + files + ["-y"], wallet: stella).status == 0)

        let listed = try ServerMachine.json(scene.run(["inbox", "--json"]))
        let names = listed["items"]?.array?.compactMap { $0["name"]?.string?.text } ?? []
        #expect(names.sorted() == ["advert.txt", "letter.txt"])
        #expect(listed["caretakers"]?.array?.count == 1)
        #expect(listed["items"]?.array?.first?["from"] == .text("Stella Student"))
        let letter = try #require(names.firstIndex(of: "letter.txt")) + 1
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["inbox", "take", "9"]).status == 1)
        // A new name is for one file: of two, neither is taken under it.
        #expect(try scene.run(["inbox", "take", "1", "2", "--to", "Papers/new"]).status == 1)
        #expect(try scene.run(["get", "Papers/new", "-o", "-"]).status == 1)
        let taken = try scene.run(["inbox", "take", "\(letter)", "--to", "Papers"])
        #expect(taken.status == 0 && taken.output.contains("Papers/letter.txt"), "\(taken)")
        #expect(try scene.run(["get", "Papers/letter.txt", "-o", "-"]).output == "dear Ragnhild")
        #expect(try scene.run(["inbox", "discard", "1"]).status == 2)
        #expect(try scene.run(["inbox", "discard", "1", "-y"]).output.contains("advert.txt"))
        #expect(try scene.run(["inbox"]).output.contains("is empty"))

        #expect(try scene.run(["inbox", "end", "nobody", "-y"]).status == 1)
        #expect(try scene.run(["inbox", "end", "stella", "-y"]).status == 0)
        let ended = try scene.run(["give", "rector", folder.path("letter.txt"), "-y"], wallet: stella)
        #expect(ended.status == 1 && ended.errors.contains("caretaker"), "\(ended)")
        #expect(try scene.run(["get", "Papers/letter.txt", "-o", "-"]).output == "dear Ragnhild")
    }
}
