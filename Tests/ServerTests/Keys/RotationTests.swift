import Certificates
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Logging
import Storage
import Testing

@testable import Server

@Suite("Keys of the server, rotated", .timeLimit(.minutes(5)))
struct RotationTests {
    private func inOrganisation(
        _ body: @escaping @Sendable (TestOrganisation, TestClient, NewSession) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await body(organisation, client, owner)
        }
    }

    private static func quiet(_ configuration: ServerConfiguration) -> ServerConfiguration {
        var configuration = configuration
        configuration.logLevel = .critical
        return configuration
    }

    /// The keys as a start would find them, by what the database says.
    private func reopen(_ organisation: TestOrganisation) async throws -> ServerKeys {
        let fingerprints = try await organisation.server.environment.database.read {
            try ServerKeyStore(transaction: $0).fingerprints()
        }
        return try ServerKeys.open(
            in: organisation.server.directory.path, for: try await organisation.stored(), fingerprints: fingerprints,
            random: .system)
    }

    private func rotation(_ organisation: TestOrganisation) throws -> KeyRotation {
        try KeyRotation(
            environment: organisation.server.environment, directory: organisation.server.directory.path)
    }

    @Test(
        "a server goes on with a key that another one has rotated, if it finds it; else it says which, and stops",
        .timeLimit(.minutes(5)), arguments: KeyRotation.Name.allCases)
    func replaced(name: KeyRotation.Name) async throws {
        try await inOrganisation { organisation, _, _ in
            let server = organisation.server
            let watch = KeyWatch(
                environment: server.environment,
                logger: Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } })
            let rotation = try rotation(organisation)
            let root = name.isCertified ? try await organisation.certificates.authority() : nil
            let secret = try await rotation.write(name)
            try await watch.check()
            #expect(!server.holds(secret, as: name))
            let running = Task { try await watch.run() }
            // The new one is in another server's folder.
            let next = organisation.keyFile(name.rawValue) + ".next"
            try FileManager.default.moveItem(atPath: next, toPath: next + ".elsewhere")
            _ = try await rotation.install(secret, as: name, by: root)
            // Whenever it begins to wait, a minute passes.
            let time = Task { [clock = organisation.clock] in
                while !Task.isCancelled {
                    clock.advance(.seconds(60))
                    await Task.yield()
                }
            }
            defer { time.cancel() }
            await #expect(throws: KeyWatch.Replaced(name: name.rawValue)) { try await running.value }
            // Told to read its settings again, it does not take a part of them.
            let settings = Self.quiet(server.configuration)
            await #expect(throws: ServerKeys.KeyError.foreign(name: name.rawValue)) {
                try await server.reload(settings)
            }
            #expect(server.settings.logLevel == .info)
            // The new one is here.
            try FileManager.default.moveItem(atPath: next + ".elsewhere", toPath: next)
            #expect(try await server.reload(settings).changed.contains("another key '\(name.rawValue)'"))
            #expect(server.holds(secret, as: name))
            try await watch.check()
        }
    }

    @Test("a crash between any two steps leaves the old key or the new one", arguments: KeyRotation.Name.allCases)
    func crash(name: KeyRotation.Name) async throws {
        try await inOrganisation { organisation, _, _ in
            let rotation = try rotation(organisation)
            let root = name.isCertified ? try await organisation.certificates.authority() : nil
            let path = organisation.keyFile(name.rawValue)
            let old = try Data(contentsOf: URL(fileURLWithPath: path))
            // Written, and nothing else.
            _ = try await rotation.write(name)
            _ = try await reopen(organisation)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == old)
            #expect(!FileManager.default.fileExists(atPath: path + ".next"))
            // Written and named by the database, but not in its place.
            let secret = try await rotation.write(name)
            _ = try await rotation.install(secret, as: name, by: root)
            _ = try await reopen(organisation)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(Hex.encode(secret) + [0x0A]))
            #expect(!FileManager.default.fileExists(atPath: path + ".next"))
            // The old one back in its place is refused.
            try old.write(to: URL(fileURLWithPath: path))
            await #expect(throws: ServerKeys.KeyError.foreign(name: name.rawValue)) { try await reopen(organisation) }
        }
    }

    @Test("a new code secret ends open invitations and links, says how many, and is in the log")
    func codeSecret() async throws {
        try await inOrganisation { organisation, client, owner in
            let code = try await client.invite(.administrator, token: owner.token)
            let rotation = try rotation(organisation)
            #expect(try await rotation.consequences(of: .codeSecret) == .init(invitations: 1, links: 0))
            #expect(try await rotation.consequences(of: .labelSecret) == .init())
            _ = try await rotation.rotate(.codeSecret)
            let answer = try await client.send(
                .post, "/api/accounts", organisation.person("registrar").signUp(invitation: code))
            #expect(answer.problem == "wrong-code")
            #expect(try await organisation.types().last == "key.rotated")
            #expect(try await rotation.consequences(of: .codeSecret) == .init())
        }
    }

    @Test("after another label secret everybody still finds all entries about herself")
    func labelSecret() async throws {
        try await inOrganisation { organisation, _, owner in
            let environment = organisation.server.environment
            let fingerprint = environment.serverKeys.fingerprints["label-secret"]
            _ = try await rotation(organisation).rotate(.labelSecret)
            let before = try await environment.log.entries(account: owner.account.id)
            let secret = try await reopen(organisation).secret(.labelSecret)
            #expect(secret == environment.keys.secret(.labelSecret))
            #expect(ServerKeys.fingerprint(of: secret, named: "label-secret") != fingerprint)
            let later = try await TransparencyLog(
                .init(
                    store: try await DirectoryBlobStore(organisation.server.directory.file("log")),
                    origin: "localhost:8080/log",
                    keys: environment.serverKeys.logKeys, labelSecret: { secret }, database: environment.database,
                    random: .system))
            let now = environment.now()
            let event = TrustEvent(.keyRotated, account: owner.account.id, [("key", .text("test"))])
            let index = try await environment.database.write { try later.record(event, in: $0, now: now) }
            let mine = try await later.entries(account: owner.account.id)
            #expect(mine.items.count == before.items.count + 1 && mine.items.first?.index == index)
        }
    }

    @Test("a crash that leaves the log's next key beside itself does not make one key sign twice")
    func logKeyTwice() async throws {
        try await inOrganisation { organisation, _, _ in
            let path = organisation.keyFile("log")
            try FileManager.default.copyItem(atPath: path, toPath: path + ".next")
            #expect(try await reopen(organisation).logKeys.count == 1)
            try organisation.server.environment.readLogKeys()
            #expect(organisation.server.environment.log.signer.verifierKeys.count == 1)
        }
    }

    @Test("a new status key takes the root; tokens of the old one still verify, for their time")
    func status() async throws {
        try await inOrganisation { organisation, _, _ in
            let environment = organisation.server.environment
            let before = try await organisation.stored()
            let rotation = try rotation(organisation)
            await #expect(throws: RootKey.Missing.offline) { try await rotation.rotate(.status) }
            #expect(try await organisation.stored().certificates == before.certificates)
            var random = RandomSource.system
            let stranger = try SigningKey()
            let other = try IssuingAuthority(
                key: stranger,
                certificate: CertificateIssuer.root(
                    organisation: before.name, publicURL: before.publicURL, key: stranger, notBefore: before.created,
                    random: &random))
            await #expect(throws: RootTravel.TravelError.otherRoot) {
                try await rotation.rotate(.status, by: other)
            }
            let idle = try await reopen(organisation)
            _ = try await rotation.rotate(.status, by: organisation.certificates.authority())
            let after = try await organisation.stored()
            let certificates = try [before, after].map { try #require(try $0.certificate(.statusSigner)) }
            #expect(certificates[0].publicKey != certificates[1].publicKey)
            // Another server that has looked at nothing since finds it, too, when it has to sign.
            for keys in [try await reopen(organisation), environment.serverKeys, idle] {
                #expect(keys.signer(.status, publicKey: certificates[1].publicKey) != nil)
                #expect(keys.signer(.status, publicKey: certificates[0].publicKey) == nil)
            }
            let now = environment.now()
            for certificate in certificates {
                let verdict = try await opensslVerify(
                    [certificate.der], root: after.root.certificate.der, at: now + 86_400)
                #expect(verdict == "leaf: OK\n")
            }
        }
    }

    @Test("all sessions end, and what would give one")
    func sessions() async throws {
        try await inOrganisation { organisation, client, owner in
            let alice = try await client.join(organisation.person("alice"))
            #expect(try await SessionsAtRest(of: organisation.server).endAll() == 2)
            for token in [owner.token, alice.token] {
                #expect(try await client.send(.get, "/api/account", token: token).problem == "unauthenticated")
            }
            #expect(try await SessionsAtRest(of: organisation.server).endAll() == 0)
        }
    }

    @Test("a live-update stream ends with its session's time, and gets nothing after it")
    func expiredStream() async throws {
        let clock = ManualClock()
        let hub = EventHub(clock: clock.clock)
        let now = clock.clock.now()
        func principal(_ account: String, _ expires: Int64) -> Principal {
            Principal(account: account, role: .member, session: account, device: nil, expires: expires)
        }
        let short = try hub.subscribe(principal("short", now + 60))
        let long = try hub.subscribe(principal("long", now + 6_000))
        hub.publish(LiveEvent(kind: "request", id: "1", state: "x"), to: .accounts(["short", "long"]))
        clock.advance(.seconds(60))
        // An event first: nothing may pass before the next heartbeat.
        hub.publish(LiveEvent(kind: "request", id: "2", state: "x"), to: .accounts(["short", "long"]))
        #expect(hub.count == 1)
        clock.advance(.seconds(6_000))
        hub.beat()
        #expect(hub.count == 0)
        var received: [[String]] = []
        for stream in [short, long] {
            var ids: [String] = []
            for await case .event(let event) in stream { ids.append(event.id) }
            received.append(ids)
        }
        #expect(received == [["1"], ["1", "2"]])
    }
}

extension CountersignServer {
    /// Whether this running server uses a key.
    fileprivate func holds(_ secret: Bytes, as name: KeyRotation.Name) -> Bool {
        guard let kind = name.key.certificate else {
            return environment.serverKeys.secret(name.key) == secret
        }
        let key = try? SigningKey(rawRepresentation: secret).publicKey
        return environment.keys.certified.contains { $0.kind == kind && $0.publicKey == key }
    }
}
