import CryptoProvider
import Encodings
import Foundation
import Interface

/// The main administrator of a fresh organisation, with a passkey; makes requests as a page sends them.
struct PagesVisitor: Sendable {
    /// The server's name for itself.
    ///
    /// The port is not the one that it listens on; nothing depends on that.
    static let url = "http://localhost:8080"
    private static let username = "owner"

    private let load: LoadGenerator
    private let authenticator: BenchAuthenticator
    private let userHandle: String

    /// Sets the organisation up.
    init(load: LoadGenerator, code: String) async throws {
        self.load = load
        authenticator = try BenchAuthenticator(origin: Self.url, rpID: "localhost")
        let options = try await Self.ask(
            load, "/api/passkeys/registration", PasskeyRegistrationRequest(username: Self.username))
        userHandle = try Self.text(options, "user_id")
        let (signing, encryption, authority) = (try SigningKey(), try EncryptionKey(), try SigningKey())
        let now = Int64(Date().timeIntervalSince1970)
        let device = DeviceRegistration(
            name: "bench", signingKey: BenchAuthenticator.text(signing.publicKey.x963),
            encryptionKey: BenchAuthenticator.text(encryption.publicKey.x963),
            proof: try signing.signJWS(
                type: "\(Statement.deviceType)",
                payload: Statement.device(
                    audience: Self.url, username: Self.username, encryptionKey: encryption.publicKey, time: now)))
        _ = try await Self.ask(
            load, "/api/setup",
            SetUpRequest(
                code: code, organisation: "Bench", username: Self.username, name: "Owner", passphrase: nil,
                passkey: authenticator.register(challenge: try Self.text(options, "challenge")), device: device,
                authorityKey: BenchAuthenticator.text(authority.publicKey.x963),
                authorityProof: try authority.signJWS(
                    type: "\(Statement.authorityType)",
                    payload: Statement.authority(audience: Self.url, username: Self.username, time: now))))
    }

    /// The request for the account, with the cookie of a new session: an account has few, sign-ins end the oldest.
    func read() async throws -> Bytes {
        Self.request("GET", "/api/account", fields: ["Cookie: countersign=\(try await token())"])
    }

    /// Asks as the main administrator, in a new session.
    func ask(_ path: String, _ body: some Encodable) async throws -> JSON {
        let request = Self.request(
            "POST", path, fields: ["Authorization: Bearer \(try await token())"], body: try Self.encoded(body))
        guard let answer = try await load.each([request]).bodies.first else { throw LoadGenerator.Failure.noAnswer }
        return try JSON.parse(answer)
    }

    private func token() async throws -> String {
        guard let request = try await signIns(1).first, let answer = try await load.each([request]).bodies.first else {
            throw LoadGenerator.Failure.noAnswer
        }
        return try Self.text(try JSON.parse(answer), "token")
    }

    /// Sign-ins that are ready to be sent, each over a challenge of its own.
    func signIns(_ count: Int) async throws -> [Bytes] {
        let ask = Self.request("POST", "/api/passkeys/sign-in", body: Bytes(text: "{}"))
        return try await load.each([Bytes](repeating: ask, count: count)).bodies.map { answer in
            let challenge = try Self.text(try JSON.parse(answer), "challenge")
            let assertion = try authenticator.assert(challenge: challenge, userHandle: userHandle)
            return Self.request(
                "POST", "/api/sessions/passkey", body: try Self.encoded(PasskeySignInRequest(assertion: assertion)))
        }
    }

    /// A request as it goes over the wire.
    static func request(
        _ method: String, _ path: String, host: String = "localhost:8080", fields: [String] = [], body: Bytes = [],
        mediaType: String = "application/json"
    ) -> Bytes {
        let length = body.isEmpty ? [] : ["Content-Type: \(mediaType)", "Content-Length: \(body.count)"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields + length
        return Bytes(text: lines.joined(separator: "\r\n") + "\r\n\r\n") + body
    }

    private static func ask(_ load: LoadGenerator, _ path: String, _ body: some Encodable) async throws -> JSON {
        let outcome = try await load.each([request("POST", path, body: try encoded(body))])
        guard let answer = outcome.bodies.first else { throw LoadGenerator.Failure.noAnswer }
        return try JSON.parse(answer)
    }

    static func encoded(_ value: some Encodable) throws -> Bytes {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return Bytes(try encoder.encode(value))
    }

    static func text(_ json: JSON, _ name: StaticString) throws -> String {
        guard let value = json[name]?.string else { throw LoadGenerator.Failure.noAnswer }
        return String(decoding: value, as: UTF8.self)
    }
}
