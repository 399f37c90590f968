import CryptoProvider
import Encodings
import Foundation
import Interface
import NIOCore
import Testing
import Vault

@testable import Wallet

/// Files on their way, cut at any point.
@Suite("Transfers of a vault")
struct VaultTransferTests {
    private static func opened(_ scene: PlayedVault, _ pauses: [Duration]) async throws -> OpenVault {
        try await OpenVault(
            scene.compartment, server: scene.server, folder: VaultFolder(path: scene.path("one")), pauses: pauses)
    }

    /// A device that gives up at the first cut, and is started again, until the file is there.
    @Test("100 uploads and downloads, cut and resumed at random points, are right to the byte", arguments: 0..<100)
    func cut(seed: Int) async throws {
        var random = SeededGenerator(UInt64(seed))
        let scene = try await PlayedVault(part: Int64.random(in: 700...40_000, using: &random), seed: UInt64(seed))
        let content = PlayedVault.content(Int.random(in: 0...150_000, using: &random), seed + 3)
        let source = try scene.file(content)
        var runs = 0
        var id: NodeID?
        await scene.server.cut(200)
        while id == nil {
            runs += 1
            try #require(runs < 500, "it never ends")
            do {
                let vault = try await Self.opened(scene, seed % 2 == 0 ? [] : [.zero])
                if let there = try? await vault.one("a") {
                    id = there.id
                } else {
                    try source.rewind()
                    id = try await vault.put(source, PlayedVault.description("a"), in: .root, replacing: false)
                }
            } catch WalletError.unreachable {
                // Cut: another run goes on.
            }
        }
        await scene.server.cut(0)
        let vault = try await Self.opened(scene, Array(repeating: .zero, count: 200))
        let file = try #require(id)
        #expect(await vault.everything().count == 1)
        // One key and nonce never seal two texts: what was sent under one name is the same each time.
        var parts: [String: Bytes] = [:]
        for sent in await scene.server.sent {
            let name = "\(sent.upload) \(sent.number)"
            #expect(parts[name] == nil || parts[name] == sent.bytes)
            parts[name] = sent.bytes
        }
        await scene.server.cut(100, reads: Int.random(in: 1...60_000, using: &random))
        let target = MemoryTarget()
        try await vault.read(file, into: target)
        #expect(target.bytes.hasSameBytes(as: content))
    }

    @Test("a resumed upload sends only what is missing")
    func missing() async throws {
        let scene = try await PlayedVault(part: 10_000)
        let vault = try await Self.opened(scene, [])
        let source = try scene.file(PlayedVault.content(95_000))
        // The fifth part is cut.
        let server = CuttingServer(inner: scene.server, after: 4)
        let cutting = try await OpenVault(
            scene.compartment, server: server, folder: VaultFolder(path: scene.path("one")), pauses: [])
        await #expect(throws: WalletError.self) {
            try await cutting.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        }
        let before = await scene.server.sent.count
        try source.rewind()
        try await vault.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        let parts = await scene.server.sent
        #expect(before >= 4 && Set(parts.map(\.number)).count == parts.count, "\(parts.map(\.number))")
        #expect(Set(parts.map(\.upload)).count == 1)
    }

    @Test("a file that was changed between two runs is sealed under another key, and nothing of it under the old one")
    func changed() async throws {
        let scene = try await PlayedVault(part: 10_000)
        var content = PlayedVault.content(95_000)
        let cutting = try await OpenVault(
            scene.compartment, server: CuttingServer(inner: scene.server, after: 4),
            folder: VaultFolder(path: scene.path("one")), pauses: [])
        let source = try scene.file(content)
        await #expect(throws: WalletError.self) {
            try await cutting.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        }
        // Another content that looks the same from outside: as long, and with the same time.
        content[2_000] ^= 1
        let handle = try #require(FileHandle(forUpdatingAtPath: source.name))
        try handle.write(contentsOf: Data(content))
        try handle.close()
        try source.rewind()
        let vault = try await Self.opened(scene, [])
        let id = try await vault.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        #expect(try await scene.read(id, of: vault).hasSameBytes(as: content))
        let uploads = await scene.server.sent.map(\.upload)
        #expect(Set(uploads).count == 2 && uploads.filter { $0 == uploads[0] }.count <= 6, "\(uploads)")
    }

    @Test("an upload that the server has forgotten begins again")
    func forgotten() async throws {
        let scene = try await PlayedVault(part: 10_000)
        let cutting = try await OpenVault(
            scene.compartment, server: CuttingServer(inner: scene.server, after: 4),
            folder: VaultFolder(path: scene.path("one")), pauses: [])
        let source = try scene.file(PlayedVault.content(95_000))
        await #expect(throws: WalletError.self) {
            try await cutting.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        }
        for upload in await scene.server.uploads.keys { await scene.server.forget(upload: upload) }
        try source.rewind()
        let vault = try await Self.opened(scene, [])
        let id = try await vault.put(source, PlayedVault.description("a"), in: .root, replacing: false)
        #expect(try await scene.read(id, of: vault).hasSameBytes(as: PlayedVault.content(95_000)))
    }

    @Test("what comes through a pipe is stored without its length being known", arguments: [0, 1, 70_000, 400_000])
    func pipe(size: Int) async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let content = PlayedVault.content(size)
        try Data(content).write(to: URL(fileURLWithPath: scene.path("pipe")))
        let handle = try #require(FileHandle(forReadingAtPath: scene.path("pipe")))
        let id = try await vault.put(
            from: handle.fileDescriptor, PlayedVault.description("a"), in: .root, replacing: false)
        #expect(try await scene.read(id, of: vault).hasSameBytes(as: content))
    }

    @Test("a file that is there is refused, or gets a newer version beside which the old one stays")
    func versions() async throws {
        let scene = try await PlayedVault()
        let vault = try await scene.open()
        let id = try await scene.put(PlayedVault.content(900), "a", into: vault)
        #expect(await fault { try await scene.put([1], "a", into: vault) } == .exists("a"))
        let again = try await vault.put(scene.file([2, 3]), PlayedVault.description("a"), in: .root, replacing: true)
        let item = try #require(await vault.item(id))
        #expect(again == id && item.size == 2 && item.versions == 2)
        let (new, old) = (MemoryTarget(), MemoryTarget())
        try await vault.read(id, into: new)
        try await vault.read(id, version: 1, into: old)
        #expect(new.bytes == [2, 3] && old.bytes == PlayedVault.content(900))
        try await vault.writeNote([], PlayedVault.name("n"), in: .root, replacing: false)
        #expect(
            await fault {
                try await vault.put(scene.file([1]), PlayedVault.description("n"), in: .root, replacing: true)
            } == .notAFile("n"))
    }

    /// The numbers of a large file: its parts, its tags and its padding, with no byte of it anywhere.
    @Test(
        "parts of files of 4 GiB and more begin and end where they must",
        arguments: [
            1 << 32, (1 << 32) - 1, (1 << 32) + 1, 5 << 30, 20 << 30,
        ] as [UInt64])
    func large(size: UInt64) async throws {
        let scene = try await PlayedVault()
        let version = try scene.compartment.newVersion(
            of: .random(scene.suite), size: size, now: 1, suite: scene.suite)
        let upload = try UnfinishedUpload(
            version, salt: Bytes(repeating: 0, count: 24), content: [1], part: 8 << 20)
        #expect(upload.parts == (version.sealedLength + (8 << 20) - 1) / (8 << 20))
        for number in [0, 1, upload.parts / 2, upload.parts - 1] {
            let end = upload.sealedEnd(ofPart: number)
            #expect(end >= min((number + 1) * (8 << 20), version.sealedLength) && end <= version.sealedLength)
            #expect(end - min((number + 1) * (8 << 20), version.sealedLength) < 16_400)
        }
    }
}

/// Cuts every part after so many.
private actor CuttingServer: VaultServer {
    private let inner: PlayedVaultServer
    private var left: Int

    init(inner: PlayedVaultServer, after count: Int) {
        self.inner = inner
        left = count
    }

    func vaultNodes(of compartment: String, after: String) async throws -> VaultNodes {
        try await inner.vaultNodes(of: compartment, after: after)
    }
    func changeVault(_ compartment: String, _ change: VaultChange) async throws -> VaultChanged {
        try await inner.changeVault(compartment, change)
    }
    func beginVaultUpload(_ upload: NewVaultUpload) async throws -> VaultUpload {
        try await inner.beginVaultUpload(upload)
    }
    func vaultUpload(_ id: String) async throws -> VaultUpload { try await inner.vaultUpload(id) }
    func putVaultPart(_ number: Int64, of id: String, _ bytes: ByteBuffer) async throws {
        guard left > 0 else { throw WalletError.unreachable("the test") }
        left -= 1
        try await inner.putVaultPart(number, of: id, bytes)
    }
    func removeVaultUpload(_ id: String) async throws { try await inner.removeVaultUpload(id) }
    func vaultContent(
        _ id: String, from offset: UInt64, _ take: @Sendable (ByteBuffer) async throws -> Void
    ) async throws { try await inner.vaultContent(id, from: offset, take) }
}
