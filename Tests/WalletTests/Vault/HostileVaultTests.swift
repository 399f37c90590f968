import CryptoProvider
import Encodings
import Foundation
import Interface
import NIOCore
import Testing
import Vault

@testable import Wallet

/// A server that answers with something other than what it was given.
@Suite("A vault at a hostile server")
struct HostileVaultTests {
    /// A vault with a folder, a file in it and a note.
    private static func filled() async throws -> (scene: PlayedVault, vault: OpenVault, file: NodeID) {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let folder = try await vault.makeFolder(PlayedVault.name("Papers"), in: .root)
        let file = try await vault.put(
            scene.file(PlayedVault.content(120_000)), PlayedVault.description("degree.pdf"), in: folder,
            replacing: false)
        try await vault.writeNote(Bytes(text: "1234"), PlayedVault.name("door"), in: .root, replacing: false)
        return (scene, vault, file)
    }

    @Test("what was put is there on another device, and the server has seen none of it")
    func honest() async throws {
        let (scene, _, file) = try await Self.filled()
        let other = try await scene.open("two")
        #expect(
            await other.everything().map { String(decoding: $0.path, as: UTF8.self) } == [
                "Papers", "Papers/degree.pdf", "door",
            ])
        #expect(try await scene.read(file, of: other).hasSameBytes(as: PlayedVault.content(120_000)))
        #expect(try await other.text(try await other.one("door").id) == Bytes(text: "1234"))
        for upload in await scene.server.uploads.values {
            let all = upload.parts.keys.sorted().flatMap { upload.parts[$0] ?? [] }
            #expect(!String(decoding: all, as: UTF8.self).contains("degree"))
        }
    }

    /// A lie about the list, and what it is found as.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout VaultNodes) -> Void
    }

    static let lies: [Lie] = [
        Lie(testDescription: "an item is missing") { $0.items.removeLast() },
        Lie(testDescription: "an item comes twice under two ids") { $0.items.append(again($0.items[0])) },
        Lie(testDescription: "an item is said to be in the trash") { $0.items[0].trashed = 1 },
        Lie(testDescription: "an item is said to be removed") {
            $0.items[0].removed = 1
            $0.items[0].metadata = ""
        },
        Lie(testDescription: "the head is changed") { $0.head = flipped($0.head, 30) },
        Lie(testDescription: "the head is missing") { $0.head = "" },
        Lie(testDescription: "the sequence is another than the head's") { $0.sequence += 1 },
        Lie(testDescription: "metadata is changed") { $0.items[0].metadata = flipped($0.items[0].metadata, 40) },
        Lie(testDescription: "a key is changed") { $0.items[1].key = flipped($0.items[1].key, 40) },
        Lie(testDescription: "a place is changed") { $0.items[1].place = flipped($0.items[1].place, 20) },
        Lie(testDescription: "two items have each other's places") { nodes in
            (nodes.items[0].place, nodes.items[1].place) = (nodes.items[1].place, nodes.items[0].place)
        },
        Lie(testDescription: "the revision is another") { $0.items[0].revision += 1 },
        Lie(testDescription: "the newest version is missing") { nodes in
            for index in nodes.items.indices { nodes.items[index].versions = [] }
        },
        Lie(testDescription: "no base64url") { $0.items[0].key = "*" },
        Lie(testDescription: "no id") { $0.items[0].id = "../../etc/passwd" },
        Lie(testDescription: "a list without an end") { $0.next = "0" },
        Lie(testDescription: "an empty page and no end") {
            $0.items = []
            $0.next = "1"
        },
    ]

    private static func again(_ node: VaultNode) -> VaultNode {
        var node = node
        node.id = String(node.id.reversed())
        return node
    }

    private static func flipped(_ text: String, _ place: Int) -> String {
        var bytes = text.fromBase64URL ?? []
        bytes[place] ^= 1
        return bytes.base64URL
    }

    @Test("a changed list opens nothing", arguments: lies)
    func list(lie: Lie) async throws {
        let (scene, _, _) = try await Self.filled()
        await scene.server.lie(nodes: lie.change)
        #expect(await fault { _ = try await scene.open() } == .broken, "\(lie.testDescription)")
        #expect(await fault { _ = try await scene.open("another device") } == .broken)
        await scene.server.lie(nodes: nil)
        _ = try await scene.open()
    }

    @Test("what the server has lost is said, and nothing is opened in its place")
    func lost() async throws {
        let (scene, _, _) = try await Self.filled()
        await scene.server.lie { nodes in
            nodes.items[0].key = ""
            nodes.items[0].lost = true
        }
        #expect(await fault { _ = try await scene.open() } == .lost(1))
    }

    @Test("an older state is refused by a device that has seen a newer one, also in another run")
    func rolledBack() async throws {
        let (scene, vault, _) = try await Self.filled()
        let old = try #require(await scene.server.compartments[scene.compartment.id.text])
        try await vault.makeFolder(PlayedVault.name("New"), in: .root)
        let new = try #require(await scene.server.compartments[scene.compartment.id.text])
        await scene.server.set(scene.compartment.id.text, old)
        #expect(await fault { _ = try await scene.open() } == .rolledBack)
        #expect(await fault { try await vault.refresh() } == .rolledBack)
        // A device that never saw it cannot know.
        #expect(try await scene.open("fresh").list().count == 2)
        await scene.server.set(scene.compartment.id.text, new)
        #expect(try await scene.open().list().count == 3)
    }

    @Test("an item that somebody wrote so that it does not open is counted, also by an export")
    func unopened() async throws {
        let (scene, vault, _) = try await Self.filled()
        #expect(await vault.unopened == 0)
        // The head vouches for it, since a member has changed the folder; nothing else of it is of this vault.
        let other = try Compartment.random(SwiftCryptoSuite())
        let strange = try other.make(
            NodeMetadata(.note, name: PlayedVault.name("strange"), created: 1), in: other.root,
            suite: SwiftCryptoSuite())
        try await vault.change { _ in VaultEdit(put: strange) }
        let again = try await scene.open("two")
        #expect(await again.unopened == 1)
        #expect(await again.everything().count == 3)
        let exported = try await again.export(await again.list(), to: scene.path("out"))
        #expect(exported.unopened == 1 && exported.files == 2)
        try await again.trash([strange.id])
        #expect(await again.unopened == 0)
    }

    @Test("what this device remembers cannot be changed, and tells nobody which compartment it is of")
    func memory() async throws {
        let (scene, _, _) = try await Self.filled()
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path("one"))
            .filter { $0.hasSuffix(".seen") }
        #expect(names.count == 1 && !names[0].contains(scene.compartment.id.text))
        let path = scene.path("one/\(names[0])")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[20] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        await #expect(throws: WalletError.cannotRead(path: path)) { _ = try await scene.open() }
    }

    /// A lie about the content of a file.
    struct ContentLie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Bytes) -> Void
    }

    static let contentLies: [ContentLie] = [
        ContentLie(testDescription: "a bit of the salt") { $0[3] ^= 1 },
        ContentLie(testDescription: "a bit of the commitment") { $0[40] ^= 1 },
        ContentLie(testDescription: "a bit of the first chunk") { $0[60] ^= 1 },
        ContentLie(testDescription: "a bit of the last byte") { $0[$0.count - 1] ^= 1 },
        ContentLie(testDescription: "two chunks exchanged") { bytes in
            let (first, second) = (56..<56 + 16_400, 56 + 16_400..<56 + 32_800)
            let kept = Array(bytes[first])
            bytes.replaceSubrange(first, with: Array(bytes[second]))
            bytes.replaceSubrange(second, with: kept)
        },
        ContentLie(testDescription: "a chunk missing") { $0.removeSubrange(56..<56 + 16_400) },
        ContentLie(testDescription: "the end missing, at a chunk") { $0.removeLast($0.count - 56 - 3 * 16_400) },
        ContentLie(testDescription: "the last byte missing") { $0.removeLast() },
        ContentLie(testDescription: "a byte more") { $0.append(0) },
        ContentLie(testDescription: "nothing at all") { $0 = [] },
    ]

    @Test("a changed content is found, and nothing wrong is handed out", arguments: contentLies)
    func content(lie: ContentLie) async throws {
        let (scene, vault, file) = try await Self.filled()
        await scene.server.lie(content: lie.change)
        let target = MemoryTarget()
        #expect(await fault { try await vault.read(file, into: target) } == .contentBroken("degree.pdf"))
        let right = PlayedVault.content(120_000)
        #expect(target.bytes == Array(right.prefix(target.bytes.count)))
    }

    @Test("the content of another file is none of this one")
    func exchanged() async throws {
        let (scene, vault, file) = try await Self.filled()
        try await scene.put(PlayedVault.content(120_000, 7), "other.pdf", into: vault)
        let uploads = await scene.server.uploads
        await scene.server.lie { bytes in
            let other = uploads.values.map { upload in upload.parts.keys.sorted().flatMap { upload.parts[$0] ?? [] } }
            if let found = other.first(where: { $0 != bytes }) { bytes = found }
        }
        #expect(await fault { _ = try await scene.read(file, of: vault) } == .contentBroken("degree.pdf"))
    }

    @Test("a file gets its name only when it is whole")
    func halfFile() async throws {
        let (scene, vault, file) = try await Self.filled()
        await scene.server.lie { $0[$0.count - 1] ^= 1 }
        let target = try FileTarget(scene.path("out.pdf"))
        #expect(await fault { try await vault.read(file, into: target) } != nil)
        target.discard()
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.scratch.folder)
        #expect(!left.contains { $0.hasPrefix("out.pdf") || $0.hasSuffix(".part") }, "\(left)")
    }

    @Test("a name as long as a vault takes is one that a file gets", arguments: ["a", "é"])
    func longestName(character: String) async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let name = String(repeating: character, count: 255 / character.utf8.count)
        let file = try await scene.put([1, 2, 3], name, into: vault)
        let target = try FileTarget(scene.path(name))
        try await vault.read(file, into: target)
        try target.finish(replacing: false)
        #expect(try Bytes(Data(contentsOf: URL(fileURLWithPath: scene.path(name)))) == [1, 2, 3])
        let exported = try await vault.export(await vault.list(), to: scene.path("\(name.dropLast())x"))
        #expect(exported.files == 1)
    }

    @Test(
        "what is not whole lies beside its name",
        arguments: [("a", ""), ("/a", "/"), ("b/a", "b/"), ("b/a//", "b/"), ("../b/a", "../b/")])
    func unfinished(path: String, folder: String) {
        #expect(UnfinishedName.beside(path).hasPrefix("\(folder).vault-"))
    }

    /// Parts that a server asks for, which no memory holds or which do not add up.
    @Test("an upload that does not fit what was asked for is not begun", arguments: [-1, 1 << 40] as [Int64])
    func parts(part: Int64) async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let server = LyingParts(inner: scene.server, part: part)
        let other = try await OpenVault(
            scene.compartment, server: server, folder: VaultFolder(path: scene.path("one")), pauses: [])
        await #expect(throws: WalletError.self) { try await scene.put([1, 2, 3], "a", into: other) }
        #expect(await vault.list().isEmpty)
        #expect(await scene.server.sent.isEmpty)
    }
}

/// Asks for parts of another length.
private struct LyingParts: VaultServer {
    let inner: PlayedVaultServer
    let part: Int64

    func vaultNodes(of compartment: String, after: String) async throws -> VaultNodes {
        try await inner.vaultNodes(of: compartment, after: after)
    }
    func changeVault(_ compartment: String, _ change: VaultChange) async throws -> VaultChanged {
        try await inner.changeVault(compartment, change)
    }
    func beginVaultUpload(_ upload: NewVaultUpload) async throws -> VaultUpload {
        var answer = try await inner.beginVaultUpload(upload)
        (answer.part, answer.parts) = (part, 1)
        return answer
    }
    func vaultUpload(_ id: String) async throws -> VaultUpload { try await inner.vaultUpload(id) }
    func putVaultPart(_ number: Int64, of id: String, _ bytes: ByteBuffer) async throws {
        try await inner.putVaultPart(number, of: id, bytes)
    }
    func removeVaultUpload(_ id: String) async throws { try await inner.removeVaultUpload(id) }
    func vaultContent(
        _ id: String, from offset: UInt64, _ take: @Sendable (ByteBuffer) async throws -> Void
    ) async throws { try await inner.vaultContent(id, from: offset, take) }
}
