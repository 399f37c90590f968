import CryptoProvider
import Encodings
import Foundation
import Interface

/// A member who listens and acts, from a loopback address of its own.
struct ListenersMember {
    /// An IPv4 address: the server bounds what comes from one.
    let address: UInt32
    let username: String
    private let server: ListenersServer
    private let token: String

    /// Signs a person up.
    ///
    /// - Parameters:
    ///   - number: from 0, another one for each.
    ///   - run: part of the name, so that a server may be measured again.
    init(number: Int, run: String, on server: ListenersServer) throws {
        self.server = server
        address = 0x7F00_0002 + UInt32(number)
        let (username, address) = ("listener-\(run)-\(number)", address)
        self.username = username
        func ask(_ path: String, _ body: some Encodable) throws -> JSON {
            try Self.ask(
                PagesVisitor.request("POST", path, host: server.host, body: try PagesVisitor.encoded(body)),
                port: server.port, from: address)
        }
        let options = try ask("/api/passkeys/registration", PasskeyRegistrationRequest(username: username))
        let authenticator = try BenchAuthenticator(origin: server.url, rpID: "localhost")
        let (signing, encryption) = (try SigningKey(), try EncryptionKey())
        let device = DeviceRegistration(
            name: "bench", signingKey: BenchAuthenticator.text(signing.publicKey.x963),
            encryptionKey: BenchAuthenticator.text(encryption.publicKey.x963),
            proof: try signing.signJWS(
                type: "\(Statement.deviceType)",
                payload: Statement.device(
                    audience: server.url, username: username, encryptionKey: encryption.publicKey,
                    time: Int64(Date().timeIntervalSince1970))))
        let passkey = authenticator.register(challenge: try PagesVisitor.text(options, "challenge"))
        let session = try ask(
            "/api/accounts", SignUpRequest(username: username, passkey: passkey, device: device))
        token = try PagesVisitor.text(session, "token")
    }

    /// Somebody without an account, at a bare server.
    init(number: Int, on server: ListenersServer) {
        (self.server, username, token) = (server, "", "")
        address = 0x7F00_0002 + UInt32(number)
    }

    /// The beginning of a stream of live updates.
    var listening: Bytes { token.isEmpty ? PagesVisitor.request("GET", "/events") : request("GET", "/api/events") }

    /// Opens a face-to-face check, without an event to anybody.
    ///
    /// - Returns: the act that gives the check up. The member is told of that.
    func prepare(_ lane: inout Lane) throws -> Bytes {
        let commitment = BenchAuthenticator.text(RandomBytes.make(32))
        try lane.send(
            request(
                "POST", "/api/enrolments",
                body: try PagesVisitor.encoded(EnrolmentRequest(commitment: commitment))))
        let id = try PagesVisitor.text(try JSON.parse(try Self.answer(&lane)), "id")
        return request("POST", "/api/enrolments/\(id)/abandon")
    }

    /// A request of this member as it goes over the wire.
    func request(
        _ method: String, _ path: String, body: Bytes = [], mediaType: String = "application/json"
    ) -> Bytes {
        let length = method == "POST" && body.isEmpty ? ["Content-Length: 0"] : []
        return PagesVisitor.request(
            method, path, host: server.host, fields: ["Authorization: Bearer \(token)"] + length, body: body,
            mediaType: mediaType)
    }

    /// Asks as this member, and waits for the answer.
    func ask(_ method: String, _ path: String, _ body: some Encodable) throws -> JSON {
        try Self.ask(request(method, path, body: try PagesVisitor.encoded(body)), port: server.port, from: address)
    }

    /// Sends a request over a connection of its own, and waits for the answer.
    ///
    /// - Parameter address: where it comes from, any if `nil`.
    static func ask(_ request: Bytes, port: Int, from address: UInt32? = nil) throws -> JSON {
        try JSON.parse(try answer(request, port: port, from: address))
    }

    static func answer(_ request: Bytes, port: Int, from address: UInt32? = nil) throws -> Bytes {
        var lane = try Lane(port: port, from: address)
        defer { close(lane.descriptor) }
        try lane.send(request)
        return try answer(&lane)
    }

    private static func answer(_ lane: inout Lane) throws -> Bytes {
        while true {
            if let body = try lane.receive() { return body }
        }
    }
}
