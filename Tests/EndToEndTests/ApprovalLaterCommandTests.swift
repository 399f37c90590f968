import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// Commands about services that take days, a second wallet, or another key.
///
/// The server's clock is three days behind at first, and the commands go by the machine's: then it is put right.
@Suite("Services on the command line, later", .timeLimit(.minutes(15)))
struct ApprovalLaterCommandTests {
    /// How long new recovery codes wait, in seconds.
    private static let rest: Int64 = 3 * 86_400

    /// An administrator, a member with two wallets, and a service.
    private struct Scene: Sendable {
        let town: ClockedTown
        let owner: Hand
        let laptop: Hand
        /// The member's second wallet.
        let phone: Hand
        /// The wallet of the laptop in this process.
        let ada: WalletClient
        let bank: ServerClient
    }

    @Test("another API key, a webhook, a question put aside, the word of another wallet, and a recovery code")
    func whole() async throws {
        try await ClockedTown.visit(offBy: -Self.rest) { town in
            let scene = try await Self.settle(town)
            let codes = try await Self.prepare(scene)
            town.clock.advance(Self.rest)
            for hand in [scene.owner, scene.laptop] { _ = try await hand.json(["wallet", "sign-in"]) }
            let bank = try await Self.rotate(scene)
            try await Self.moveWebhook(scene, bank)
            try await Self.putAside(scene, bank)
            try await Self.addPhone(scene, bank)
            try await Self.comeBack(scene, bank, codes[0])
        }
    }

    private static func settle(_ town: ClockedTown) async throws -> Scene {
        let passphrase = town.folder.path("pass")
        try town.person("").passphrase.write(toFile: passphrase, atomically: true, encoding: .utf8)
        let owner = try await WalletClient.setUp(
            town.lastingPlace("owner"), code: town.code, organisation: "Later University", town.person("owner")
        ).client
        let added = try await owner.addApprovalService(domain: "bank.example", name: "Example Bank")
        let ada = try await WalletClient.signUp(town.lastingPlace("ada"), town.person("ada")).client
        return Scene(
            town: town, owner: Hand(wallet: town.path("owner"), passphrase: passphrase),
            laptop: Hand(wallet: town.path("ada"), passphrase: passphrase),
            phone: Hand(wallet: town.path("phone"), passphrase: passphrase), ada: ada,
            bank: ServerClient(address: try ServerAddress(town.url), token: SessionToken(added.apiKey)))
    }

    /// Makes recovery codes, begins to wait and ends that, and enrols the laptop.
    private static func prepare(_ scene: Scene) async throws -> [String] {
        let recovery = ["wallet", "services", "recovery"]
        let made = try await scene.laptop.json(recovery + ["codes"])
        let codes = try #require(made["codes"]?.array).compactMap(\.string).map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(codes).count == 10)
        let begun = try await scene.laptop.json(recovery + ["begin", "--yes"])
        let opens = try #require(begun["wait"]?["opens"]?.integer)
        #expect(begun["wait"]?["started"] == .integer(opens - rest))
        let ended = try await scene.laptop.json(recovery + ["end"])
        #expect(ended["wait"] == nil && ended["codes"] == .integer(10))
        let shown = try await scene.laptop.run(recovery)
        #expect(shown.status == 0 && shown.output.hasPrefix("Recovery codes left: 10. They work from "), "\(shown)")

        try await ApprovalCommandTests.enrol(scene.laptop, at: scene.bank, ["--name", "laptop"])
        let offer = try #require(try await ApprovalCommandTests.begin(at: scene.bank).link)
        let early = try await scene.laptop.run(["wallet", "enrol", offer, "--recovery-code", codes[0]])
        #expect(early.status == 1 && early.errors.contains("three days after they were made"), "\(early)")
        return codes
    }

    /// Replaces the API key.
    ///
    /// - Returns: the service with the new one.
    private static func rotate(_ scene: Scene) async throws -> ServerClient {
        let command = ["admin", "service", "rotate", "bank.example"]
        let unasked = try await scene.owner.run(command)
        #expect(unasked.status == 2 && unasked.errors.contains("give --yes"), "\(unasked)")
        let before: ApprovalServiceInfo = try await scene.bank.get("/api/service")
        let rotated = try await scene.owner.json(command + ["--yes"])
        #expect(rotated["act"]?["type"] == .text("service.rotated"))
        let apiKey = String(decoding: try #require(rotated["api_key"]?.string), as: UTF8.self)
        let refused = await #expect(throws: ProblemError.self) {
            let _: ApprovalServiceInfo = try await scene.bank.get("/api/service")
        }
        #expect(refused?.problem.status == 401)
        let bank = ServerClient(address: scene.bank.address, token: SessionToken(apiKey))
        let after: ApprovalServiceInfo = try await bank.get("/api/service")
        #expect(before.rotated == nil && after.rotated != nil && after.publicKey == before.publicKey)
        return bank
    }

    private static func moveWebhook(_ scene: Scene, _ bank: ServerClient) async throws {
        let command = ["admin", "service", "webhook", "bank.example"]
        let url = "https://bank.example/told"
        let set = try await scene.owner.json(command + [url])
        #expect(set["service"]?["webhook"] == .text(url) && set["act"]?["type"] == .text("service.changed"))
        let shown = try await scene.owner.run(["admin", "service", "show", "bank.example"])
        #expect(shown.output.contains("\nWebhook: \(url)\n"), "\(shown)")
        let off = try await scene.owner.run(command + ["--off"])
        #expect(off.status == 0 && off.output == "It is told nothing any more.\n", "\(off)")
        let info: ApprovalServiceInfo = try await bank.get("/api/service")
        #expect(info.webhook == nil)
    }

    private static func putAside(_ scene: Scene, _ bank: ServerClient) async throws {
        let asked = try await ApprovalCommandTests.ask(bank, "1", digits: 0)
        let aside = try await scene.laptop.json(["wallet", "answer", asked.id, "--discard"])
        #expect(aside["state"] == .text("pending") && aside["discarded"]?.integer != nil)
        let none = try await scene.laptop.run(["wallet", "challenges"])
        #expect(none.output == "Nothing waits for your answer.\n", "\(none)")
        let shown = try await scene.laptop.run(["wallet", "challenges", asked.id])
        #expect(shown.output.hasSuffix("\nIt is put aside.\n"), "\(shown)")
        let known: ServiceChallenge = try await bank.get("/api/service/challenges/\(asked.id)")
        #expect(known.state == .pending)
        let listed = try await scene.laptop.run(["wallet", "answer", asked.id, "--bring-back"])
        #expect(listed.status == 0 && listed.output.hasPrefix("It is listed again. "), "\(listed)")
        let back = try await scene.laptop.json(["wallet", "challenges"])
        #expect(back["items"]?.array?.compactMap { $0["id"] } == [.text(asked.id)])
        // Put aside again, it can still be answered by its id.
        _ = try await scene.laptop.json(["wallet", "answer", asked.id, "--discard"])
        let allowed = try await scene.laptop.json(["wallet", "answer", asked.id, "--allow", "--yes"])
        #expect(allowed["state"] == .text("approved"))
    }

    /// The member's second wallet is enrolled with the word of the first.
    private static func addPhone(_ scene: Scene, _ bank: ServerClient) async throws {
        try await letIn(scene.town.lastingPlace("phone"), scene.town.person("ada"), by: scene.ada)
        let begun = try await ApprovalCommandTests.begin(at: bank)
        let command = ["wallet", "enrol", try #require(begun.link), "--name", "phone"]
        let alone = try await scene.phone.run(command)
        #expect(alone.status == 1 && alone.errors.contains("This device may not answer"), "\(alone)")
        let stranger = try await scene.phone.run(command + ["--by", scene.owner.wallet])
        #expect(stranger.status == 1 && stranger.errors.contains("is not enrolled there for the same user"))
        // The same offer again, now with the word.
        try await ApprovalCommandTests.enrol(
            scene.phone, with: begun, at: bank, ["--name", "phone", "--by", scene.laptop.wallet])
        #expect(try await Set(scene.ada.approvalDevices().map(\.name)) == ["laptop", "phone"])
        let asked = try await ApprovalCommandTests.ask(bank, "2", digits: 0)
        let allowed = try await scene.phone.json(["wallet", "answer", asked.id, "--allow", "--yes"])
        #expect(allowed["state"] == .text("approved"))
    }

    /// Both are lost: a recovery code enrols another key, once, and the keys before it end.
    private static func comeBack(_ scene: Scene, _ bank: ServerClient, _ code: String) async throws {
        let way = ["--name", "new phone", "--recovery-code", code]
        try await ApprovalCommandTests.enrol(scene.phone, at: bank, way)
        #expect(try await scene.ada.approvalDevices().map(\.name) == ["new phone"])
        let left = try await scene.laptop.json(["wallet", "services", "recovery", "show"])
        #expect(left["codes"] == .integer(9))
        let asked = try await ApprovalCommandTests.ask(bank, "3", digits: 0)
        let lost = try await scene.laptop.run(["wallet", "answer", asked.id, "--allow", "--yes"])
        #expect(lost.status == 1 && lost.errors.contains("This device may not answer"), "\(lost)")

        let offer = try #require(try await ApprovalCommandTests.begin(at: bank).link)
        let again = try await scene.phone.run(["wallet", "enrol", offer] + way)
        #expect(again.status == 1 && again.errors.contains("none of your recovery codes"), "\(again)")
        // By the machine's own clock this offer is still good.
        scene.town.clock.advance(601)
        let late = try await scene.phone.run(["wallet", "enrol", offer])
        #expect(late.status == 1, "\(late)")
        let words = "error: the offer has expired; begin again at the service. Nothing was answered\n"
        #expect(late.errors == words, "\(late)")
    }

    /// Makes a second wallet of an account, which the first one adds as the pages do.
    private static func letIn(_ place: NewWallet, _ person: NewPerson, by first: WalletClient) async throws {
        let server = ServerClient(address: try ServerAddress(place.server))
        let organisation = try await server.organisation()
        let begun = try await WalletClient.begin(
            place, person, server: server, publicURL: organisation.publicURL, isAdministrator: false)
        let draft = await begun.wallet
        let pairing: Pairing = try await server.post(
            "/api/pairings",
            PairingRequest(
                username: person.username, passphrase: person.passphrase,
                device: try WalletClient.registration(draft, place, person)))
        let statement = try await first.wallet.signingKey().signJWS(
            type: "\(Statement.pairingType)",
            payload: Statement.pairing(
                audience: organisation.publicURL, username: person.username, pairing: pairing.id,
                signingKey: try draft.signingKey().publicKey.thumbprint.base64URL,
                encryptionKey: try draft.encryptionKey().publicKey.thumbprint.base64URL, time: place.now()))
        let _: Acknowledgement = try await first.session().post(
            "/api/pairings/\(pairing.id)/endorse", PairingEndorsement(statement: statement))
        let session: NewSession = try await server.post(
            "/api/pairings/\(pairing.id)/session", PairingSessionRequest(token: pairing.token))
        _ = try await begun.finish(session, try await first.trust(), organisation: organisation)
    }
}
