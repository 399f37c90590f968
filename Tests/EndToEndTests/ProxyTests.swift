import AsyncHTTPClient
import CryptoProvider
import Encodings
import Foundation
import Interface
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import Wallet
@testable import countersign

/// The server behind nginx, each with the files of `deploy/`.
@Suite("Behind nginx", .timeLimit(.minutes(15)))
struct ProxyTests {
    private static let needed: Comment = "Needs nginx: scripts/install-dependencies test."

    /// A server with the settings of `deploy/countersign.json`, its proxy, and clients that trust that.
    private struct Stage {
        let folder: TemporaryFolder
        let proxy: Proxy
        let server: DemoServer
        let direct: Int
        let http: HTTPClient
        var client: ServerClient { get throws { ServerClient(address: try ServerAddress(proxy.url), http: http) } }

        init() async throws {
            folder = try TemporaryFolder()
            direct = try DemoServer.freePort()
            let port = try DemoServer.freePort()
            proxy = try await Proxy(folder: folder, upstream: direct, port: port)
            // Flags go before the file: only the place, the port and the address are others.
            server = try DemoServer(
                directory: folder.path("server"), port: direct, program: Program.countersign,
                settings: [
                    "--config", Program.repository.appendingPathComponent("deploy/countersign.json").path,
                    "--public-url", proxy.url,
                ])
            try await proxy.waitUntilListening()
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(proxy.certificate))
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
            configuration.httpVersion = .http1Only
            http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        /// Runs a test on it.
        static func run(_ body: (Stage) async throws -> Void) async throws {
            let stage = try await Stage()
            let result: Result<Void, any Error>
            do { result = .success(try await body(stage)) } catch { result = .failure(error) }
            try await stage.http.shutdown()
            stage.proxy.stop()
            stage.server.stop()
            try result.get()
        }

        func answer(
            _ url: String, method: String = "GET", body: Bytes? = nil
        ) async throws -> (
            status: Int, headers: [String: String], body: Bytes
        ) {
            var request = HTTPClientRequest(url: url)
            request.method = .init(rawValue: method)
            if let body {
                request.headers.add(name: "content-type", value: "application/json")
                request.body = .bytes(ByteBuffer(bytes: body))
            }
            let response = try await http.execute(request, timeout: .seconds(60))
            let bytes = Bytes(buffer: try await response.body.collect(upTo: 1 << 20))
            let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
            return (Int(response.status.code), headers, bytes)
        }
    }

    /// A person's keys, registered by hand.
    private struct Keys {
        let signing: SigningKey
        let encryption: EncryptionKey

        init() throws {
            signing = try SigningKey()
            encryption = try EncryptionKey()
        }

        func device(_ username: String, audience: String) throws -> DeviceRegistration {
            let proof = try signing.signJWS(
                type: "\(Statement.deviceType)",
                payload: Statement.device(
                    audience: audience, username: username, encryptionKey: encryption.publicKey, time: systemTime()))
            return DeviceRegistration(
                name: "test", signingKey: signing.publicKey.x963.base64URL,
                encryptionKey: encryption.publicKey.x963.base64URL, proof: proof)
        }
    }

    private static let passphrase = "a passphrase that is long enough"

    private static func signUp(_ username: String, _ client: ServerClient) async throws -> NewSession {
        try await client.signUp(
            SignUpRequest(
                username: username, name: "Somebody", passphrase: passphrase,
                device: try Keys().device(username, audience: client.address.text)))
    }

    /// Sets up, signs out and in again, all through the proxy.
    private static func signIn(_ stage: Stage) async throws -> ServerClient {
        let (client, keys, authority) = try (stage.client, Keys(), SigningKey())
        let url = client.address.text
        let made = try await client.setUp(
            SetUpRequest(
                code: stage.server.setUpCode, organisation: "Proxy University", username: "olivia", name: "Olivia",
                passphrase: passphrase, device: try keys.device("olivia", audience: url),
                authorityKey: authority.publicKey.x963.base64URL,
                authorityProof: try authority.signJWS(
                    type: "\(Statement.authorityType)",
                    payload: Statement.authority(audience: url, username: "olivia", time: systemTime()))))
        try await client.with(token: SessionToken(made.session.token)).endSession("current")
        let challenge = try await client.nonce(SignInNonceRequest(username: "olivia"))
        let session = try await client.signIn(
            SignInRequest(
                username: "olivia", passphrase: passphrase, device: try #require(made.session.device?.id),
                proof: try keys.signing.signJWS(
                    type: "\(Statement.signInType)",
                    payload: Statement.signIn(
                        audience: url, username: "olivia", nonce: challenge.nonce, time: systemTime()))))
        return client.with(token: SessionToken(session.token))
    }

    @Test(
        "somebody signs in, acts, and hears at once of what another does",
        .enabled(if: Proxy.program != nil, needed))
    func liveUpdates() async throws {
        try await Stage.run { stage in
            let owner = try await Self.signIn(stage)
            // The head comes at once, and so does each event, while the stream stays open.
            let events = try await owner.connectedEvents()
            let stranger = try await Self.signUp("stella", try stage.client)
            #expect(stranger.receipt != nil)
            var heard: LiveEvent?
            for await event in events where event.kind == "account" {
                heard = event
                break
            }
            #expect(heard?.id == stranger.account.id && heard?.state == "created")
        }
    }

    @Test(
        "limits count by the address of who is connected, and what a client claims is thrown away",
        .enabled(if: Proxy.program != nil, needed))
    func addresses() async throws {
        try await Stage.run { stage in
            _ = try await Self.signIn(stage)
            let script = Program.repository.appendingPathComponent("Tests/Interop/proxy/addresses.py").path
            let outcome = try await Program.runAside(
                Program.python, [script, String(stage.proxy.port), stage.proxy.certificate])
            let found = try JSON.parse(Bytes(text: outcome.output))
            #expect(found["here"]?.array?.compactMap(\.integer) == [200, 429], "\(outcome)")
            #expect(found["there"]?.array?.compactMap(\.integer) == [200], "\(outcome)")
        }
    }

    @Test(
        "pages and headers as the server gives them; too much is refused with words, metrics to everybody, plain HTTP",
        .enabled(if: Proxy.program != nil, needed))
    func pages() async throws {
        try await Stage.run { stage in
            let (url, direct) = (stage.proxy.url, "http://localhost:\(stage.direct)")
            // Headers that differ by connection or time.
            let own = ["date", "server", "connection", "transfer-encoding", "content-length", "x-request-id"]
            for path in ["/", "/setup", "/shell/style.css", "/api/organisation", "/openapi.json"] {
                let (shown, given) = try await (stage.answer(url + path), stage.answer(direct + path))
                #expect(shown.status == given.status, "\(path)")
                for (name, value) in given.headers where !own.contains(name) {
                    #expect(shown.headers[name] == value, "\(path) \(name)")
                }
                #expect(Set(shown.headers.keys).subtracting(given.headers.keys).subtracting(own).isEmpty, "\(path)")
            }
            #expect(try await stage.answer(direct + "/metrics").status == 200)
            #expect(try await stage.answer(url + "/metrics").status == 404)
            let large = Bytes(repeating: 0x20, count: 100_000)
            let refused = try await stage.answer(url + "/api/accounts", method: "POST", body: large)
            #expect(refused.status == 413 && refused.headers["content-type"] == "application/problem+json")
            let plain = try await stage.answer("http://localhost:\(stage.proxy.plainPort)/verify?a=b")
            #expect(plain.status == 301 && plain.headers["location"] == "https://localhost/verify?a=b")
        }
    }
}
