import CryptoProvider
import Encodings
import HTTPTypes
import Interface

@testable import Server

/// An authenticator in software: makes ES256 passkeys with attestation `none`, and assertions.
///
/// Attacks change its properties.
struct SoftAuthenticator: Sendable {
    /// Flags of authenticator data (WebAuthn Level 3 section 6.1).
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1)
        static let userVerified = Flags(rawValue: 4)
        static let backupEligible = Flags(rawValue: 8)
        static let backedUp = Flags(rawValue: 16)
        static let hasCredential = Flags(rawValue: 64)
    }

    /// The credential id.
    let id: Bytes
    var key: SigningKey
    var counter: UInt32 = 0
    /// As the options of the registration gave it, base64url.
    var userHandle: String?
    var flags: Flags = [.userPresent, .userVerified, .backupEligible, .backedUp]
    var origin = TestOrganisation.url
    var rpID = "localhost"
    /// The client data's type, when it is not the ceremony's.
    var type: String?
    /// Answers this challenge instead of the one asked, base64url.
    var challenge: String?
    var isCrossOrigin = false

    init() throws {
        id = RandomBytes.make(32)
        key = try SigningKey()
    }

    /// Makes a passkey and remembers whose it is.
    mutating func register(_ options: RegistrationOptions) -> PasskeyRegistration {
        userHandle = options.userID
        let point = key.publicKey.x963
        let cose: Bytes =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[1...32] + [0x22, 0x58, 0x20]
            + point[33...64]
        let data =
            authenticatorData(flags.union(.hasCredential)) + Bytes(repeating: 0, count: 16) + [0, UInt8(id.count)] + id
            + cose
        let object: Bytes =
            [0xA3, 0x63] + Bytes(text: "fmt") + [0x64] + Bytes(text: "none") + [0x67] + Bytes(text: "attStmt")
            + [0xA0, 0x68] + Bytes(text: "authData") + [0x58, UInt8(data.count)] + data
        return PasskeyRegistration(
            id: id.base64URL, clientData: clientData("webauthn.create", options.challenge).base64URL,
            attestationObject: object.base64URL, transports: ["internal", "hybrid"])
    }

    /// Answers a challenge, counting on if it counts.
    mutating func assert(_ options: AssertionOptions) throws -> PasskeyAssertion {
        if counter > 0 { counter += 1 }
        let data = authenticatorData(flags)
        let client = clientData("webauthn.get", options.challenge)
        let signature = try key.sign(data + SHA256.hash(client))
        return PasskeyAssertion(
            id: id.base64URL, clientData: client.base64URL, authenticatorData: data.base64URL,
            signature: Self.der(signature).base64URL, userHandle: userHandle)
    }

    private func authenticatorData(_ flags: Flags) -> Bytes {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
        return SHA256.hash(Bytes(text: rpID)) + [flags.rawValue] + count
    }

    private func clientData(_ type: String, _ challenge: String) -> Bytes {
        JSON.members([
            ("type", .text(self.type ?? type)), ("challenge", .text(self.challenge ?? challenge)),
            ("origin", .text(origin)), ("crossOrigin", .bool(isCrossOrigin)),
        ]).serialized()
    }

    /// r and s as a DER sequence of integers, as authenticators write them.
    private static func der(_ raw: Bytes) -> Bytes {
        let integers = [raw[0..<32], raw[32..<64]].flatMap { half -> Bytes in
            var digits = Bytes(half.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}

extension TestClient {
    func registrationOptions(_ username: String) async throws -> RegistrationOptions {
        try await send(.post, "/api/passkeys/registration", PasskeyRegistrationRequest(username: username))
            .decode(RegistrationOptions.self)
    }

    func signInOptions() async throws -> AssertionOptions {
        try await send(.post, "/api/passkeys/sign-in", NoMembers()).decode(AssertionOptions.self)
    }

    func ceremony(_ token: String) async throws -> AssertionOptions {
        try await send(.post, "/api/account/ceremonies", NoMembers(), token: token).decode(AssertionOptions.self)
    }

    /// Signs a person up with a passkey, and with a passphrase if wanted.
    func join(
        _ person: TestPerson, _ authenticator: inout SoftAuthenticator, passphrase: String? = nil
    ) async throws -> NewSession {
        let options = try await registrationOptions(person.username)
        let request = SignUpRequest(
            username: person.username, passphrase: passphrase, passkey: authenticator.register(options),
            device: try person.registration())
        return try await send(.post, "/api/accounts", request).decode(NewSession.self)
    }

    /// Signs in with a passkey, without a device.
    func signIn(_ authenticator: inout SoftAuthenticator) async throws -> NewSession {
        let assertion = try authenticator.assert(try await signInOptions())
        return try await send(.post, "/api/sessions/passkey", PasskeySignInRequest(assertion: assertion))
            .decode(NewSession.self)
    }

    func confirm(_ authenticator: inout SoftAuthenticator, _ token: String) async throws -> Answer {
        let assertion = try authenticator.assert(try await ceremony(token))
        return try await send(
            .post, "/api/account/confirmations", ConfirmationRequest(assertion: assertion), token: token)
    }

    /// Whether a session is still there.
    func isAlive(_ token: String) async throws -> Bool {
        try await send(.get, "/api/account", token: token).status == 200
    }
}

extension TestPerson {
    /// This device's answer to a challenge.
    func signInProof(_ nonce: String, by other: SigningKey? = nil) throws -> String {
        try (other ?? signing).signJWS(
            type: "\(Statement.signInType)",
            payload: Statement.signIn(
                audience: TestOrganisation.url, username: username, nonce: nonce, time: clock.clock.now()))
    }
}

extension NewSession {
    /// The device's id; empty without one.
    var deviceID: String { device?.id ?? "" }
}
