import Age
import Archives
import CryptoProvider
import Encodings
import Foundation
import Testing
import Vault

@testable import Wallet

/// Out of a vault and in again, also through Debian's `age` and `tar`.
@Suite("Exports and imports of a vault")
struct VaultExportTests {
    private static func run(_ command: String, in folder: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// A vault with a folder, files and a note, of which two have names that other systems take for the same.
    private static func filled() async throws -> (PlayedVault, OpenVault) {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let folder = try await vault.makeFolder(PlayedVault.name("Papiere – أوراق"), in: .root)
        try await vault.put(
            scene.file(PlayedVault.content(200_000)), PlayedVault.description("a.pdf"), in: folder, replacing: false)
        try await vault.put(scene.file([7]), PlayedVault.description("A.PDF"), in: folder, replacing: false)
        try await vault.put(scene.file([]), PlayedVault.description("empty"), in: .root, replacing: false)
        try await vault.writeNote(Bytes(text: "1234"), PlayedVault.name("door"), in: .root, replacing: false)
        return (scene, vault)
    }

    private static func imported(
        _ scene: PlayedVault, _ path: String, into vault: OpenVault, new name: String? = nil, replacing: Bool = false,
        with identities: [AgeIdentity] = []
    ) async throws {
        let running = try await VaultImport(
            into: vault, .root, new: name.map { try PlayedVault.name($0) }, replacing: replacing)
        do {
            if FileAbout(path)?.kind == .folder {
                try await running.take(folder: path)
            } else {
                try await running.take(archive: FileSource(path), opening: { _ in identities })
            }
            _ = try await running.finish()
        } catch {
            await running.cancel()
            throw error
        }
    }

    @Test("age and tar open what we export, and siblings with one name are numbered")
    func out() async throws {
        let (scene, vault) = try await Self.filled()
        #expect(try Self.run("age-keygen -o key 2>/dev/null", in: scene.scratch.folder).status == 0)
        let identity = try #require(
            try AgeIdentity.readFile(Bytes(try Data(contentsOf: URL(fileURLWithPath: scene.path("key"))))).first)
        let file = try FileTarget(scene.path("out.age"))
        let done = try await vault.export(
            await vault.list(), sealed: .recipients([identity.recipient(suite: scene.suite)]), into: file)
        try file.finish(replacing: false)
        #expect(done.files == 4 && done.folders == 1 && done.bytes == 200_005)
        let listed = try Self.run("age -d -i key out.age | tar -tf - | LC_ALL=C sort", in: scene.scratch.folder)
        #expect(listed.status == 0, "\(listed.output)")
        let opened = try Self.run(
            "mkdir o && age -d -i key out.age | tar -xf - -C o && cat o/door.txt", in: scene.scratch.folder)
        #expect(opened.status == 0 && opened.output == "1234", "\(opened.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path("o/Papiere – أوراق")).sorted()
        #expect(names == ["A.PDF", "a (2).pdf"], "\(names)")
        #expect(
            Bytes(try Data(contentsOf: URL(fileURLWithPath: scene.path("o/Papiere – أوراق/a (2).pdf"))))
                .hasSameBytes(as: PlayedVault.content(200_000)))
    }

    @Test("an item behind a closed lock is left out and counted; with the key of the lock it comes along")
    func locked() async throws {
        let (scene, vault) = try await Self.filled()
        let file = try await vault.put(
            scene.file(Bytes(text: "to my heirs")), PlayedVault.description("will.txt"), in: .root, replacing: false)
        let lock = ItemLock(pin: try .random(scene.suite), id: try .random(scene.suite))
        try await vault.setLocks([lock], on: file)
        #expect(try Self.run("age-keygen -o key 2>/dev/null", in: scene.scratch.folder).status == 0)
        let identity = try #require(
            try AgeIdentity.readFile(Bytes(try Data(contentsOf: URL(fileURLWithPath: scene.path("key"))))).first)
        for (name, isOpen) in [("closed", false), ("open", true)] {
            if isOpen { try await vault.unlock([lock]) }
            let target = try FileTarget(scene.path("\(name).age"))
            let sealed = try await vault.export(
                await vault.list(), sealed: .recipients([identity.recipient(suite: scene.suite)]), into: target)
            try target.finish(replacing: false)
            let plain = try await vault.export(await vault.list(), to: scene.path(name))
            for done in [sealed, plain] { #expect(done.files == (isOpen ? 5 : 4) && done.locked == (isOpen ? 0 : 1)) }
            let listed = try Self.run("age -d -i key \(name).age | tar -tf -", in: scene.scratch.folder)
            #expect(listed.status == 0 && listed.output.contains("will.txt") == isOpen, "\(listed.output)")
            let names = try FileManager.default.contentsOfDirectory(atPath: scene.path(name))
            #expect(names.contains("will.txt") == isOpen && names.count == (isOpen ? 4 : 3), "\(names)")
        }
    }

    @Test("we import what age and tar wrote, and our own export and folder")
    func back() async throws {
        let (scene, vault) = try await Self.filled()
        let made = try Self.run(
            "mkdir -p t/sub && printf one > t/sub/one && printf two > t/two && age-keygen -o key 2>/dev/null && "
                + "tar -cf - -C t . | age -e -i key > theirs.age && tar -cf theirs.tar -C t .", in: scene.scratch.folder
        )
        #expect(made.status == 0, "\(made.output)")
        let identities = try AgeIdentity.readFile(Bytes(try Data(contentsOf: URL(fileURLWithPath: scene.path("key")))))
        for (number, path) in ["theirs.age", "theirs.tar", "t"].enumerated() {
            try await Self.imported(scene, scene.path(path), into: vault, new: "in \(number)", with: identities)
            let item = try await vault.one("in \(number)/sub/one")
            #expect(try await scene.read(item.id, of: vault) == Bytes(text: "one"))
        }
        _ = try await vault.export(await vault.list(), to: scene.path("folder"))
        try await Self.imported(scene, scene.path("folder"), into: vault, new: "again")
        let item = try await vault.one("again/Papiere – أوراق/a (2).pdf")
        #expect(
            try await scene.read(item.id, of: try await scene.open("two")).hasSameBytes(
                as: PlayedVault.content(200_000)))
    }

    @Test("what is there is kept, or goes to the trash if that is asked for; other things go beside it")
    func merged() async throws {
        let (scene, vault) = try await Self.filled()
        let made = try Self.run(
            "mkdir -p 't/Papiere – أوراق' && printf new > 't/Papiere – أوراق/a.pdf' && printf b > 't/Papiere – أوراق/b'",
            in: scene.scratch.folder)
        #expect(made.status == 0)
        let before = await vault.everything()
        #expect(
            await fault { try await Self.imported(scene, scene.path("t"), into: vault) }
                == .exists("Papiere – أوراق/a.pdf"))
        try await vault.refresh()
        #expect(await vault.everything() == before)
        #expect(await vault.trash().isEmpty)
        try await Self.imported(scene, scene.path("t"), into: vault, replacing: true)
        let item = try await vault.one("Papiere – أوراق/a.pdf")
        #expect(try await scene.read(item.id, of: vault) == Bytes(text: "new"))
        #expect(await vault.trash().map(\.size) == [200_000])
        #expect(try await vault.one("Papiere – أوراق/b").size == 1)
    }

    /// An archive that a stranger made.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: String
    }

    @Test(
        "a hostile or damaged archive leaves nothing",
        arguments: [
            Bad(testDescription: "a link", command: "ln -s /etc/passwd t/l && tar -cf bad -C t ."),
            Bad(testDescription: "a hard link", command: "ln t/two t/h && tar -cf bad -C t two h"),
            Bad(testDescription: "a path that leads out", command: "tar -cPf bad --transform 's,^t/two,../two,' t/two"),
            Bad(testDescription: "an absolute path", command: "tar -cPf bad --transform 's,^t/two,/tmp/two,' t/two"),
            Bad(testDescription: "a pipe", command: "mkfifo t/p && tar -cf bad -C t ."),
            Bad(testDescription: "cut in a file", command: "tar -cf w -C t . && head -c 60000 w > bad"),
            Bad(testDescription: "cut before the end mark", command: "tar -cf w -C t . && head -c 92160 w > bad"),
            Bad(testDescription: "something behind the end", command: "tar -cf bad -C t . && printf x >> bad"),
            Bad(testDescription: "the same path twice", command: "tar -cf bad -C t two two"),
            Bad(testDescription: "no archive", command: "head -c 5000 /dev/urandom > bad"),
            Bad(testDescription: "an empty file", command: "> bad"),
            Bad(
                testDescription: "text that steers a terminal",
                command: "cp t/two \"$(printf 't/a\\033[2J')\" && tar -cf bad -C t ."),
            Bad(
                testDescription: "a damaged age file",
                command: "age-keygen -o key 2>/dev/null && tar -cf - -C t . | age -e -i key > bad && "
                    + "printf X | dd of=bad bs=1 seek=70000 conv=notrunc 2>/dev/null"),
        ])
    func hostile(bad: Bad) async throws {
        let scene = try await PlayedVault(part: 20_000)
        let vault = try await scene.open()
        let made = try Self.run(
            "mkdir t && head -c 90000 /dev/zero > t/one && printf two > t/two && " + bad.command,
            in: scene.scratch.folder)
        #expect(made.status == 0, "\(made.output)")
        let identities =
            (try? Data(contentsOf: URL(fileURLWithPath: scene.path("key"))))
            .flatMap { try? AgeIdentity.readFile(Bytes($0)) } ?? []
        for name in [nil, "new"] {
            let found = await fault {
                try await Self.imported(scene, scene.path("bad"), into: vault, new: name, with: identities)
            }
            #expect(found != nil, "\(bad.testDescription)")
            try await vault.refresh()
            #expect(await vault.everything().isEmpty)
            #expect(await vault.records.isEmpty, "\(bad.testDescription) leaves something")
        }
    }

    @Test("nothing of an import is seen before all of it is there")
    func hidden() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let running = try await VaultImport(into: vault, .root, new: PlayedVault.name("new"), replacing: false)
        for number in 0..<60 {
            try await running.beginFile([Bytes(text: "f\(number)")], size: 3, modified: 0)
            try await running.write([1, 2, 3])
            try await running.endFile()
        }
        let other = try await scene.open("two")
        #expect(await other.everything().isEmpty)
        #expect(await other.records.isEmpty == false)
        #expect(try await running.finish() == 60)
        try await other.refresh()
        #expect(await other.everything().count == 61)
    }

    @Test("an import replaces by parts what one change does not hold")
    func replacedByParts() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        // Twice as much as one change holds, at the top and in a folder, and a server that moves no more than 9 MiB.
        let text = Bytes(repeating: 0x61, count: NodeMetadataLimits.text)
        await scene.server.take(moved: 9 << 20)
        let folder = try await vault.makeFolder(PlayedVault.name("folder"), in: .root)
        for number in 0..<66 {
            try await vault.writeNote(text, PlayedVault.name("n\(number)"), in: .root, replacing: false)
            try await vault.writeNote(text, PlayedVault.name("n\(number)"), in: folder, replacing: false)
        }
        let running = try await VaultImport(into: vault, .root, new: nil, replacing: true)
        for name in ["folder"] + (0..<66).map({ "n\($0)" }) {
            try await running.beginFile([Bytes(text: name)], size: 1, modified: 0)
            try await running.write([1])
            try await running.endFile()
        }
        #expect(try await running.finish() == 67)
        #expect(await vault.list().map(\.kind) == Array(repeating: .file, count: 67))
        #expect(await vault.records.values.filter { $0.trashed != nil }.count == 133)
    }

    @Test("numbered names stay within what file systems take")
    func names() {
        var names = ExportNames()
        let long = Bytes(text: String(repeating: "ä", count: 127) + "b")
        #expect(names.name(for: long) == long)
        let second = names.name(for: long)
        #expect(
            second.count <= 255 && UTF8Text.isValid(second) && String(decoding: second, as: UTF8.self).hasSuffix(" (2)")
        )
        #expect(names.name(for: Bytes(text: "a.txt")) == Bytes(text: "a.txt"))
        #expect(names.name(for: Bytes(text: "a.txt")) == Bytes(text: "a (2).txt"))
        #expect(names.name(for: Bytes(text: "A.TXT")) == Bytes(text: "A (3).TXT"))
        #expect(names.name(for: Bytes(text: ".profile")) == Bytes(text: ".profile"))
        #expect(names.name(for: Bytes(text: ".profile")) == Bytes(text: ".profile (2)"))
    }
}
