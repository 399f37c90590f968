import Encodings
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// The wallet of the command line, and codes of its own server.
@Suite("Who asks, on the command line", .timeLimit(.minutes(15)))
struct PicoAskingTests {
    @Test("shows which browser asks to be signed in to the wallet's own server, and from where")
    func asking() async throws {
        let place = try await PicoPlace()
        let own = try place.client(signedIn: true)
        let offer: PicoPairingOffer = try await own.post("/api/pico/pairings", PicoWalletName(name: "terminal"))
        async let paired = Self.pairing(offer.id, own)
        _ = try await place.json(["scan", offer.code, "--yes"])
        #expect(try await paired == .paired)
        let browser = try place.client(signedIn: false)
        let asked: PicoSignInOffer = try await browser.post("/api/pico/sign-ins", NewPicoSignIn())
        async let session = Self.session(asked, browser)
        let words = try await place.run(["scan", asked.code, "--yes"], json: false)
        #expect(words.status == 0 && words.output == "Signed in.\n", "\(words)")
        #expect(words.errors.contains("\nnetwork address: 127.0.0.1\nasked: "), "\(words)")
        #expect(words.errors.contains("Are you in front of that screen?"), "\(words)")
        #expect(try await session.account.username == DemoCast.owner.username)
        // Somebody who passes messages on shows a channel of their own: the code of the server, and not its channel.
        let relayed = asked.code.replacing(/\/channel\/[0-9a-f]+/, with: "/channel/between")
        let refused = try await place.run(["scan", relayed, "--yes"], json: false)
        #expect(refused.status == 1 && refused.errors.contains("your server does not know this code"), "\(refused)")
    }

    /// What becomes of a pairing: one request waits for 25 seconds, and a wallet may take longer to start.
    private static func pairing(_ id: String, _ own: ServerClient) async throws -> PicoPairingProgress.State {
        while true {
            let progress: PicoPairingProgress = try await own.post(
                "/api/pico/pairings/\(id)/wait", [String: String]())
            guard progress.state == .waiting else { return progress.state }
        }
    }

    /// What the page that shows the code gets in the end.
    private static func session(_ asked: PicoSignInOffer, _ browser: ServerClient) async throws -> NewSession {
        while true {
            let progress: PicoSignInProgress = try await browser.post(
                "/api/pico/sign-ins/\(asked.id)", PicoSignInSecret(secret: asked.secret))
            if let session = progress.session { return session }
            try #require([.waiting, .seen].contains(progress.state))
        }
    }
}
