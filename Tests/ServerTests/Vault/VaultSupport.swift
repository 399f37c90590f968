import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import HummingbirdTesting
import Interface
import NIOCore
import Storage
import Testing

@testable import Server

/// A member with a vault whose wallet the test plays.
struct VaultScene: Sendable {
    let organisation: TestOrganisation
    let client: TestClient
    let person: TestPerson
    let session: NewSession
    /// The compartment of the set-up.
    let main: String
    /// By slot.
    let pins: [String]
    let proofs: [Bytes]

    var token: String { session.token }
    var account: String { session.account.id }
    var environment: Environment { organisation.server.environment }
    var clock: ManualClock { organisation.clock }

    static let salt = Bytes(repeating: 7, count: 16).base64URL

    /// Serves an organisation of an owner and a member who has a vault.
    static func serve(
        _ organisation: TestOrganisation? = nil, _ body: @escaping @Sendable (VaultScene) async throws -> Void
    ) async throws {
        let organisation = if let organisation { organisation } else { try await TestOrganisation() }
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let person = try organisation.person("alice")
            let session = try await client.join(person)
            try await body(try await make(client, organisation, person, session))
        }
    }

    static func make(
        _ client: TestClient, _ organisation: TestOrganisation, _ person: TestPerson, _ session: NewSession
    ) async throws -> VaultScene {
        let scene = VaultScene(
            organisation: organisation, client: client, person: person, session: session, main: identifier(),
            pins: (0..<4).map { "pin \($0) of \(person.username)" }, proofs: (0..<4).map { _ in random(32) })
        let answer = try await client.send(.post, "/api/vault", try await scene.newVault(), token: session.token)
        #expect(answer.status == 201, "\(answer.text)")
        return scene
    }

    func newVault(slots: [VaultSlot] = []) async throws -> NewVault {
        let (enrolment, sealed) = try await enrol(pins)
        return NewVault(
            salt: Self.salt, slots: slots, enrolment: enrolment,
            pins: (0..<4).map { NewVaultPIN(slot: $0, sealed: sealed[$0], proof: proof($0)) },
            compartment: NewVaultCompartment(id: main, head: Bytes(text: "head 0").base64URL))
    }

    /// As the slot has it: the digest.
    func proof(_ slot: Int) -> String { SwiftCryptoSuite().sha256(proofs[slot]).base64URL }

    static func random(_ count: Int) -> Bytes { RandomSource.system.bytes(count) }
    static func identifier() -> String { String(decoding: Hex.encode(random(16)), as: UTF8.self) }

    // MARK: PINs

    /// Fresh guard keys for four PINs, and what the wallet seals under their outputs: here the output itself, hashed.
    func enrol(_ pins: [String]) async throws -> (enrolment: String, sealed: [String]) {
        let questions = try pins.map { try GuardQuestion(Bytes(text: $0)) }
        let answer = try await client.send(
            .post, "/api/vault/guard/enrolments", NewVaultEnrolment(blinded: questions.map(\.blinded.base64URL)),
            token: token
        ).decode(VaultEnrolment.self)
        #expect(answer.evaluations.count == 4)
        let sealed = try zip(questions, answer.evaluations).map { question, evaluation in
            try Self.sealed(
                question.finish(
                    .init(element: Self.bytes(evaluation.element), proof: Self.bytes(evaluation.proof)),
                    of: Self.bytes(evaluation.key)))
        }
        return (answer.enrolment, sealed)
    }

    private static func sealed(_ output: Bytes) throws -> String {
        SwiftCryptoSuite().sha256(Bytes(text: "slot") + output).base64URL
    }

    static func bytes(_ text: String) throws -> Bytes { try #require(Base64.decode(Bytes(text: text), .url)) }

    /// Asked of the service itself: the session may be over by the clock.
    func state() async throws -> VaultState { try await VaultService(environment: environment).find(principal) }

    /// Tries a PIN at the guard.
    ///
    /// - Returns: the slots that it opens.
    func attempt(_ pin: String) async throws -> (answer: VaultTry, opened: [Int]) {
        let state = try await state()
        let question = try GuardQuestion(Bytes(text: pin))
        let answer = try await VaultGuard(environment: environment).attempt(
            NewVaultTry(blinded: question.blinded.base64URL), account)
        var opened: [Int] = []
        for (slot, evaluation) in answer.evaluations.enumerated() where !evaluation.element.isEmpty {
            // A slot that this very try destroyed is no longer in the state.
            guard !state.pins[slot].key.isEmpty else { continue }
            let output = try question.finish(
                .init(element: Self.bytes(evaluation.element), proof: Self.bytes(evaluation.proof)),
                of: Self.bytes(state.pins[slot].key))
            if try Self.sealed(output) == state.pins[slot].sealed { opened.append(slot) }
        }
        return (answer, opened)
    }

    /// Proves a try, with the proof keys of some slots.
    func prove(_ attempt: String, slots: Set<Int>) async throws {
        let shown = (0..<4).map { (slots.contains($0) ? proofs[$0] : Self.random(32)).base64URL }
        try await VaultGuard(environment: environment).prove(attempt, VaultTryProof(proofs: shown), account)
    }

    /// What the guard's file counts.
    func counts() async throws -> [Int64?] {
        try #require(try await VaultGuard(environment: environment).folder.read(account)).counts.counts
    }

    /// Waits until the guard lets somebody try.
    func waitForGuard() async throws {
        clock.advance(.seconds(try await state().guard.wait))
    }

    // MARK: Compartments

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil
    ) async throws -> TestClient.Answer { try await client.send(method, "/api/vault/\(path)", body, token: token) }

    func compartment(_ id: String? = nil) async throws -> VaultCompartment {
        try await send(.get, "compartments/\(id ?? main)").decode(VaultCompartment.self)
    }

    func nodes(_ query: String = "", in id: String? = nil) async throws -> VaultNodes {
        try await send(.get, "compartments/\(id ?? main)/nodes\(query)").decode(VaultNodes.self)
    }

    func change(_ change: VaultChange, in id: String? = nil) async throws -> TestClient.Answer {
        try await send(.post, "compartments/\(id ?? main)/changes", change)
    }

    static func put(
        _ id: String, revision: Int64 = 1, key: String = "key", metadata: String = "metadata",
        _ versions: [VaultChange.Put.Version] = []
    ) -> VaultChange.Put {
        VaultChange.Put(
            id: id, revision: revision, place: Bytes(text: "place").base64URL, key: Bytes(text: key).base64URL,
            metadata: Bytes(text: metadata).base64URL, versions: versions)
    }

    static func change(
        _ sequence: Int64, put: [VaultChange.Put] = [], trash: [String] = [], restore: [String] = [],
        remove: [String] = []
    ) -> VaultChange {
        VaultChange(
            sequence: sequence, head: Bytes(text: "head \(sequence + 1)").base64URL, put: put, trash: trash,
            restore: restore, remove: remove)
    }

    // MARK: Contents

    func begin(_ size: Int64) async throws -> VaultUpload {
        try await send(.post, "uploads", NewVaultUpload(compartment: main, size: size)).decode(VaultUpload.self)
    }

    func putPart(_ number: Int64, of id: String, _ bytes: Bytes) async throws -> TestClient.Answer {
        try await client.raw(
            .put, "/api/vault/uploads/\(id)/parts/\(number)", [.contentType: "application/octet-stream"], bytes, token)
    }

    /// Uploads a content whole.
    func upload(_ bytes: Bytes) async throws -> VaultChange.Put.Version {
        let upload = try await begin(Int64(bytes.count))
        for number in 0..<upload.parts {
            let start = Int(number * upload.part)
            let part = Array(bytes[start..<min(bytes.count, start + Int(upload.part))])
            let answer = try await putPart(number, of: upload.id, part)
            #expect(answer.status == 204, "\(answer.text)")
        }
        return VaultChange.Put.Version(
            id: Self.identifier(), content: upload.id, key: Bytes(text: "content key").base64URL,
            size: Int64(bytes.count))
    }

    func content(_ id: String, _ range: String? = nil) async throws -> TestClient.Answer {
        try await client.raw(.get, "/api/vault/contents/\(id)", range.map { [.range: $0] } ?? [:], [], token)
    }

    func blobs() async throws -> [String] { try await environment.blobs.list().map(\.name) }

    func sweep() async throws {
        try await RetentionService(environment: environment, days: .init()).sweep()
    }
}

extension TestClient.Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension TestClient {
    /// Sends bytes as they are.
    func raw(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, _ body: Bytes, _ token: String
    ) async throws -> Answer {
        var fields = fields
        fields[.authorization] = "Bearer \(token)"
        return try await client.execute(uri: path, method: method, headers: fields, body: ByteBuffer(bytes: body)) {
            Answer(
                status: $0.status.code, body: Array($0.body.readableBytesView),
                mediaType: $0.headers[.contentType] ?? "", retryAfter: $0.headers[.retryAfter])
        }
    }
}

extension VaultScene {
    /// Has the session confirmed again.
    static func confirm(_ scene: VaultScene) async throws {
        let until = scene.clock.clock.now() + Limits.confirmationTime
        try await scene.environment.database.write { transaction in
            try transaction.execute(
                "UPDATE sessions SET confirmed = $1 WHERE account = $2",
                [.integer(until), .text(scene.account)])
        }
    }

    /// An address that gets notices about protection.
    func addWay() async throws {
        try await environment.database.write { [account] transaction in
            try transaction.execute(
                """
                INSERT INTO notification_ways (id, account, kind, address, created, confirmed, tries)
                VALUES ('way', $1, 'email', 'a@example.org', 0, 0, 0)
                """, [.text(account)])
        }
    }

    /// How many notices wait; they wait no longer.
    func takeNotices() async throws -> Int {
        try await environment.database.write { [account] transaction in
            try transaction.changes("DELETE FROM notification_outbox WHERE account = $1", [.text(account)])
        }
    }
}

extension VaultScene {
    /// Who the member is, where a session may be over by the clock.
    var principal: Principal {
        Principal(account: account, role: .member, session: "s", device: nil)
    }

    /// As `nodes`, where the session may be over by the clock.
    func nodesAgain(after: String? = nil) async throws -> VaultNodes {
        try await VaultCompartments(environment: environment, epochs: VaultEpochs(environment)).list(
            main, after: after, limit: 500, principal)
    }
}
