import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// Wallets that are begun while something is missing: an answer, or the signatures of witnesses.
@Suite("Joining, interrupted", .blocking, .timeLimit(.minutes(15)))
struct JoiningTests {
    private static func settled(
        _ folder: TemporaryFolder
    ) async throws -> (machine: ServerMachine, server: DemoServer, cast: DemoCast, owner: WalletClient) {
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let (server, cast, owner) = try await machine.settle("Patient University")
        return (machine, server, cast, owner)
    }

    @Test("who joins or comes back while the witnesses are away has her wallet, and the receipt later")
    func unwitnessed() async throws {
        let folder = try TemporaryFolder()
        var (machine, server, cast, owner) = try await Self.settled(folder)
        let key = try await owner.trust().log
        // It comes back there: the system must not give the port to a connection meanwhile.
        var witness = try WitnessProcess(
            directory: folder.path("witness"), name: "w.example/w1", logKey: key, port: try DemoServer.freePort())
        _ = try await owner.setLogPolicy(
            "log \(key)\nwitness only \(witness.key) \(witness.url)\nquorum only\n")
        witness.kill()

        let student = try await WalletClient.signUp(cast.place(DemoCast.student), DemoCast.student)
        #expect(student.acts.isEmpty)
        #expect(try await student.client.account().username == DemoCast.student.username)
        await #expect(throws: ProblemError.self) { try await student.client.checkLog() }

        server.stop()
        let made = try ServerMachine.json(machine.admin(["owner", "recover", "--yes"]))
        let code = String(decoding: try #require(made["code"]?.string), as: UTF8.self)
        server = try machine.start()
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let recover = [
            "wallet", "recover", "--server", server.url, "--username", DemoCast.owner.username, "--code", code,
            "--wallet", folder.path("again.wallet"), "--passphrase-file", folder.path("pass"), "--json",
        ]
        let recovered = try await Program.runAside(Program.countersign, recover)
        #expect(recovered.status == 0, "\(recovered.output) \(recovered.errors)")
        #expect(try ServerMachine.json(recovered)["logged"] == .bool(false))

        witness = try WitnessProcess(
            directory: folder.path("witness"), name: "w.example/w1", logKey: key, port: witness.port)
        #expect(try await Self.onceWitnessed(student.client) == ["device.enrolled"])
        let again = try await WalletClient.unlock(path: folder.path("again.wallet"), passphrase: DemoCast.passphrase)
        let acts = try await Self.onceWitnessed(again)
        #expect(acts.suffix(2) == ["certificate.renewed", "device.enrolled"], "\(acts)")
        #expect(try await again.invite(.administrator, lifetime: 600).code != nil)
        witness.kill()
        server.stop()
    }

    @Test("an answer that was lost: the same command goes on with the keys that the server knows")
    func lostAnswer() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let server = try machine.start(isSetUp: false)
        let cast = DemoCast(server: server, folder: folder.url.path)

        // The organisation is set up, and the main administrator does not hear of it.
        let place = cast.place(DemoCast.owner)
        let begun = try await WalletClient.setUp(
            place, code: server.setUpCode, organisation: "Patient University", DemoCast.owner)
        try await Self.loseAnswer(begun.client)
        let owner = try await WalletClient.setUp(
            place, code: server.setUpCode, organisation: "Patient University", DemoCast.owner)
        #expect(owner.acts.map(\.type) == ["device.enrolled"])
        #expect(owner.rootFingerprint == begun.rootFingerprint)
        #expect(try await owner.client.devices().count == 1)
        let invitation = try await owner.client.invite(.administrator, lifetime: 600).code

        // An administrator's invitation is used up, and the administrator does not hear of it either.
        let registrar = cast.place(DemoCast.registrar)
        let joined = try await WalletClient.signUp(registrar, DemoCast.registrar, invitation: invitation)
        try await Self.loseAnswer(joined.client)
        let again = try await WalletClient.signUp(registrar, DemoCast.registrar, invitation: invitation)
        #expect(again.account == joined.account)
        #expect(try await again.client.deviceFingerprint == joined.client.deviceFingerprint)
        _ = try await again.client.requestDelegation()

        // An attacker with their passphrase and without their keys does not get in that way, and no keys are lost.
        try await Self.loseAnswer(again.client)
        var other = DemoCast.registrar
        other.passphrase = "another passphrase than hers"
        await #expect(throws: WalletError.begunWithAnotherPassphrase(registrar.path)) {
            try await WalletClient.signUp(registrar, other)
        }
        #expect(try Self.setAside(folder).isEmpty)
        #expect(try await WalletClient.signUp(registrar, DemoCast.registrar).account == joined.account)
        server.stop()
    }

    @Test("a request that never arrived: the wallet that was begun is set aside, and joining begins anew")
    func neverArrived() async throws {
        let folder = try TemporaryFolder()
        let (_, server, cast, owner) = try await Self.settled(folder)
        let place = cast.place(DemoCast.student)
        let begun = try await WalletClient.begin(
            place, DemoCast.student, server: try place.client, publicURL: await owner.header.publicURL,
            isAdministrator: false)
        let joined = try await WalletClient.signUp(place, DemoCast.student)
        #expect(joined.acts.map(\.type) == ["device.enrolled"])
        #expect(try await joined.client.deviceFingerprint != begun.deviceFingerprint)
        #expect(try Self.setAside(folder).count == 1)
        server.stop()
    }

    /// The types of a person's logged acts, as soon as the server has asked the witness again: it lets one that was away
    /// rest for a while.
    private static func onceWitnessed(_ client: WalletClient) async throws -> [String] {
        while true {
            do {
                return try await client.checkLog().acts.map(\.type)
            } catch let error as ProblemError where error.slug == "unwitnessed" {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Puts a wallet back to how it was before the answer came.
    private static func loseAnswer(_ client: WalletClient) async throws {
        try await client.forgetAnswer()
        #expect(await !client.isSignedIn)
    }

    private static func setAside(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains(".unanswered-") }
    }
}

extension WalletClient {
    fileprivate func forgetAnswer() throws {
        try wallet.update { header, secrets in
            header.account = ""
            header.device = ""
            secrets.organisation = ""
            secrets.root = ""
            secrets.logKey = ""
            secrets.checkpoint = nil
        }
        wallet.file.session.remove()
    }
}
