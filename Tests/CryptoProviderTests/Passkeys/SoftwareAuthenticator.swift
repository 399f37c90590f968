import CryptoProvider
import Encodings
import Passkeys

/// An authenticator and the browser around it, in software: everything is signed correctly, even the wrong statements
/// of a test.
struct SoftwareAuthenticator {
    let key: SigningKey
    var id = Bytes(1...32)
    var rpID = "example.org"
    var origin = "https://example.org"
    /// Present, verified.
    var flags: UInt8 = 0x05
    var count: UInt32 = 0
    var aaguid = Bytes(repeating: 0xA5, count: 16)
    var extensions: CBOR?
    /// Further members of the client data, as JSON text that begins with a comma.
    var clientMembers = #","crossOrigin":false"#
    /// The key in the authenticator data; its own if not set.
    var writtenKey: Bytes?

    init() throws { key = try SigningKey() }

    /// Authenticator data, hash of the client data.
    typealias Statement = @Sendable (_ data: Bytes, _ clientDataHash: Bytes) throws -> (format: String, statement: CBOR)

    struct Registration {
        var clientData: Bytes
        var object: Bytes
    }

    struct Assertion {
        var clientData: Bytes
        var data: Bytes
        var signature: Bytes
    }

    var point: Bytes { key.publicKey.x963 }

    /// The COSE key (RFC 9053 section 7.1).
    func coseKey(algorithm: Int64 = -7) -> Bytes {
        CBORWriter.encode(
            .numbered([
                (1, .unsigned(2)), (3, .number(algorithm)), (-1, .unsigned(1)), (-2, .bytes(Array(point[1..<33]))),
                (-3, .bytes(Array(point[33...]))),
            ]))
    }

    func clientData(_ type: String, _ challenge: Bytes) -> Bytes {
        let text = String(decoding: Base64.encode(challenge, .url), as: UTF8.self)
        return Bytes(text: #"{"type":"\#(type)","challenge":"\#(text)","origin":"\#(origin)"\#(clientMembers)}"#)
    }

    func authenticatorData(withCredential: Bool) -> Bytes {
        var data = SHA256.hash(Bytes(text: rpID))
        data.append(flags | (withCredential ? 0x40 : 0) | (extensions == nil ? 0 : 0x80))
        data += bigEndianBytes(UInt64(count)).suffix(4)
        if withCredential {
            data += aaguid + bigEndianBytes(UInt64(id.count)).suffix(2) + id + (writtenKey ?? coseKey())
        }
        if let extensions { data += CBORWriter.encode(extensions) }
        return data
    }

    /// Without attestation.
    static let none: Statement = { _, _ in ("none", .map([])) }

    /// With the new key itself.
    func selfAttestation(algorithm: Int64 = -7, by other: SigningKey? = nil) -> Statement {
        { data, hash in
            let signature = DERWriter.signature(try (other ?? key).sign(data + hash))
            return ("packed", .named([("alg", .number(algorithm)), ("sig", .bytes(signature))]))
        }
    }

    func register(
        _ challenge: Bytes, type: String = "webauthn.create", statement: Statement = none
    ) throws -> Registration {
        let clientData = clientData(type, challenge)
        let data = authenticatorData(withCredential: true)
        let (format, value) = try statement(data, SHA256.hash(clientData))
        let object = CBOR.named([
            ("fmt", .text(Bytes(text: format))), ("attStmt", value), ("authData", .bytes(data)),
        ])
        return Registration(clientData: clientData, object: CBORWriter.encode(object))
    }

    func assert(_ challenge: Bytes, type: String = "webauthn.get", by other: SigningKey? = nil) throws -> Assertion {
        let clientData = clientData(type, challenge)
        let data = authenticatorData(withCredential: false)
        let signature = try (other ?? key).sign(data + SHA256.hash(clientData))
        return Assertion(clientData: clientData, data: data, signature: DERWriter.signature(signature))
    }
}

/// The relying party that the tests play.
enum TestRelyingParty {
    static let party = RelyingParty(id: Bytes(text: "example.org"), origins: [Bytes(text: "https://example.org")])
    static let challenge = Bytes(100..<132)

    static func verify(
        _ registration: SoftwareAuthenticator.Registration, roots: [TrustedAttestationRoot] = [],
        requirements: PasskeyRequirements = PasskeyRequirements(), at time: Int64 = TestCertificate.time
    ) throws(PasskeyError) -> VerifiedRegistration {
        try UnverifiedRegistration(clientDataJSON: registration.clientData, attestationObject: registration.object)
            .verified(
                challenge: challenge, relyingParty: party, requirements: requirements, roots: roots, at: time,
                suite: SwiftCryptoSuite())
    }

    static func verify(
        _ assertion: SoftwareAuthenticator.Assertion, by credential: PasskeyCredential
    ) throws(PasskeyError) -> VerifiedAssertion {
        try UnverifiedAssertion(
            credentialID: credential.id, clientDataJSON: assertion.clientData, authenticatorData: assertion.data,
            signature: assertion.signature
        ).verified(
            by: credential, challenge: challenge, relyingParty: party, requirements: PasskeyRequirements(),
            suite: SwiftCryptoSuite())
    }
}
