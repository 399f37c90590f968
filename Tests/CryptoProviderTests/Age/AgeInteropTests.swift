import Age
import Archives
import CryptoProvider
import Encodings
import Foundation
import Testing

/// Files go both ways between us and the program `age`.
@Suite("age and we", .serialized)
final class AgeInteropTests {
    private let library = SwiftCryptoSuite()
    private let pure = PureAgeSuite { RandomBytes.make($0) }
    private let folder: URL
    private let passphrase = "zwölf Boxkämpfer"

    init() throws {
        folder = try OtherPrograms.temporaryFolder()
        guard try OtherPrograms.run(["age", "--version"]).status == 0 else {
            throw OtherPrograms.Missing(description: "needs age: apt-get install age (./test does it)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private func read(_ name: String) throws -> Bytes {
        Bytes(try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    private func write(_ bytes: Bytes, _ name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    private func age(_ arguments: [String], typing: String? = nil) throws -> OtherPrograms.Result {
        guard let typing else { return try OtherPrograms.run(["age"] + arguments) }
        let terminal = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Interop/terminal.py").path
        return try OtherPrograms.run(["python3", terminal, "age"] + arguments, input: typing)
    }

    /// A key of `age-keygen`, of which we find the public half.
    private func newKey() throws -> (AgeIdentity, AgeRecipient) {
        let made = try OtherPrograms.run(["age-keygen", "-o", path("key")])
        let identity = try #require(try AgeIdentity.readFile(read("key")).first)
        let recipient = try identity.recipient(suite: pure)
        #expect(made.status == 0 && made.errors.contains(String(decoding: recipient.text, as: UTF8.self)))
        return (identity, recipient)
    }

    @Test("age opens what we seal for its keys", arguments: [0, 1, 65_536, 200_000], [AgeFormat.binary, .armoured])
    func ours(count: Int, format: AgeFormat) throws {
        let (_, recipient) = try newKey()
        let content = RandomBytes.make(count)
        let files = [
            try ageFile(content, with: AgeSealer(to: [recipient], format: format, suite: library)),
            try ageFile(content, with: AgeSealer(to: [recipient, recipient], format: format, suite: pure)),
        ]
        for file in files {
            try write(file, "ours.age")
            let result = try age(["-d", "-i", path("key"), "-o", path("opened"), path("ours.age")])
            #expect(result.status == 0, "\(result.errors)")
            // Without content age writes no file.
            #expect(try count == 0 || read("opened").hasSameBytes(as: content))
            try write(file.dropLast(40) + file.suffix(39), "ours.age")
            #expect(try age(["-d", "-i", path("key"), "-o", path("spoiled"), path("ours.age")]).status != 0)
        }
    }

    @Test("We open what age seals, for its key and for ours", arguments: [0, 1, 65_536, 200_000], [[], ["-a"]])
    func theirs(count: Int, options: [String]) throws {
        let (theirs, theirRecipient) = try newKey()
        let ours = try AgeIdentity.generate(suite: library)
        let content = RandomBytes.make(count)
        try write(content, "plain")
        let recipients = try [theirRecipient, ours.recipient(suite: library)].flatMap {
            ["-r", String(decoding: $0.text, as: UTF8.self)]
        }
        let result = try age(options + recipients + ["-o", path("theirs.age"), path("plain")])
        #expect(result.status == 0, "\(result.errors)")
        for identity in [theirs, ours] {
            let first = openedAge(try read("theirs.age"), [identity], suite: library)
            let second = openedAge(try read("theirs.age"), [identity], pieces: 1_000, suite: pure)
            #expect(first.error == nil && first.content.hasSameBytes(as: content))
            #expect(second.error == nil && second.content.hasSameBytes(as: content))
        }
        #expect(openedAge(try read("theirs.age"), [try .generate(suite: pure)], suite: pure).error == .noMatch)
    }

    @Test("age opens what we seal under a passphrase, and no other opens it")
    func ourPassphrase() throws {
        let content = RandomBytes.make(70_000)
        let bytes = Bytes(text: passphrase)
        for file in [
            try ageFile(content, with: AgeSealer(passphrase: bytes, logWork: 10, suite: pure)),
            try ageFile(content, with: AgeSealer(passphrase: bytes, logWork: 15, format: .armoured, suite: library)),
        ] {
            try write(file, "ours.age")
            let arguments = ["-d", "-o", path("opened"), path("ours.age")]
            let result = try age(arguments, typing: passphrase + "\n")
            #expect(result.status == 0, "\(result.output)")
            #expect(try read("opened").hasSameBytes(as: content))
            #expect(try age(arguments, typing: passphrase + "!\n").status != 0)
        }
    }

    @Test("We open what age seals under a passphrase, within the work that we allow")
    func theirPassphrase() throws {
        let content = RandomBytes.make(70_000)
        try write(content, "plain")
        let result = try age(
            ["-p", "-o", path("theirs.age"), path("plain")], typing: passphrase + "\n" + passphrase + "\n")
        #expect(result.status == 0, "\(result.output)")
        let file = try read("theirs.age")
        let header = try #require(try AgeHeader.read(beginning: Array(file.prefix(1_000))))
        #expect(header.needsPassphrase && header.logWork == AgeLimits.usualLogWork)
        func open(_ passphrase: String, highest: Int = 18) -> (content: Bytes, error: AgeError?) {
            let identity = AgeIdentity(passphrase: Bytes(text: passphrase), highestLogWork: highest)
            return openedAge(file, [identity], suite: library)
        }
        let opened = open(passphrase)
        #expect(opened.error == nil && opened.content.hasSameBytes(as: content))
        #expect(open(passphrase + "!").error == .noMatch)
        #expect(open(passphrase, highest: 17).error == .tooMuchWork(logWork: 18))
    }

    @Test("`age -d | tar x` unpacks what we export, without us")
    func pipeline() throws {
        let (_, recipient) = try newKey()
        let names = ["Zeugnis.pdf", "ملف.txt", String(repeating: "Übergröße ", count: 15) + ".txt"]
        var (writer, archive) = (TarWriter(), Bytes())
        let contents = names.map { _ in RandomBytes.make(1_000) }
        for (name, content) in zip(names, contents) {
            let path = try ArchivePath([Bytes(text: "Papers"), Bytes(text: name)])
            let entry = ArchiveEntry(path: path, kind: .file(length: Int64(content.count)), modified: 1_700_000_000)
            try writer.begin(entry, appendingTo: &archive)
            try writer.write(content, appendingTo: &archive)
        }
        try writer.finish(appendingTo: &archive)
        try write(try ageFile(archive, with: AgeSealer(to: [recipient], suite: library)), "export.age")
        let command = "set -o pipefail; age -d -i \"$0/key\" \"$0/export.age\" | tar -x -C \"$0\""
        let result = try OtherPrograms.run(["bash", "-c", command, folder.path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        for (name, content) in zip(names, contents) { #expect(try read("Papers/\(name)") == content) }
    }
}
