import CryptoProvider
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import Wallet

/// Accounts in the wallet file.
@Suite("Accounts for signing in with a scan", .timeLimit(.minutes(5)))
struct PicoAccountTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func client() async throws -> WalletClient {
        if !scratch.file.exists { _ = try await scratch.create() }
        return try await WalletClient.unlock(
            path: scratch.file.path, passphrase: Scratch.passphrase, limits: .forTests, now: { 1_790_000_000 })
    }

    /// Pairs with a service that hands something out.
    private func pair(
        _ client: WalletClient, _ stage: PicoStage, secret: Bytes = [], old: PicoCurveName? = nil
    ) async throws -> PicoAccountSummary {
        async let service = outcome { try await stage.admit(extraData: secret) }
        let account = try await client.pair(
            with: try stage.pairingCode(), oldService: old, over: stage.channel, clock: stage.clock
        ).account
        _ = try await service.get()
        return account
    }

    @Test("a file without any, as earlier versions wrote it, opens, and takes them")
    func older() async throws {
        let client = try await client()
        #expect(try !scratch.bytes().text.contains("pico"))
        #expect(await client.picoAccounts().isEmpty)
        let account = try await pair(client, PicoStage())
        #expect(try await self.client().picoAccounts() == [account])
        #expect(account.name == "Example" && account.created == 1_790_000_000 && account.curve == .p256)
    }

    @Test(
        "what a service handed out goes back byte for byte, with the key that was made for it",
        arguments: [
            Bytes(text: #"{"name":"ada","data":"a=b \/ {}"}"#), Bytes([0xFF, 0, 0xC3]), [],
        ])
    func bytes(secret: Bytes) async throws {
        let first = try PicoStage()
        let made = try await client()
        let account = try await pair(made, first, secret: secret)
        #expect(account.name == (secret.count > 10 ? "ada" : "Example"))
        let reopened = try await client()
        let stage = try PicoStage(service: first.service)
        async let service = outcome { () throws in
            try await PicoVerifierRun(over: stage.channel, clock: stage.clock).admit(
                identity: stage.service, purpose: .authentication
            ) { .accept(.paired($0.identity), continuous: true, extraData: []) }
        }
        let session = try await reopened.signIn(
            with: stage.code, account: account.id, over: stage.channel, clock: stage.clock)
        #expect(session != nil)
        let expected = secret.count > 10 ? Bytes(text: "a=b / {}") : secret
        #expect(try await service.get().claim.extraData == expected)
    }

    @Test("keeps several at one service, each with a key of its own; renames, asks each time, forgets")
    func several() async throws {
        let client = try await client()
        let first = try PicoStage()
        let one = try await pair(client, first)
        let two = try await pair(client, PicoStage(service: first.service))
        _ = try await pair(client, PicoStage())
        #expect(await Set(client.picoAccounts(at: first.code.service).map(\.id)) == [one.id, two.id])
        let keys = await client.wallet.secrets.pico?.map(\.key) ?? []
        #expect(Set(keys).count == 3)
        try await client.renamePicoAccount(one.id, to: "Work")
        try await client.setPicoAccount(two.id, asksEveryTime: true)
        let reopened = try await self.client()
        let own = await reopened.picoAccounts(at: first.code.service)
        #expect(own.first { $0.id == one.id }?.name == "Work")
        #expect(own.filter(\.asksEveryTime).map(\.id) == [two.id])
        try await reopened.forgetPicoAccount(one.id)
        #expect(try await self.client().picoAccounts(at: first.code.service).map(\.id) == [two.id])
        await #expect(throws: WalletError.notFound(one.id)) { try await reopened.forgetPicoAccount(one.id) }
        for name in ["", "a\u{202E}b", "a\nb", String(repeating: "x", count: 257)] {
            await #expect(throws: WalletError.self) { try await reopened.renamePicoAccount(two.id, to: name) }
        }
    }

    @Test("another curve than P-256 only for a service that the person has marked as old")
    func curves() async throws {
        let client = try await client()
        let stage = try PicoStage(on: .p192)
        let text = try stage.pairingCode().encoded()
        #expect(throws: PicoError.unsupportedCurve) { try WalletClient.picoCode(text) }
        #expect(throws: PicoError.unsupportedCurve) { try WalletClient.picoCode(text, oldService: .p384) }
        guard case .pairing(let code) = try WalletClient.picoCode(text, oldService: .p192) else {
            Issue.record("no pairing code")
            return
        }
        let unmarked = await outcome {
            try await client.pair(with: code, over: stage.channel, clock: stage.clock).account
        }
        #expect(unmarked.runError == .refused(.unsupportedCurve))
        #expect(await client.picoAccounts().isEmpty)
        #expect(try await pair(client, PicoStage(on: .p192), old: .p192).curve == .p192)
    }

    @Test("nothing of an account that is secret is in a description of it, or in the file")
    func secrecy() async throws {
        let client = try await client()
        _ = try await pair(client, PicoStage(), secret: Bytes(text: "open sesame"))
        let account = try #require(await client.wallet.secrets.pico?.first)
        var dumped = ""
        dump(account, to: &dumped)
        for text in ["\(account)", String(reflecting: account), dumped, try scratch.bytes().text] {
            #expect(!text.contains(account.key) && !text.contains(account.extraData))
        }
    }

    @Test("a wallet keeps a hundred, and the hundred and first makes no key known to anybody")
    func limit() async throws {
        let client = try await client()
        let identities = try (0..<100).map { _ in
            try ECPrivateKey.generate(on: .p256, randomBytes: { RandomBytes.make($0) })
        }
        let stage = try PicoStage()
        let imported = identities.map {
            PicoImportedAccount(
                service: stage.code.service, serviceName: [0x41], name: [], identity: $0,
                extraData: Bytes(repeating: 0xFF, count: 4_096))
        }
        #expect(try await client.addPicoAccounts(imported).count == 100)
        #expect(try await client.addPicoAccounts(imported).isEmpty)
        await #expect(throws: WalletError.self) {
            try await client.pair(with: try stage.pairingCode(), over: stage.channel, clock: stage.clock).account
        }
        #expect(await stage.rendezvous.messages.isEmpty)
        // The fullest file opens again.
        #expect(try await self.client().picoAccounts().count == 100)
    }
}
