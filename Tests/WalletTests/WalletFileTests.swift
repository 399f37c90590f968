import CryptoProvider
import Encodings
import Foundation
import Testing

@testable import Wallet

@Suite("A wallet file")
struct WalletFileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("opens with its passphrase, however the keyboard composes it")
    func roundTrip() async throws {
        let file = scratch.file
        let made = try await file.create(
            header: Scratch.header(), secrets: Scratch.secrets(), passphrase: "re\u{301}sume\u{301} of keys")
        let opened = try await file.unlock(passphrase: "r\u{E9}sum\u{E9} of keys")
        #expect(opened.header == made.header)
        #expect(opened.secrets.signingKey == made.secrets.signingKey)
        #expect(try file.failedUnlocks() == 0)
    }

    @Test("is readable by its owner only, and holds no key in clear")
    func secrecy() async throws {
        let wallet = try await scratch.create()
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try scratch.bytes().text
        #expect(!text.contains(wallet.secrets.signingKey))
        #expect(!text.contains(wallet.secrets.encryptionKey))
        #expect(!text.contains("Example University"))
    }

    @Test("never replaces a wallet that is there")
    func noOverwriting() async throws {
        _ = try await scratch.create()
        let before = try scratch.bytes()
        await #expect(throws: WalletError.walletExists(path: scratch.file.path)) { try await scratch.create() }
        #expect(try scratch.bytes() == before)
    }

    @Test("refuses a short passphrase before anything is stored")
    func shortPassphrase() async throws {
        await #expect(throws: WalletError.self) {
            try await scratch.file.create(
                header: Scratch.header(), secrets: Scratch.secrets(), passphrase: "ninebytes")
        }
        #expect(!scratch.file.exists)
    }

    @Test("ends the session at the second wrong passphrase in a row, and not at the first")
    func twoFailures() async throws {
        _ = try await scratch.create()
        try scratch.file.session.write(SessionToken("token"))
        let ended = Ended()
        await #expect(throws: WalletError.wrongPassphrase(sessionEnded: false)) {
            try await scratch.file.unlock(passphrase: "wrong passphrase") { await ended.add($0) }
        }
        #expect(scratch.file.session.read() == SessionToken("token"))
        await #expect(throws: WalletError.wrongPassphrase(sessionEnded: true)) {
            try await scratch.file.unlock(passphrase: "wrong passphrase") { await ended.add($0) }
        }
        #expect(scratch.file.session.read() == nil)
        #expect(await ended.tokens == [SessionToken("token")])
    }

    @Test("counts again after a success")
    func successResets() async throws {
        _ = try await scratch.create()
        try scratch.file.session.write(SessionToken("token"))
        for _ in 0..<3 {
            await #expect(throws: WalletError.wrongPassphrase(sessionEnded: false)) {
                try await scratch.file.unlock(passphrase: "wrong passphrase")
            }
            _ = try await scratch.file.unlock(passphrase: Scratch.passphrase)
        }
        #expect(scratch.file.session.read() != nil)
    }

    @Test("counts attempts that were killed like attempts that failed")
    func killedAttempts() async throws {
        _ = try await scratch.create()
        try scratch.file.session.write(SessionToken("token"))
        // The remains of two attempts whose process was killed before they knew the result.
        var contents = try scratch.file.contents()
        contents.failedUnlocks = 2
        try scratch.replace(contents.formatted())
        let ended = Ended()
        _ = try await scratch.file.unlock(passphrase: Scratch.passphrase) { await ended.add($0) }
        #expect(await ended.tokens.count == 1)
        #expect(scratch.file.session.read() == nil)
        #expect(try scratch.file.failedUnlocks() == 0)
    }

    @Test("counts an attempt before it is made")
    func countedFirst() async throws {
        _ = try await scratch.create()
        var contents = try scratch.file.contents()
        contents.sealed[20] ^= 1
        try scratch.replace(contents.formatted())
        await #expect(throws: WalletError.tampered) {
            try await scratch.file.unlock(passphrase: Scratch.passphrase)
        }
        #expect(try scratch.file.failedUnlocks() == 1)
    }

    @Test(
        "refuses to be opened with other parameters than allowed",
        arguments: [
            Argon2Parameters(memory: 19_455, passes: 3, lanes: 1),
            Argon2Parameters(memory: 65_536, passes: 1, lanes: 1),
            Argon2Parameters(memory: 65_536, passes: 3, lanes: 17),
            Argon2Parameters(memory: 2 << 20, passes: 3, lanes: 1),
            Argon2Parameters(memory: 65_536, passes: 17, lanes: 1),
            Argon2Parameters(memory: 65_536, passes: 3, lanes: 0),
        ])
    func downgrade(parameters: Argon2Parameters) async throws {
        _ = try await scratch.create()
        var contents = try scratch.file.contents()
        contents.header.derivation.parameters = parameters
        try scratch.replace(contents.formatted())
        let strict = WalletFile(path: scratch.file.path)
        await #expect(throws: WalletError.unacceptableDerivation) {
            try await strict.unlock(passphrase: Scratch.passphrase)
        }
        // It was refused before the passphrase was looked at, so nothing was counted.
        #expect(try strict.failedUnlocks() == 0)
    }

    @Test(
        "notices every change to what stands in clear", arguments: ["server", "url", "username", "account", "device"])
    func header(field: String) async throws {
        _ = try await scratch.create()
        var contents = try scratch.file.contents()
        switch field {
        case "server": contents.header.server += "x"
        case "url": contents.header.publicURL += "x"
        case "username": contents.header.username += "x"
        case "account": contents.header.account += "x"
        default: contents.header.device += "x"
        }
        try scratch.replace(contents.formatted())
        await #expect(throws: WalletError.tampered) {
            try await scratch.file.unlock(passphrase: Scratch.passphrase)
        }
    }

    @Test("notices every changed byte of the sealed part")
    func sealed() async throws {
        _ = try await scratch.create()
        let contents = try scratch.file.contents()
        for index in stride(from: 0, to: contents.sealed.count, by: 37) {
            var changed = contents
            changed.sealed[index] ^= 0x80
            try scratch.replace(changed.formatted())
            await #expect(throws: WalletError.tampered) {
                try await scratch.file.unlock(passphrase: Scratch.passphrase)
            }
        }
    }

    @Test("is refused when it is cut, at every length")
    func truncated() async throws {
        _ = try await scratch.create()
        let bytes = try scratch.bytes()
        for length in stride(from: 0, to: bytes.count - 1, by: 11) {
            try scratch.replace(Array(bytes[0..<length]))
            await #expect(throws: WalletError.notAWallet) {
                try await scratch.file.unlock(passphrase: Scratch.passphrase)
            }
        }
    }

    @Test(
        "is refused when it is not a wallet of this version",
        arguments: [
            "", "{}", "null", "[]", "{\"format\":\"countersign-wallet-v2\"}", String(repeating: "[", count: 100),
            "{\"format\":\"countersign-wallet-v1\",\"failed_unlocks\":-1,\"header\":{},\"check\":\"\",\"sealed\":\"\"}",
        ])
    func foreign(text: String) throws {
        try scratch.replace(Bytes(text: text))
        #expect(throws: WalletError.notAWallet) { try scratch.file.header() }
    }

    @Test("is refused when it is larger than any wallet")
    func tooLarge() throws {
        try scratch.replace(Bytes(repeating: 0x20, count: WalletContents.maximumSize + 1))
        #expect(throws: WalletError.fileTooLarge(path: scratch.file.path)) { try scratch.file.header() }
    }

    @Test("leaves nothing beside it when it cannot be written")
    func atomic() throws {
        // A folder that is not empty where the file should be: the rename fails after everything was written.
        let path = scratch.folder + "/taken"
        try FileManager.default.createDirectory(atPath: path + "/full", withIntermediateDirectories: true)
        #expect(throws: WalletError.cannotWrite(path: path)) { try AtomicFile.write([1, 2, 3], to: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == ["taken"])
    }

    @Test("does not lose what another command stored in the meantime")
    func concurrentUpdates() async throws {
        var first = try await scratch.create()
        var second = try await scratch.file.unlock(passphrase: Scratch.passphrase)
        try first.update { _, secrets in secrets.checkpoint = "one" }
        try second.update { header, _ in header.username = "grace" }
        let opened = try await scratch.file.unlock(passphrase: Scratch.passphrase)
        #expect(opened.secrets.checkpoint == "one")
        #expect(opened.header.username == "grace")
    }

    @Test("keeps counting while another command holds it unlocked")
    func updateKeepsCounter() async throws {
        var wallet = try await scratch.create()
        await #expect(throws: WalletError.wrongPassphrase(sessionEnded: false)) {
            try await scratch.file.unlock(passphrase: "wrong passphrase")
        }
        try wallet.update { _, secrets in secrets.checkpoint = "one" }
        #expect(try scratch.file.failedUnlocks() == 1)
    }

    @Test("one that the server refused is removed, but none that has taken its place, or was finished in between")
    func refused() async throws {
        var header = Scratch.header()
        header.account = ""
        func begin(_ passphrase: String) async throws -> UnlockedWallet {
            try await scratch.file.create(header: header, secrets: Scratch.secrets(), passphrase: passphrase)
        }
        let first = try await begin("the passphrase of the first")
        try AtomicFile.setAside(scratch.file.path, time: 1)
        var second = try await begin("the passphrase of the second")
        try first.removeRefused()
        #expect(scratch.file.exists)
        try second.update { header, _ in header.account = "a1" }
        try second.removeRefused()
        #expect(scratch.file.exists)
        try second.update { header, _ in header.account = "" }
        try second.removeRefused()
        #expect(!scratch.file.exists)
    }

    @Test("has no session when the token's file is odd", arguments: ["", "\n", "two words\n", "a\u{0}b"])
    func oddSession(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.file.session.path))
        #expect(scratch.file.session.read() == nil)
    }
}

/// Collects the tokens of sessions that were ended.
actor Ended {
    private(set) var tokens: [SessionToken] = []
    func add(_ token: SessionToken) { tokens.append(token) }

    @Test("a file without a folder, and of one letter, is one in the folder where the program runs")
    func oneLetter() throws {
        // The working folder is the whole program's: the name is of nobody else, and gone afterwards.
        let name = try #require(["w", "x", "y"].first { !FileManager.default.fileExists(atPath: $0) })
        defer { [name, name + ".lock"].forEach(AtomicFile.remove) }
        try AtomicFile.whileLocked(name) { () throws(WalletError) in try AtomicFile.write([1, 2], to: name) }
        #expect(try AtomicFile.read(name, limit: 2) == [1, 2])
        AtomicFile.remove(name)
        #expect(try AtomicFile.read(name, limit: 2) == nil)
    }
}
