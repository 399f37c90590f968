import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Testing

@testable import Wallet
@testable import countersign

/// Backups of accounts.
@Suite("A backup of accounts", .timeLimit(.minutes(5)))
struct PicoBackupTests {
    private func client(_ scratch: Scratch) async throws -> WalletClient {
        if !scratch.file.exists { _ = try await scratch.create() }
        return try await WalletClient.unlock(
            path: scratch.file.path, passphrase: Scratch.passphrase, limits: .forTests)
    }

    private func pair(_ client: WalletClient) async throws {
        let stage = try PicoStage()
        async let service = outcome { try await stage.admit(extraData: Bytes(text: "a secret")) }
        _ = try await client.pair(with: try stage.pairingCode(), over: stage.channel, clock: stage.clock)
        _ = try await service.get()
    }

    private func backUp(_ client: WalletClient) async throws -> (file: Bytes, phrase: String, count: Int) {
        try await client.backUpPicoAccounts(parameters: .forTests, limits: .forTests)
    }

    private func restore(_ client: WalletClient, _ file: Bytes, _ phrase: String) async throws -> (Int, Int) {
        let (added, known) = try await client.restorePicoAccounts(file, phrase: phrase, limits: .forTests)
        return (added.count, known)
    }

    @Test("comes back in another wallet, and only what is not there already")
    func whole() async throws {
        let (one, two) = (try Scratch(), try Scratch())
        let (first, second) = (try await client(one), try await client(two))
        try await pair(first)
        let early = try await backUp(first)
        try await pair(first)
        let (file, phrase, count) = try await backUp(first)
        #expect(count == 2)
        try await pair(second)
        #expect(try await restore(second, early.file, early.phrase) == (1, 0))
        #expect(try await restore(second, file, phrase.lowercased().replacing("-", with: " ")) == (1, 1))
        #expect(try await restore(second, file, phrase) == (0, 2))
        let keys = await first.wallet.secrets.pico?.map { [$0.key, $0.extraData, $0.service] } ?? []
        let restored = try await client(two).wallet.secrets.pico?.map { [$0.key, $0.extraData, $0.service] } ?? []
        #expect(restored.count == 3 && keys.allSatisfy(restored.contains))
    }

    @Test("a wrong phrase changes nothing")
    func wrongPhrase() async throws {
        let scratch = try Scratch()
        let client = try await client(scratch)
        try await pair(client)
        let (file, phrase, _) = try await backUp(client)
        try await client.forgetPicoAccount(try #require(await client.picoAccounts().first).id)
        let before = try scratch.bytes()
        let other = (phrase.first == "0" ? "1" : "0") + phrase.dropFirst()
        await #expect(throws: WalletError.badBackup) { try await restore(client, file, other) }
        for phrase in ["", String(phrase.dropLast()), "six words that are no such phrase"] {
            await #expect(throws: WalletError.self) { try await restore(client, file, phrase) }
        }
        #expect(try scratch.bytes() == before)
    }

    @Test("a file in which any byte was changed opens nowhere")
    func tampered() async throws {
        let scratch = try Scratch()
        let client = try await client(scratch)
        try await pair(client)
        let (file, phrase, _) = try await backUp(client)
        let before = try scratch.bytes()
        for place in stride(from: 0, to: file.count - 1, by: 7) {
            var changed = file
            changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
            await #expect(throws: (any Error).self, "\(place)") { try await restore(client, changed, phrase) }
        }
        #expect(try scratch.bytes() == before)
    }

    @Test("a file that asks for a cheap way from phrase to key is refused before the phrase is used")
    func cheap() async throws {
        let client = try await client(try Scratch())
        let (file, phrase, _) = try await backUp(client)
        await #expect(throws: WalletError.unacceptableDerivation) {
            try await client.restorePicoAccounts(file, phrase: phrase)
        }
    }

    @Test("that another program made opens, with an account on an old curve; the original's is named")
    func example() async throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Core/Tests/PicoTests/Fixtures").standardizedFileURL
        func file(_ name: String, _ member: StaticString) throws -> String {
            let json = try JSON.parse(Bytes(Data(contentsOf: fixtures.appending(path: name + ".json"))))
            return try #require(json[member]?.string).text
        }
        let (backup, phrase) = (
            Bytes(text: try file("account-backup", "file")), try file("account-backup", "phrase")
        )
        let scratch = try Scratch()
        let client = try await client(scratch)
        let (added, known) = try await client.restorePicoAccounts(backup, phrase: phrase)
        #expect(known == 0 && added.map(\.name) == ["ada", "Café"] && added.map(\.curve) == [.p256, .p192])
        #expect(added.map(\.service) == ["My computer", "An old / service"])
        #expect(added.map(\.asksEveryTime) == [true, false] && added.map(\.created) == [1_790_000_000, 1_780_000_000])
        #expect(try await client.restorePicoAccounts(backup, phrase: phrase).known == 2)
        let original = Bytes(text: try file("backup", "file_text"))
        await #expect(throws: WalletError.invalid("the file is a backup of the original's app: give --original")) {
            try await client.restorePicoAccounts(original, phrase: phrase)
        }
        #expect(scratch.file.exists)
    }

    @Test("the original's words are those of its list, with the list turned by half")
    func words() throws {
        let secret = try #require(Hex.decode(Bytes(text: "000102030405060708090a0b")))
        let words = "merit inventive miser Jamaica mural leprosy necklace liberty newborn matchmaker Oakland Medusa"
        #expect(PicoAppBackup.secret(words) == secret)
        #expect(PicoAppBackup.secret("AAECAwQFBgcICQoL") == secret)
        for phrase in [words + " merit", "inventive merit " + words, "AAECAwQFBgcICQo=", "", "merit"] {
            #expect(PicoAppBackup.secret(phrase) == nil)
        }
    }

    @Test("keys are written and read as PKCS #8, and nothing else is", arguments: PicoCurveName.allCases)
    func keys(name: PicoCurveName) throws {
        let stage = try PicoStage(on: name.curve)
        let bytes = PicoPrivateKeyFile.encode(stage.service)
        #expect(PicoPrivateKeyFile.decode(bytes)?.publicKey == stage.service.publicKey)
        #expect(PicoPrivateKeyFile.decode(bytes + [0]) == nil)
        #expect(PicoPrivateKeyFile.decode(Array(bytes.dropLast())) == nil)
        #expect(PicoPrivateKeyFile.decode([]) == nil)
    }
}
