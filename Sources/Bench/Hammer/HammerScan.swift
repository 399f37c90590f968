import CryptoProvider
import EllipticCurves
import Encodings
import Interface
import Pico
import Wallet

/// Members of the load who pair a wallet, sign in where it scans a code, and remove it.
struct HammerScan: Sendable {
    let office: HammerOffice
    private var hand: HammerHand { office.hand }

    /// A wallet with its key.
    private struct Paired: Sendable {
        let id: String
        let key: ECPrivateKey
        let pairing: PicoPairing
    }

    func live(_ member: HammerPerson, _ dice: inout HammerDice) async throws {
        let wallet = try await pair(member)
        for _ in 0..<Int.random(in: 0...2, using: &dice) { try await scan(wallet, member) }
        if dice.happens(50) { try await remove(wallet, member) }
    }

    private func pair(_ member: HammerPerson) async throws -> Paired {
        try await hand.act(.pairWallet, by: member.username, subject: member.username) { server in
            let session = try await member.clients[server].session()
            let offer: PicoPairingOffer = try await session.post(
                "/api/pico/pairings", PicoWalletName(name: "hammer"))
            let suite = SwiftCryptoSuite()
            guard case .pairing(let code) = try PicoCode.read(Bytes(text: offer.code), suite: suite) else {
                throw WalletError.unexpectedAnswer("another kind of code")
            }
            let key = try suite.freshKey(on: .p256)
            let run = try run(code.address, server)
            let progress: PicoPairingProgress = try await Self.both {
                _ = try await run.pair(with: code, curves: .current, identity: key)
            } page: {
                try await session.post("/api/pico/pairings/\(offer.id)/wait", [String: String]())
            }
            guard let wallet = progress.wallet else { throw HammerStop.unknown }
            let pairing = PicoPairing(
                service: PicoCommitment(of: code.publicKey, suite: suite), name: code.name, identity: key.publicKey)
            return HammerHand.Done(value: Paired(id: wallet.id, key: key, pairing: pairing), result: wallet.id)
        }
    }

    private func scan(_ wallet: Paired, _ member: HammerPerson) async throws {
        try await hand.act(.scan, by: member.username, subject: wallet.id) { server in
            let browser = office.people.client(of: member.username, server: server)
            let offer: PicoSignInOffer = try await browser.post("/api/pico/sign-ins", NewPicoSignIn())
            let suite = SwiftCryptoSuite()
            guard case .authentication(let code) = try PicoCode.read(Bytes(text: offer.code), suite: suite) else {
                throw WalletError.unexpectedAnswer("another kind of code")
            }
            let run = try run(code.address, server)
            let progress: PicoSignInProgress = try await Self.both {
                _ = try await run.signIn(with: code, pairing: wallet.pairing, identity: wallet.key, extraData: [])
            } page: {
                try await browser.post("/api/pico/sign-ins/\(offer.id)", PicoSignInSecret(secret: offer.secret))
            }
            guard let session = progress.session else { throw HammerStop.unknown }
            guard session.account.username == member.username else {
                throw WalletError.unexpectedAnswer("somebody else's session")
            }
            // It is one: the server knows it.
            let _: CurrentSession = try await browser.with(token: SessionToken(session.token))
                .get("/api/sessions/current")
            return HammerHand.Done(value: ())
        }
    }

    private func remove(_ wallet: Paired, _ member: HammerPerson) async throws {
        try await hand.act(.removeWallet, by: member.username, subject: wallet.id) { server in
            try await member.clients[server].session().delete("/api/pico/pairings/\(wallet.id)")
            return HammerHand.Done(value: ())
        }
    }

    /// The wallet's side over the channel of a code, at the server that shows it.
    private func run(_ address: PicoAddress, _ server: Int) throws -> PicoProverRun {
        let channel = String(decoding: address.channel, as: UTF8.self)
        let here = try PicoAddress.parse(
            Bytes(text: "\(hand.servers.addresses[server].text)/channel/\(channel)"), accepting: .rendezvous)
        return PicoProverRun(over: RendezvousClient(here))
    }

    /// Wallet and page at once: what the page is told counts, and a wallet alone that got no answer is no fault.
    private static func both<Answer: Sendable>(
        wallet: @escaping @Sendable () async throws -> Void, page: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        async let ran: Void? = try? wallet()
        let answer = try await page()
        _ = await ran
        return answer
    }
}
