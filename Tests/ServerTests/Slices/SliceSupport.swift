import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Logging
import NIOCore
import Storage
import Testing
import Verification
import Workers

@testable import Server

/// A whole server without a socket, over a folder of its own, with a clock that stands still.
final class TestOrganisation: Sendable {
    static let url = "http://localhost:8080"
    let server: CountersignServer
    let clock = ManualClock()
    let folder: URL
    let database: TestDatabase
    /// Where its tables are.
    var place: DatabasePlace { database.place }
    /// The server whose folder and database this one shares.
    private let first: TestOrganisation?

    convenience init(witnesses: (any WitnessTransport)? = nil) async throws {
        try await self.init(sharing: nil, witnesses: witnesses)
    }

    /// A server whose blocking work is in the test's hands.
    convenience init(work: BlockingWork) async throws {
        try await self.init(sharing: nil, work: work)
    }

    /// A server whose documents and log are not in its folder.
    convenience init(stores: BlobStores) async throws {
        try await self.init(sharing: nil, stores: stores)
    }

    /// A server whose statements are counted.
    convenience init(counting count: StatementCount) async throws {
        let folder = try Self.newFolder()
        let database = try await TestDatabase(file: folder.appendingPathComponent("test.sqlite").path)
        try await self.init(folder: folder, database: database.counted(by: count), first: nil)
    }

    /// A server whose database and blobs fail as the test says.
    convenience init(faults: StorageFaults, slices: [Slice] = Slice.all) async throws {
        let folder = try Self.newFolder()
        let database = try await TestDatabase(file: folder.appendingPathComponent("test.sqlite").path)
        try await self.init(
            folder: folder, database: database.failing(as: faults), first: nil,
            stores: try await faults.stores(in: folder), slices: slices)
    }

    /// A server with settings of the test's own.
    convenience init(configuration: ServerConfiguration) async throws {
        let folder = try Self.newFolder()
        let database = try await TestDatabase(file: folder.appendingPathComponent("test.sqlite").path)
        try await self.init(folder: folder, database: database, first: nil, configuration: configuration)
    }

    /// A server whose ways out are in the test's hands.
    convenience init(
        egress: Egress, mail: (any MailTransport)?, configuration: ServerConfiguration = ServerConfiguration(),
        slices: [Slice] = Slice.all
    ) async throws {
        let folder = try Self.newFolder()
        let database = try await TestDatabase(file: folder.appendingPathComponent("test.sqlite").path)
        try await self.init(
            folder: folder, database: database, first: nil, slices: slices, egress: egress, mail: mail,
            configuration: configuration)
    }

    /// Another server of the same organisation, if one is given: only on PostgreSQL.
    convenience init(
        sharing first: TestOrganisation?, witnesses: (any WitnessTransport)? = nil, stores: BlobStores? = nil,
        work: BlockingWork = BlockingWork(Limits.work), slices: [Slice] = Slice.all, web: WebSource = .built,
        configuration: ServerConfiguration = ServerConfiguration()
    ) async throws {
        let folder = try first?.folder ?? Self.newFolder()
        let database =
            if let first { try await TestDatabase(sharing: first.database) } else {
                try await TestDatabase(file: folder.appendingPathComponent("test.sqlite").path)
            }
        try await self.init(
            folder: folder, database: database, first: first, witnesses: witnesses, stores: stores, work: work,
            slices: slices, web: web, configuration: configuration)
    }

    private static func newFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// A server on what is in a folder already.
    convenience init(
        folder: URL, place: DatabasePlace, stores: BlobStores? = nil, slices: [Slice] = Slice.all
    ) async throws {
        try await self.init(
            folder: folder, database: try await TestDatabase(at: place), first: nil, stores: stores, slices: slices)
    }

    private init(
        folder: URL, database: TestDatabase, first: TestOrganisation?, witnesses: (any WitnessTransport)? = nil,
        stores: BlobStores? = nil, work: BlockingWork = BlockingWork(Limits.work), slices: [Slice] = Slice.all,
        web: WebSource = .built, egress: Egress? = nil, mail: (any MailTransport)? = nil,
        configuration: ServerConfiguration = ServerConfiguration()
    ) async throws {
        (self.folder, self.database, self.first) = (folder, database, first)
        let directory = try DataDirectory.open(folder.path, isShared: TestDatabase.isPostgres)
        server = try await CountersignServer(
            configuration: configuration, directory: directory, publicURL: Self.url,
            parts: CountersignServer.Parts(
                clock: clock.clock, argon2: Argon2Workers(on: work, parameters: .forTests, limits: .forTests), web: web,
                witnesses: witnesses, egress: egress, mail: mail),
            database: database.database, stores: stores, slices: slices)
    }

    deinit {
        guard first == nil else { return }
        database.remove()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs requests against the server's real routes.
    func serve(_ body: @escaping @Sendable (TestClient) async throws -> Void) async throws {
        let application = Application(router: server.routes.router(server.shell, logLevel: .critical))
        try await application.test(.router) { try await body(TestClient(client: $0, organisation: self)) }
    }

    /// A person whose keys the test holds.
    func person(_ username: String, authority: SigningKey? = nil) throws -> TestPerson {
        try TestPerson(username: username, clock: clock, authority: authority)
    }
}

/// Keys and passphrase of a person.
struct TestPerson: Sendable {
    let username: String
    let signing: SigningKey
    let encryption: EncryptionKey
    let authority: SigningKey
    let clock: ManualClock
    var passphrase: String { "correct horse battery \(username)" }

    init(username: String, clock: ManualClock, authority: SigningKey? = nil) throws {
        self.username = username
        self.clock = clock
        signing = try SigningKey()
        encryption = try EncryptionKey()
        self.authority = try authority ?? SigningKey()
    }

    /// A registration of the device; the parameters are what attacks change.
    func registration(
        audience: String = TestOrganisation.url, provedBy key: SigningKey? = nil, as name: String? = nil,
        type: String = "\(Statement.deviceType)", age: Int64 = 0
    ) throws -> DeviceRegistration {
        let payload = Statement.device(
            audience: audience, username: name ?? username, encryptionKey: encryption.publicKey,
            time: clock.clock.now() - age)
        return DeviceRegistration(
            name: "test", signingKey: signing.publicKey.x963.base64URL,
            encryptionKey: encryption.publicKey.x963.base64URL,
            proof: try (key ?? signing).signJWS(type: type, payload: payload))
    }

    func signUp(invitation: String? = nil) throws -> SignUpRequest {
        SignUpRequest(
            username: username, name: username.capitalized, passphrase: passphrase, device: try registration(),
            invitation: invitation)
    }
}

/// Sends requests and reads answers.
struct TestClient: Sendable {
    let client: any TestClientProtocol
    let organisation: TestOrganisation

    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
        let mediaType: String
        let retryAfter: String?

        /// The last part of the problem's address.
        var problem: String? {
            guard mediaType == "application/problem+json",
                let type = try? JSON.parse(body)["type"]?.string
            else { return nil }
            return String(decoding: type, as: UTF8.self).split(separator: "/").last.map(String.init)
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            #expect(problem == nil, "\(String(decoding: body, as: UTF8.self))")
            return try StrictDecoder.decode(type, from: JSON.parse(body))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil, token: String? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        if let token { headers[.authorization] = "Bearer \(token)" }
        var buffer = ByteBuffer()
        if let body {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            buffer.writeBytes(try encoder.encode(body))
            headers[.contentType] = "application/json"
        }
        return try await client.execute(uri: path, method: method, headers: headers, body: buffer) { response in
            Answer(
                status: response.status.code, body: Array(response.body.readableBytesView),
                mediaType: response.headers[.contentType] ?? "", retryAfter: response.headers[.retryAfter])
        }
    }

    /// Sets the organisation up.
    func setUp(_ owner: TestPerson) async throws -> NewSession {
        try await send(.post, "/api/setup", setUpRequest(owner, code: organisation.server.environment.setUpCode))
            .decode(SetUpResult.self).session
    }

    func setUpRequest(_ owner: TestPerson, code: String) throws -> SetUpRequest {
        SetUpRequest(
            code: code, organisation: "Test University", username: owner.username, name: "Owner",
            passphrase: owner.passphrase, device: try owner.registration(),
            authorityKey: owner.authority.publicKey.x963.base64URL,
            authorityProof: try owner.authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: TestOrganisation.url, username: owner.username, time: owner.clock.clock.now())))
    }

    func invite(_ role: Role, token: String) async throws -> String {
        let invitation = try await send(
            .post, "/api/invitations", InvitationRequest(role: role, lifetime: 3_600), token: token
        ).decode(Invitation.self)
        return try #require(invitation.code)
    }

    /// Signs a person in who has a device.
    func signIn(_ person: TestPerson, device: String) async throws -> NewSession {
        try await signInAnswer(person, device: device).decode(NewSession.self)
    }

    /// The server's answer to a person who signs in.
    func signInAnswer(_ person: TestPerson, device: String) async throws -> Answer {
        let nonce = try await send(.post, "/api/sign-in", SignInNonceRequest(username: person.username))
            .decode(SignInNonce.self).nonce
        let proof = try person.signing.signJWS(
            type: "\(Statement.signInType)",
            payload: Statement.signIn(
                audience: TestOrganisation.url, username: person.username, nonce: nonce,
                time: organisation.clock.clock.now()))
        return try await send(
            .post, "/api/sessions",
            SignInRequest(
                username: person.username, passphrase: person.passphrase, device: device, proof: proof))
    }

    /// Signs a person up, by invitation or as a member.
    func join(_ person: TestPerson, invitation: String? = nil) async throws -> NewSession {
        try await send(.post, "/api/accounts", person.signUp(invitation: invitation)).decode(NewSession.self)
    }
}

extension LogPolicyRequest {
    /// A log policy as a main administrator signs it.
    static func signed(
        _ policy: String, version: Int64 = 1, by key: SigningKey, type: String = "\(SignedLogPolicy.type)",
        audience: String = TestOrganisation.url, time: Int64
    ) throws -> LogPolicyRequest {
        let payload = SignedLogPolicy.payload(
            audience: Bytes(text: audience), version: version, policy: Bytes(text: policy), time: time)
        return LogPolicyRequest(statement: try key.signJWS(type: type, payload: payload))
    }
}
