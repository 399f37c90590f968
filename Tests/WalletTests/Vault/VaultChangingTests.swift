import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// Folders, notes and names, on one device and on several.
@Suite("What is done in a vault")
struct VaultChangingTests {
    private static func paths(_ vault: OpenVault) async -> [String] {
        await vault.everything().map { String(decoding: $0.path, as: UTF8.self) }
    }

    @Test("two devices at once: no update is lost")
    func twoDevices() async throws {
        let scene = try await PlayedVault()
        let (one, two) = (try await scene.open("one"), try await scene.open("two"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, vault) in [("a", one), ("b", two)] {
                group.addTask {
                    for number in 0..<12 {
                        try await vault.makeFolder(PlayedVault.name("\(name)\(number)"), in: .root)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await one.refresh()
        try await two.refresh()
        let all = await Self.paths(one)
        #expect(all.count == 24)
        #expect(await Self.paths(two) == all)
    }

    @Test("a change whose answer was lost is not made twice")
    func lostAnswer() async throws {
        for seed in 1...5 {
            let scene = try await PlayedVault(seed: UInt64(seed))
            let vault = try await scene.open()
            await scene.server.cut(400)
            var made = 0
            for number in 0..<6 {
                do {
                    try await vault.makeFolder(PlayedVault.name("f\(number)"), in: .root)
                    made += 1
                } catch WalletError.unreachable {
                    // Refused, or nobody knows.
                }
            }
            await scene.server.cut(0)
            try await vault.refresh()
            let paths = await Self.paths(vault)
            #expect(paths.count >= made && Set(paths).count == paths.count, "\(paths)")
        }
    }

    @Test("moved, renamed, both at once, and not into itself")
    func moves() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let folder = try await vault.makeFolder(PlayedVault.name("Papers"), in: .root)
        let inner = try await vault.makeFolder(PlayedVault.name("2026"), in: folder)
        let file = try await scene.put([1, 2], "a.pdf", into: vault)
        try await vault.move(file, to: inner)
        #expect(await Self.paths(vault) == ["Papers", "Papers/2026", "Papers/2026/a.pdf"])
        try await vault.move(file, to: .root, as: PlayedVault.name("b.pdf"))
        #expect(await vault.records[file]?.record.revision == 3)
        #expect(await fault { try await vault.move(folder, to: inner) } == .intoItself("Papers"))
        try await vault.move(file, to: .root, as: PlayedVault.name("Papers 2"))
        #expect(
            await fault { try await vault.move(file, to: .root, as: PlayedVault.name("Papers")) } == .exists("Papers"))
        #expect(try await scene.read(file, of: try await scene.open("two")) == [1, 2])
    }

    @Test("into the trash with all that is in it, back again, and away for good")
    func trash() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let folder = try await vault.makeFolder(PlayedVault.name("Papers"), in: .root)
        let file = try await vault.put(
            scene.file([1]), PlayedVault.description("a"), in: folder, replacing: false)
        try await vault.trash([folder])
        #expect(await vault.everything().isEmpty)
        #expect(await vault.trash().map(\.id) == [folder])
        // Its name is free, and what is changed while it lies there stays vouched for.
        try await vault.makeFolder(PlayedVault.name("Papers"), in: .root)
        let other = try await scene.open("two")
        #expect(await other.trash().count == 1)
        try await other.restore(folder)
        #expect(await Self.paths(other).filter { $0 == "Papers" }.count == 2)
        #expect(await fault { _ = try await other.one("Papers") } != nil)
        try await vault.refresh()
        try await vault.remove([folder])
        try await other.refresh()
        #expect(await Self.paths(other) == ["Papers"])
        #expect(await other.item(file) == nil)
        _ = try await scene.open("three")
    }

    @Test("a note has its text, and an older one is replaced only if that is asked for")
    func notes() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let id = try await vault.writeNote(Bytes(text: "1234"), PlayedVault.name("door"), in: .root, replacing: false)
        #expect(
            await fault {
                try await vault.writeNote([], PlayedVault.name("door"), in: .root, replacing: false)
            } == .exists("door"))
        try await vault.writeNote(Bytes(text: "5678"), PlayedVault.name("door"), in: .root, replacing: true)
        #expect(try await scene.open("two").text(id) == Bytes(text: "5678"))
        let long = Bytes(repeating: 0x61, count: NodeMetadataLimits.text + 1)
        #expect(
            await fault { try await vault.writeNote(long, PlayedVault.name("l"), in: .root, replacing: false) } != nil)
        #expect(
            await fault { try await vault.writeNote([0xFF], PlayedVault.name("l"), in: .root, replacing: false) } != nil
        )
    }

    @Test("a lock before a folder closes all that is in it, also on other devices, and keeps what is in the trash")
    func locks() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let folder = try await vault.makeFolder(PlayedVault.name("Papers"), in: .root)
        let inner = try await vault.makeFolder(PlayedVault.name("2026"), in: folder)
        let file = try await vault.put(scene.file([1, 2]), PlayedVault.description("a"), in: inner, replacing: false)
        let gone = try await vault.put(scene.file([3]), PlayedVault.description("b"), in: folder, replacing: false)
        try await vault.trash([gone])
        let lock = ItemLock(pin: try .random(scene.suite), id: try .random(scene.suite))
        try await vault.setLocks([lock], on: folder)
        // It has no key here any more, and says only that it is there.
        #expect(await vault.everything().map(\.kind) == [.locked])
        let other = try await scene.open("two")
        #expect(await other.everything().map(\.kind) == [.locked])
        #expect(await fault { _ = try await scene.read(file, of: other) } != nil)
        #expect(
            await fault { try await other.move(folder, to: .root, as: PlayedVault.name("x")) }
                == .locked("id:\(folder.text)"))
        #expect(await fault { try await other.unlock([ItemLock(pin: .random(scene.suite), id: lock.id)]) } == nil)
        #expect(await other.everything().map(\.kind) == [.locked])
        let third = try await scene.open("three")
        try await third.unlock([lock])
        #expect(await Self.paths(third) == ["Papers", "Papers/2026", "Papers/2026/a"])
        #expect(try await scene.read(file, of: third) == [1, 2])
        try await third.restore(gone)
        #expect(try await scene.read(gone, of: third) == [3])
        try await third.setLocks([], on: folder)
        try await other.refresh()
        #expect(await Self.paths(other) == ["Papers", "Papers/2026", "Papers/2026/a", "Papers/b"])
    }

    @Test(
        "patterns stand for names",
        arguments: [
            ("*", "a.pdf", true), ("*.pdf", "a.pdf", true), ("*.pdf", "a.pdfx", false), ("?.pdf", "a.pdf", true),
            ("?.pdf", "ab.pdf", false), ("[a-c].pdf", "b.pdf", true), ("[!a-c].pdf", "b.pdf", false),
            ("[]x]", "]", true), ("[", "[", true), ("a\\*", "a*", true), ("a\\*", "ab", false), ("**b*", "aab", true),
            ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false), ("é", "e\u{301}", true), ("", "a", false),
            // Only a dot stands for a dot at the beginning.
            ("*", ".profile", false), ("?profile", ".profile", false), ("[.]profile", ".profile", false),
            ("[!a]*", ".profile", false), (".*", ".profile", true), (".profile", ".profile", true),
            ("\\.profile", ".profile", true), ("*.*", "a.profile", true),
        ])
    func patterns(pattern: String, name: String, fits: Bool) {
        let names = VaultPattern.names(of: pattern)
        #expect((names.first?.matches(Bytes(text: name)) ?? false) == fits)
    }

    @Test("paths lead to items, and one of two with the same name is named by its id")
    func paths() async throws {
        let scene = try await PlayedVault()
        let (one, two) = (try await scene.open("one"), try await scene.open("two"))
        let folder = try await one.makeFolder(PlayedVault.name("Papers"), in: .root)
        for name in ["a.pdf", "b.pdf", "c.txt"] {
            try await one.put(scene.file([1]), PlayedVault.description(name), in: folder, replacing: false)
        }
        #expect(try await one.find("/Papers/*.pdf").count == 2)
        #expect(try await one.find("P*/?.txt").count == 1)
        #expect(await fault { _ = try await one.find("Papers/x") } == .notFound("Papers/x"))
        // Two devices without each other's knowledge.
        await scene.server.before { server in
            let other = try await OpenVault(
                scene.compartment, server: server, folder: VaultFolder(path: scene.path("three")), pauses: [])
            try await other.writeNote([], PlayedVault.name("n"), in: .root, replacing: false)
        }
        #expect(
            await fault { try await two.writeNote([1], PlayedVault.name("n"), in: .root, replacing: false) }
                == .exists("n"))
        let found = try await two.one("n")
        #expect(try await two.one("id:\(found.id.text)") == found)
        #expect(await fault { _ = try await two.one("id:\(String(repeating: "0", count: 32))") } != nil)
    }
}
