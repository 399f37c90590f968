import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import HummingbirdTesting
import Interface
import NIOCore
import Storage
import Testing
import Vault

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
    /// With these the owner takes back what was counted, by slot.
    let resets: [VaultSecret]

    var token: String { session.token }
    var account: String { session.account.id }
    var environment: Environment { organisation.server.environment }
    var clock: ManualClock { organisation.clock }

    static let salt = Bytes(repeating: 7, count: 16).base64URL
    static let suite = SwiftCryptoSuite()

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

    /// The same with a second member, Bob, who has a vault too.
    static func serveTwo(
        _ body: @escaping @Sendable (_ alice: VaultScene, _ bob: VaultScene) async throws -> Void
    ) async throws {
        try await serve { alice in
            let person = try alice.organisation.person("bob")
            let session = try await alice.client.join(person)
            try await body(alice, try await make(alice.client, alice.organisation, person, session))
        }
    }

    static func make(
        _ client: TestClient, _ organisation: TestOrganisation, _ person: TestPerson, _ session: NewSession
    ) async throws -> VaultScene {
        let scene = VaultScene(
            organisation: organisation, client: client, person: person, session: session, main: identifier(),
            pins: (0..<4).map { "pin \($0) of \(person.username)" },
            resets: try (0..<4).map { _ in try .random(suite) })
        let answer = try await client.send(.post, "/api/vault", try await scene.newVault(), token: session.token)
        #expect(answer.status == 201, "\(answer.text)")
        return scene
    }

    func newVault(slots: [VaultSlot] = []) async throws -> NewVault {
        let (enrolment, made) = try await enrol(pins)
        return NewVault(
            salt: Self.salt, slots: slots, enrolment: enrolment, pins: made,
            compartment: NewVaultCompartment(id: main, head: Bytes(text: "head 0").base64URL))
    }

    static func random(_ count: Int) -> Bytes { RandomSource.system.bytes(count) }
    static func identifier() -> String { String(decoding: Hex.encode(random(16)), as: UTF8.self) }

    // MARK: PINs

    /// What the slots of all accounts of tests are bound to.
    static func vaultAccount() throws -> VaultAccount { try VaultAccount(salt: bytes(salt)) }

    /// A PIN, stretched as little as may be.
    static func input(_ pin: String) throws -> VaultSecret {
        try PINSlot.input(
            Bytes(text: pin), of: vaultAccount(), stretching: Argon2id(memory: 8, passes: 1, lanes: 1), suite: suite)
    }

    /// A PIN at the wallet.
    private func ask(_ pin: String) throws -> PINAttempt {
        try PINAttempt(Self.input(pin), of: Self.vaultAccount(), suite: Self.suite)
    }

    /// Fresh guard keys for four PINs, and the slots that the wallet makes with their values.
    func enrol(_ pins: [String]) async throws -> (enrolment: String, pins: [NewVaultPIN]) {
        let attempts = try pins.map(ask)
        let answer = try await client.send(
            .post, "/api/vault/guard/enrolments",
            NewVaultEnrolment(blinded: attempts.map(\.blindedElement.base64URL)), token: token
        ).decode(VaultEnrolment.self)
        #expect(answer.evaluations.count == 4)
        let made = try attempts.enumerated().map { slot, attempt in
            let evaluation = answer.evaluations[slot]
            let value = try attempt.value(
                .init(element: Self.bytes(evaluation.element), proof: Self.bytes(evaluation.proof)),
                publicKey: Self.bytes(evaluation.key))
            let (sealed, verifier) = try attempt.makeSlot(
                .main, key: .random(Self.suite), index: slot, value: value, resetKey: resets[slot], suite: Self.suite)
            return NewVaultPIN(slot: slot, sealed: sealed.base64URL, verifier: verifier.bytes.base64URL)
        }
        return (answer.enrolment, made)
    }

    static func bytes(_ text: String) throws -> Bytes { try #require(Base64.decode(Bytes(text: text), .url)) }

    /// Asked of the service itself: the session may be over by the clock.
    func state() async throws -> VaultState { try await VaultService(environment: environment).find(principal) }

    /// A PIN that the guard has evaluated.
    struct Tried: Sendable {
        let answer: VaultTry
        let attempt: PINAttempt
        /// What each slot holds that it opens.
        let contents: [PINContents?]

        /// The slots that it opens.
        var opened: [Int] { contents.indices.filter { contents[$0] != nil } }
    }

    /// Tries a PIN at the guard.
    func attempt(_ pin: String) async throws -> Tried {
        let state = try await state()
        let attempt = try ask(pin)
        let answer = try await VaultGuard(environment: environment).attempt(
            NewVaultTry(blinded: attempt.blindedElement.base64URL), account)
        let contents = try answer.evaluations.enumerated().map { slot, evaluation -> PINContents? in
            guard !evaluation.element.isEmpty, state.pins[slot].usable else { return nil }
            let value = try attempt.value(
                .init(element: Self.bytes(evaluation.element), proof: Self.bytes(evaluation.proof)),
                publicKey: Self.bytes(state.pins[slot].key))
            return try? attempt.open(Self.bytes(state.pins[slot].sealed), index: slot, value: value, suite: Self.suite)
        }
        return Tried(answer: answer, attempt: attempt, contents: contents)
    }

    /// The proofs of a try.
    ///
    /// - Parameters:
    ///   - resets: the slots whose reset keys are shown too.
    ///   - claimed: contents to prove with instead of those that were opened.
    func proofs(
        _ tried: Tried, resets shown: Set<Int> = [], claiming claimed: [PINContents?]? = nil
    ) throws
        -> VaultTryProof
    {
        let made = try tried.attempt.proofs(
            claimed ?? tried.contents, resetKeys: resets.indices.map { shown.contains($0) ? resets[$0] : nil },
            tryID: try #require(Hex.decode(Bytes(text: tried.answer.try))), suite: Self.suite)
        return VaultTryProof(proofs: made.map(\.bytes.base64URL))
    }

    /// Proves a try.
    func prove(_ tried: Tried, resets shown: Set<Int> = []) async throws {
        try await VaultGuard(environment: environment).prove(
            tried.answer.try, proofs(tried, resets: shown), account)
    }

    /// What the guard's file counts.
    func counts() async throws -> [Int?] {
        try #require(try await VaultGuard(environment: environment).folder.read(account)).counting().counts
    }

    /// Waits until the guard lets somebody try.
    func waitForGuard() async throws {
        clock.advance(.seconds(try await state().guard.wait))
    }

    // MARK: Compartments

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil
    ) async throws -> TestClient.Answer { try await client.send(method, "/api/vault/\(path)", body, token: token) }

    /// All rows of one of the vault's lists, three hundred at a time.
    func pages<Row: Codable & Sendable>(of list: String) async throws -> [Row] {
        var (seen, next) = ([Row](), String?.none)
        repeat {
            let page = try await send(.get, list + "?limit=300" + (next.map { "&cursor=\($0)" } ?? ""))
                .decode(Listing<Row>.self)
            (seen, next) = (seen + page.items, page.next)
        } while next != nil && seen.count < 2 * Limits.listing
        return seen
    }

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
