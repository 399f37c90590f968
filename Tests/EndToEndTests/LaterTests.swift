import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing
import Transparency
import Verification

@testable import Wallet
@testable import countersign

/// Wallets act by themselves when time has passed and devices have come and gone.
@Suite("Wallets, later", .timeLimit(.minutes(15)))
struct LaterTests {
    @Test("a wallet confirms by itself that its owner is there; a token alone does not")
    func confirmation() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            town.clock.advance(301)
            let token = try #require(await owner.wallet.file.session.read())
            let thief = ServerClient(address: try ServerAddress(town.url), token: token)
            await #expect(throws: ProblemError.self) {
                try await thief.invite(InvitationRequest(role: .operator, lifetime: 60))
            }
            #expect(try await owner.invite(.operator, lifetime: 60).code != nil)
            // For the next minutes it need not again.
            #expect(try await thief.invite(InvitationRequest(role: .operator, lifetime: 60)).code != nil)
        }
    }

    @Test("an administrator's wallet signs for a device that the one she saw let in, and says so when revoking it")
    func endorsedDevice() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let invitation = try await owner.invite(.administrator, lifetime: 600).code
            let administrator = try await WalletClient.signUp(
                town.place("registrar"), town.person("registrar"), invitation: invitation
            ).client
            let pending = try await administrator.requestDelegation()
            _ = try await owner.certify(pending, capabilities: [.identifyMembers, .signDocuments])
            let student = try await WalletClient.signUp(town.place("stella"), town.person("stella")).client
            try await Self.meet(student, administrator)
            let device = try await Self.letIn("stella", student, town)
            let laptop = ServerClient(address: try ServerAddress(town.url), token: SessionToken(device.token))
            let request = try await laptop.ask(NewDocumentRequest(type: "generic", note: ""))
            #expect(request.device == device.device?.id)
            _ = try await administrator.accept(request.id)
            let issued = try await administrator.issue(
                request: request.id, fields: [JSON.Member("title", .text("For the laptop"))], document: nil)
            #expect(issued.info.device == device.device?.id)
            let devices = try await student.devices()
            // Two of one second come in any order.
            let endorsed = try #require(devices.first { $0.id == device.device?.id })
            #expect(devices.count == 2 && devices.contains { $0.id == endorsed.endorsedBy && $0.endorsedBy == nil })
            // The receipt is bound to the key; the documents of the device go with it.
            let act = try await student.revokeDevice(try #require(device.device?.id), reason: "sold")
            #expect(act.type == "device.revoked")
            #expect(try await student.documents().first { $0.id == issued.info.id }?.revoked != nil)
        }
    }

    @Test("clocks that jump by hours and years and back: what is refused is refused in words, nothing is damaged")
    func jumps() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let invitation = try await owner.invite(.administrator, lifetime: 600).code
            let administrator = try await WalletClient.signUp(
                town.place("registrar"), town.person("registrar"), invitation: invitation
            ).client
            _ = try await owner.certify(
                try await administrator.requestDelegation(), capabilities: [.identifyMembers, .signDocuments])
            let student = try await WalletClient.signUp(town.place("stella"), town.person("stella")).client
            try await Self.meet(student, administrator)
            let first = try await Self.order(student, administrator)
            let (hour, year): (Int64, Int64) = (3_600, 365 * 86_400)
            for jump in [hour, -hour, 13 * hour, -13 * hour, 30 * year, -30 * year] {
                town.clock.advance(jump)
                await Self.refusedInWords("\(jump)") {
                    try await owner.signIn(passphrase: town.person("").passphrase)
                }
                await Self.refusedInWords("\(jump)") { _ = try await Self.order(student, administrator) }
                await Self.refusedInWords("\(jump)") { _ = try await student.open(first) }
                await Self.refusedInWords("\(jump)") { _ = try await student.checkLog() }
                town.clock.advance(-jump)
                for client in [administrator, student] {
                    try await client.signIn(passphrase: town.person("").passphrase)
                }
                _ = try await student.open(try await Self.order(student, administrator))
                _ = try await student.open(first)
                _ = try await student.checkLog()
            }
            let audit = LogAudit(
                .folder(town.folder.path("server/log")), policy: try await owner.trust().policy, previous: nil)
            #expect(try await audit.run { _, _ in }.checkpoint.size > 10)
        }
    }

    /// Asks for a document and has it issued.
    private static func order(_ holder: WalletClient, _ administrator: WalletClient) async throws -> String {
        let request = try await holder.request(type: "generic", note: "")
        _ = try await administrator.accept(request.id)
        return try await administrator.issue(
            request: request.id, fields: [JSON.Member("title", .text("Soon or late"))], document: nil
        ).info.id
    }

    /// An act that may be refused, by the server with a reason that is not its own fault, or by the wallet.
    private static func refusedInWords(_ when: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let error as ProblemError {
            #expect(error.problem.status < 500, "\(when): \(error)")
        } catch is WalletError {
        } catch {
            Issue.record("\(when): \(error)")
        }
    }

    @Test("with a new key of the main administrator what was signed before verifies, and so does what is signed after")
    func newAuthorityKey() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let administrator = try await Self.administrator("registrar", owner, town)
            let student = try await WalletClient.signUp(town.place("stella"), town.person("stella")).client
            try await Self.meet(student, administrator)
            let before = try await Self.issue(student, administrator)
            town.clock.advance(60)
            let same = try await owner.renewAuthority(withNewKey: false)
            town.clock.advance(60)
            let other = try await owner.renewAuthority(withNewKey: true)
            #expect(other.fingerprint != same.fingerprint && other.act?.type == "certificate.renewed")
            // Certified under the old key, and under the new one.
            let between = try await Self.issue(student, administrator)
            let second = try await Self.administrator("dean", owner, town)
            try await Self.meet(student, second)
            let after = try await Self.issue(student, second)
            for id in [before, between, after] {
                let shown = try await student.present(id, PresentationChoice(audience: "https://employer.example"))
                #expect(shown.report.verdict == .valid, "\(shown.report)")
            }
        }
    }

    @Test("a second may end at any moment while a document is presented")
    func slow() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let administrator = try await Self.administrator("registrar", owner, town)
            let student = try await WalletClient.signUp(town.place("stella"), town.person("stella")).client
            try await Self.meet(student, administrator)
            let id = try await Self.issue(student, administrator)
            town.clock.goOn(by: 1)
            let shown = try await student.present(id, PresentationChoice(audience: "https://employer.example"))
            #expect(shown.report.verdict == .valid, "\(shown.report)")
        }
    }

    @Test("eight characters stand for the code, and a wallet says who ended a check")
    func typedCode() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let administrator = try await Self.administrator("registrar", owner, town)
            let student = try await WalletClient.signUp(town.place("stella"), town.person("stella")).client
            let pending = try await student.beginEnrolment()
            let claimed = try await administrator.claimEnrolment(code: student.typedCode(of: pending).code)
            #expect(claimed.isTyped)
            try await student.abandonEnrolment(pending.code.enrolment)
            await #expect(throws: WalletError.enrolmentOver(.holder)) {
                _ = try await administrator.awaitAnswer(claimed)
            }
            try await Self.meet(student, administrator, isTyped: true)
        }
    }

    @Test("a revoked administrator's wallet asks with another key")
    func revokedAdministrator() async throws {
        try await ClockedTown.visit { town in
            let owner = try await town.owner()
            let administrator = try await Self.administrator("registrar", owner, town)
            let old = try #require(try await administrator.delegations().first)
            _ = try await owner.revokeDelegation(old.id, reason: "on leave")
            _ = try await administrator.signIn(passphrase: town.person("registrar").passphrase)
            let asked = try await administrator.requestDelegation()
            #expect(asked.authorityKey != old.authorityKey)
            _ = try await owner.certify(asked, capabilities: [.signDocuments])
            #expect(try await administrator.delegations().map(\.state).contains(.certified))
        }
    }

    /// A certified administrator.
    private static func administrator(
        _ name: String, _ owner: WalletClient, _ town: ClockedTown
    ) async throws -> WalletClient {
        let invitation = try await owner.invite(.administrator, lifetime: 600).code
        let wallet = try await WalletClient.signUp(town.place(name), town.person(name), invitation: invitation).client
        _ = try await owner.certify(
            try await wallet.requestDelegation(), capabilities: [.identifyMembers, .signDocuments])
        return wallet
    }

    /// A document that the holder asked for.
    private static func issue(_ holder: WalletClient, _ administrator: WalletClient) async throws -> String {
        let request = try await holder.request(type: "generic", note: "")
        _ = try await administrator.accept(request.id)
        return try await administrator.issue(
            request: request.id, fields: [JSON.Member("title", .text("A title"))], document: nil
        ).info.id
    }

    static func meet(_ holder: WalletClient, _ administrator: WalletClient, isTyped: Bool = false) async throws {
        let pending = try await holder.beginEnrolment()
        async let answered = holder.answerEnrolment(pending)
        let code = isTyped ? try await holder.typedCode(of: pending).code : pending.code.text
        let claimed = try await administrator.claimEnrolment(code: code)
        let ready = try await administrator.awaitAnswer(claimed)
        #expect(try await answered.digits == ready.digits)
        _ = try await administrator.completeEnrolment(
            ready, paper: .passport,
            fields: [
                JSON.Member("given_name", .text("Stella")), JSON.Member("family_name", .text("Student")),
                JSON.Member("member_number", .text("1")),
            ])
        // From now on the name is the one on the paper; the one given at sign-up was not checked.
        #expect(try await holder.account().name == "Stella Student")
    }

    /// A second device of the person, added by their wallet; its keys are forgotten.
    private static func letIn(_ name: String, _ first: WalletClient, _ town: ClockedTown) async throws -> NewSession {
        let signing = try SigningKey()
        let encryption = try EncryptionKey().publicKey
        let server = ServerClient(address: try ServerAddress(town.url))
        let proof = try signing.signJWS(
            type: "\(Statement.deviceType)",
            payload: Statement.device(
                audience: town.url, username: name, encryptionKey: encryption, time: town.clock.now()))
        let pairing: Pairing = try await server.post(
            "/api/pairings",
            PairingRequest(
                username: name, passphrase: town.person(name).passphrase,
                device: DeviceRegistration(
                    name: "laptop", signingKey: signing.publicKey.x963.base64URL,
                    encryptionKey: encryption.x963.base64URL, proof: proof)))
        let statement = try await first.wallet.signingKey().signJWS(
            type: "\(Statement.pairingType)",
            payload: Statement.pairing(
                audience: town.url, username: name, pairing: pairing.id,
                signingKey: signing.publicKey.thumbprint.base64URL, encryptionKey: encryption.thumbprint.base64URL,
                time: town.clock.now()))
        let _: Acknowledgement = try await first.session().post(
            "/api/pairings/\(pairing.id)/endorse", PairingEndorsement(statement: statement))
        return try await server.post(
            "/api/pairings/\(pairing.id)/session", PairingSessionRequest(token: pairing.token))
    }
}
