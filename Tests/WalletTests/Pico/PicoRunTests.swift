import CryptoProvider
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import Wallet

/// Both drivers over a channel in memory.
@Suite("A run of Pico over a channel", .timeLimit(.minutes(5)))
struct PicoRunTests {
    private static func key(_ curve: EllipticCurve = .p256) throws -> ECPrivateKey {
        try ECPrivateKey.generate(on: curve, randomBytes: { RandomBytes.make($0) })
    }

    /// Runs both sides at once.
    private static func meet(
        _ stage: PicoStage, pairing: PicoPairing? = nil, key: ECPrivateKey, known: ECPublicKey? = nil,
        identity: ECPrivateKey? = nil
    ) async throws -> (pico: Result<PicoOutcome, any Error>, service: Result<PicoAdmission, any Error>) {
        let code = try stage.pairingCode()
        async let service = outcome(freeing: stage.time) {
            try await stage.admit(paired: known, identity: identity, extraData: Bytes(text: "a secret"))
        }
        let run = PicoProverRun(over: stage.channel, clock: stage.clock)
        let pico = await outcome(freeing: stage.time) {
            guard let pairing else { return try await run.pair(with: code, curves: stage.curves, identity: key) }
            return try await run.signIn(with: stage.code, pairing: pairing, identity: key, extraData: [1])
        }
        return (pico, await service)
    }

    @Test("pairs and signs in on every curve", arguments: EllipticCurve.allCases)
    func whole(curve: EllipticCurve) async throws {
        let stage = try PicoStage(on: curve)
        let key = try Self.key(curve)
        let (pico, service) = try await Self.meet(stage, key: key)
        #expect(try pico.get().extraData == Bytes(text: "a secret"))
        #expect(try service.get().claim.identity == key.publicKey)
        let pairing = PicoPairing(
            service: stage.code.service, name: [0x41], identity: key.publicKey, curves: stage.curves)
        let later = try PicoStage(on: curve, service: stage.service)
        let again = try await Self.meet(later, pairing: pairing, key: key, known: key.publicKey)
        #expect(try again.service.get().claim.extraData == [1])
        #expect(try again.pico.get().session == nil)
        #expect(await later.rendezvous.closings == 0)
    }

    @Test(
        "a service with another key than the code says gets neither PicoAuth nor an answer, and learns that it is over")
    func wrongService() async throws {
        let stage = try PicoStage()
        let (pico, service) = try await Self.meet(stage, key: Self.key(), identity: Self.key())
        #expect(pico.runError == .refused(.wrongService))
        #expect(service.hasLostPeer)
        #expect(await stage.rendezvous.messages.count == 2)
    }

    @Test("a wallet that is not paired is told no")
    func wrongWallet() async throws {
        let stage = try PicoStage()
        let key = try Self.key()
        let pairing = PicoPairing(service: stage.code.service, name: [0x41], identity: key.publicKey)
        let (pico, service) = try await Self.meet(stage, pairing: pairing, key: key, known: Self.key().publicKey)
        #expect(pico.runError == .refused(.rejected))
        #expect(service.runError == .refused(.notAuthorised))
    }

    @Test("a changed message ends the run on both sides, whichever it is", arguments: 0..<4)
    func tampered(number: Int) async throws {
        let stage = try PicoStage()
        await stage.rendezvous.tamper { index, message in
            guard index == number else { return message }
            // The last character of base64 that is not padding.
            var changed = message
            let place = number == 0 ? 40 : (changed.lastIndex(of: 0x3D) ?? changed.count - 3) - 20
            changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
            return changed
        }
        let (pico, service) = try await Self.meet(stage, key: Self.key())
        #expect(pico.runError != nil)
        #expect(await stage.rendezvous.messages.count <= 4)
        // Status may be changed after the service has accepted; everything before ends its run.
        #expect((service.runError == nil) == (number == 3))
    }

    @Test("nobody there: the wallet gives up after a minute, and the service when its code ends")
    func nobody() async throws {
        let stage = try PicoStage()
        let (code, key) = (try stage.pairingCode(), try Self.key())
        async let pico = outcome {
            try await PicoProverRun(over: stage.channel, clock: stage.clock)
                .pair(with: code, curves: .current, identity: key)
        }
        await stage.time.wait(forSleeperUntil: 60_000)
        stage.time.move(to: 60_000)
        #expect(await pico.runError == .noAnswer)
        let other = try PicoStage()
        async let service = outcome { try await other.admit() }
        await other.time.wait(forSleeperUntil: 300_000)
        other.time.move(to: 299_999)
        other.time.move(to: 300_000)
        #expect(await service.runError == .noAnswer)
    }

    @Test("a run that is cancelled closes its channel")
    func cancelled() async throws {
        let stage = try PicoStage()
        let service = Task { await outcome { try await stage.admit() } }
        await stage.rendezvous.waitForSomebody()
        service.cancel()
        #expect(await service.value.runError == .cancelled)
        #expect(await stage.rendezvous.closings == 1)
    }

    @Test("a wallet that finds the channel taken leaves it open for the one who was first")
    func taken() async throws {
        let stage = try PicoStage()
        let (code, first, second) = (try stage.pairingCode(), try Self.key(), try Self.key())
        async let pico = outcome {
            try await PicoProverRun(over: stage.channel, clock: stage.clock)
                .pair(with: code, curves: .current, identity: first)
        }
        await stage.rendezvous.waitForSomebody()
        let other = await outcome {
            try await PicoProverRun(over: stage.channel, clock: stage.clock)
                .pair(with: code, curves: .current, identity: second)
        }
        #expect(other.runError == .channelTaken)
        let service = try await stage.admit()
        #expect(service.claim.identity == first.publicKey)
        #expect(try await pico.get().session == nil)
    }

    @Test("of two wallets that race in the middle of a run at most one comes in, and neither tells the other who it is")
    func race() async throws {
        let stage = try PicoStage()
        let (code, first, second) = (try stage.pairingCode(), try Self.key(), try Self.key())
        // The first has been heard, and reads: the second one's Start is what it gets for an answer.
        async let pico = outcome(freeing: stage.time) {
            try await PicoProverRun(over: stage.channel, clock: stage.clock)
                .pair(with: code, curves: .current, identity: first)
        }
        _ = try await stage.channel.receive(before: 60_000)
        await stage.rendezvous.waitForSomebody()
        let other = await outcome {
            try await PicoProverRun(over: stage.channel, clock: stage.clock)
                .pair(with: code, curves: .current, identity: second)
        }
        #expect(await pico.runError != nil && other.runError != nil)
        let identities = [first, second].map { Base64.encode($0.publicKey.spki, .standard) }
        for message in await stage.rendezvous.messages {
            for identity in identities { #expect(!message.text.contains(identity.text)) }
        }
    }
}
