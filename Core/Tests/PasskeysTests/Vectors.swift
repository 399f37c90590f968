import EllipticCurves
import Encodings
import Foundation
import Passkeys
import Testing

/// Our own curves: P-256 with SHA-256, and nothing else.
struct TestSuite: PasskeyCryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        P256.isValidSignature(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes {
        algorithm == .sha256 ? SHA256.hash(bytes) : []
    }

    func isOnCurve(_ publicKey: Bytes, _ curve: COSECurve) -> Bool {
        curve == .p256 && P256.isOnCurve(publicKey: publicKey)
    }

    func isValidECDSA(
        _ signature: Bytes, over message: Bytes, publicKey: Bytes, curve: COSECurve, digest: DigestAlgorithm
    ) -> Bool {
        curve == .p256 && digest == .sha256 && isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidRSA(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes, digest: DigestAlgorithm
    ) -> Bool { false }
}

/// One credential of WebAuthn Level 3 section 16, to be spoilt by tests.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let credentialID: Bytes
    var registration: Answer
    var assertion: Answer
    var userVerification: Bool
    var relyingParty = Vector.relyingParty()

    /// A browser's answer: the attestation object, or authenticator data and signature.
    struct Answer: Sendable {
        var challenge: Bytes
        var clientData: Bytes
        var object: Bytes
        var signature: Bytes = []

        /// Replaces text in the client data, which must be there.
        mutating func replace(_ old: String, _ new: String) throws {
            let text = String(decoding: clientData, as: UTF8.self)
            try #require(text.contains(old))
            clientData = Bytes(text: text.replacing(old, with: new))
        }
    }

    var testDescription: String { name }

    /// 2027-01-01T00:00:00Z.
    static let time: Int64 = 1_798_761_600

    static func relyingParty(
        id: String = "example.org", origins: [String] = ["https://example.org"],
        topOrigins: [String] = ["https://example.com"], unnamed: Bool = true
    ) -> RelyingParty {
        RelyingParty(
            id: Bytes(text: id), origins: origins.map { Bytes(text: $0) },
            topOrigins: topOrigins.map { Bytes(text: $0) },
            allowsUnnamedTopOrigin: unnamed)
    }

    var requirements: PasskeyRequirements { PasskeyRequirements(userVerification: userVerification) }

    func register(
        roots: [TrustedAttestationRoot] = Vectors.roots, requirements: PasskeyRequirements? = nil,
        at time: Int64 = Vector.time, suite: some PasskeyCryptoSuite = TestSuite()
    ) throws(PasskeyError) -> VerifiedRegistration {
        try UnverifiedRegistration(clientDataJSON: registration.clientData, attestationObject: registration.object)
            .verified(
                challenge: registration.challenge, relyingParty: relyingParty,
                requirements: requirements ?? self.requirements, roots: roots, at: time, suite: suite)
    }

    func assert(
        by credential: PasskeyCredential, suite: some PasskeyCryptoSuite = TestSuite()
    ) throws(PasskeyError) -> VerifiedAssertion {
        try UnverifiedAssertion(
            credentialID: credentialID, clientDataJSON: assertion.clientData, authenticatorData: assertion.object,
            signature: assertion.signature
        ).verified(
            by: credential, challenge: assertion.challenge, relyingParty: relyingParty, requirements: requirements,
            suite: suite)
    }

    /// The place of the authenticator data in the attestation object: they begin with the hash of the RP ID.
    func authenticatorDataOffset() throws -> Int {
        let hash = SHA256.hash(Bytes(text: "example.org"))
        let range = try #require(registration.object.firstRange(of: hash))
        return range.lowerBound
    }
}

/// The vectors of the specification; `Fixtures/README.md` tells where they are from.
enum Vectors {
    /// All 15, and the root of their attestations.
    private static let file: (root: Bytes, all: [Vector]) = {
        guard let folder = Bundle.module.resourceURL,
            let data = try? Data(contentsOf: folder.appending(path: "Fixtures/webauthn-l3.json")),
            let json = try? JSON.parse(Bytes(data)), let root = hex(json["root"]), let list = json["vectors"]?.array
        else { return ([], []) }
        return (root, list.compactMap(vector))
    }()

    static var all: [Vector] { file.all }
    static var roots: [TrustedAttestationRoot] { (try? [TrustedAttestationRoot(der: file.root)]) ?? [] }
    static var rootDER: Bytes { file.root }

    /// The vector whose name begins so.
    static func named(_ prefix: String) throws -> Vector {
        try #require(all.first { $0.name.hasPrefix(prefix) })
    }

    static func none() throws -> Vector { try named("ES256 Credential with No Attestation") }
    static func selfSigned() throws -> Vector { try named("ES256 Credential with Self Attestation") }
    static func packed() throws -> Vector { try named("Packed Attestation with ES256") }

    private static func hex(_ value: JSON?) -> Bytes? { value?.string.flatMap { Hex.decode($0) } }

    private static func vector(_ json: JSON) -> Vector? {
        guard let name = json["name"]?.string, let registration = json["registration"],
            let assertion = json["authentication"], let id = hex(registration["credential_id"]),
            let challenge = hex(registration["challenge"]), let client = hex(registration["clientDataJSON"]),
            let object = hex(registration["attestationObject"]), let second = hex(assertion["challenge"]),
            let secondClient = hex(assertion["clientDataJSON"]), let data = hex(assertion["authenticatorData"]),
            let signature = hex(assertion["signature"]),
            let start = object.firstRange(of: SHA256.hash(Bytes(text: "example.org")))
        else { return nil }
        let flags = object[start.lowerBound + 32] & data[32]
        return Vector(
            name: String(decoding: name, as: UTF8.self), credentialID: id,
            registration: .init(challenge: challenge, clientData: client, object: object),
            assertion: .init(challenge: second, clientData: secondClient, object: data, signature: signature),
            userVerification: flags & 4 != 0)
    }
}
