import CryptoProvider
import Encodings
import Foundation
import Passkeys
import Testing

/// A credential of WebAuthn Level 3 section 16; the file and its licence: `Core/Tests/PasskeysTests/Fixtures/README.md`.
struct PasskeyVector: Sendable, CustomTestStringConvertible {
    let name: String
    let credentialID: Bytes
    let registration: (challenge: Bytes, clientData: Bytes, object: Bytes)
    let assertion: (challenge: Bytes, clientData: Bytes, data: Bytes, signature: Bytes)

    var testDescription: String { name }

    private static let file: JSON? = {
        let path = "Core/Tests/PasskeysTests/Fixtures/webauthn-l3.json"
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: repository.appending(path: path)) else { return nil }
        return try? JSON.parse(Bytes(data))
    }()

    static let root = hex(file?["root"])
    static let all: [PasskeyVector] = (file?["vectors"]?.array ?? []).map { json in
        let (first, second) = (json["registration"], json["authentication"])
        return PasskeyVector(
            name: String(decoding: json["name"]?.string ?? [], as: UTF8.self),
            credentialID: hex(first?["credential_id"]),
            registration: (
                hex(first?["challenge"]), hex(first?["clientDataJSON"]), hex(first?["attestationObject"])
            ),
            assertion: (
                hex(second?["challenge"]), hex(second?["clientDataJSON"]), hex(second?["authenticatorData"]),
                hex(second?["signature"])
            ))
    }

    private static func hex(_ value: JSON?) -> Bytes { value?.string.flatMap { Hex.decode($0) } ?? [] }

    /// The vectors that we support: all but Ed448.
    static var supported: [PasskeyVector] { all.filter { !$0.name.contains("Ed448") } }

    private static let party = RelyingParty(
        id: Bytes(text: "example.org"), origins: [Bytes(text: "https://example.org")],
        topOrigins: [Bytes(text: "https://example.com")], allowsUnnamedTopOrigin: true)
    /// Some vectors were made without user verification.
    private static let requirements = PasskeyRequirements(userVerification: false)

    func register(
        _ object: Bytes? = nil, clientData: Bytes? = nil, challenge: Bytes? = nil
    ) throws(PasskeyError) -> VerifiedRegistration {
        try UnverifiedRegistration(
            clientDataJSON: clientData ?? registration.clientData, attestationObject: object ?? registration.object
        ).verified(
            challenge: challenge ?? registration.challenge, relyingParty: Self.party, requirements: Self.requirements,
            roots: [try TrustedAttestationRoot(der: Self.root)], at: TestCertificate.time, suite: SwiftCryptoSuite())
    }

    func assert(
        by credential: PasskeyCredential, clientData: Bytes? = nil, data: Bytes? = nil, signature: Bytes? = nil
    ) throws(PasskeyError) -> VerifiedAssertion {
        try UnverifiedAssertion(
            credentialID: credentialID, clientDataJSON: clientData ?? assertion.clientData,
            authenticatorData: data ?? assertion.data, signature: signature ?? assertion.signature
        ).verified(
            by: credential, challenge: assertion.challenge, relyingParty: Self.party, requirements: Self.requirements,
            suite: SwiftCryptoSuite())
    }
}

@Suite("Passkeys: the vectors of WebAuthn Level 3")
struct PasskeyVectorTests {
    @Test("All 15 are there, and 14 are supported")
    func count() {
        #expect(PasskeyVector.all.count == 15)
        #expect(PasskeyVector.supported.count == 14)
    }

    @Test("Registration, attestation up to the root, and assertion verify", arguments: PasskeyVector.supported)
    func vectors(vector: PasskeyVector) throws {
        let verified = try vector.register()
        #expect(verified.credential.id == vector.credentialID)
        switch verified.attestation {
        case .certified(let format, let root):
            #expect(root == SHA256.hash(PasskeyVector.root))
            let written = String(decoding: format.name, as: UTF8.self).prefix(5)
            #expect(vector.name.lowercased().replacing(" ", with: "-").contains(written))
        case .selfSigned: #expect(vector.name == "ES256 Credential with Self Attestation")
        case .none: #expect(vector.name.hasPrefix("ES256 Credential with"))
        case .unrooted: Issue.record("a root is configured")
        }
        let assertion = try vector.assert(by: verified.credential)
        #expect(assertion.signCount == 0)
    }

    @Test("Ed448 is refused by name")
    func ed448() throws {
        let vector = try #require(PasskeyVector.all.first { $0.name.contains("Ed448") })
        #expect(throws: PasskeyError.ed448) { try vector.register() }
    }

    @Test("Every flipped byte of a signed answer is refused", arguments: PasskeyVector.supported)
    func flips(vector: PasskeyVector) throws {
        let credential = try vector.register().credential
        for (index, bit) in places(in: vector.assertion.data) {
            var spoilt = vector.assertion.data
            spoilt[index] ^= bit
            #expect(throws: PasskeyError.self) { try vector.assert(by: credential, data: spoilt) }
        }
        for (index, bit) in places(in: vector.assertion.signature) {
            var spoilt = vector.assertion.signature
            spoilt[index] ^= bit
            #expect(throws: PasskeyError.badSignature) { try vector.assert(by: credential, signature: spoilt) }
        }
        for index in vector.assertion.clientData.indices {
            var spoilt = vector.assertion.clientData
            spoilt[index] ^= 1
            #expect(throws: PasskeyError.self) { try vector.assert(by: credential, clientData: spoilt) }
        }
    }

    @Test(
        "Every flipped byte of an attested registration is refused",
        arguments: PasskeyVector.supported.filter { vector in
            !vector.name.hasPrefix("ES256 Credential") || vector.name.contains("Self")
        })
    func attestedFlips(vector: PasskeyVector) throws {
        for index in vector.registration.object.indices {
            if isUncovered(index, of: vector) { continue }
            var spoilt = vector.registration.object
            spoilt[index] ^= 1 << UInt8(index % 8)
            #expect(throws: PasskeyError.self, "byte \(index)") { try vector.register(spoilt) }
        }
        for index in vector.registration.clientData.indices {
            var spoilt = vector.registration.clientData
            spoilt[index] ^= 1
            #expect(throws: PasskeyError.self, "byte \(index)") { try vector.register(clientData: spoilt) }
        }
    }

    @Test("An attestation object cut anywhere is refused", arguments: PasskeyVector.all)
    func cuts(vector: PasskeyVector) {
        for length in 0..<vector.registration.object.count {
            #expect(throws: PasskeyError.self) { try vector.register(Array(vector.registration.object.prefix(length))) }
        }
    }

    /// Every byte, and a high and a low bit there.
    private func places(in bytes: Bytes) -> [(Int, UInt8)] {
        bytes.indices.flatMap { index in [(index, UInt8(0x01)), (index, UInt8(0x80))] }
    }

    /// U2F signs neither flags nor counter nor model (WebAuthn Level 3 section 6.1.2).
    private func isUncovered(_ index: Int, of vector: PasskeyVector) -> Bool {
        guard vector.name.contains("U2F"),
            let start = vector.registration.object.firstRange(of: SHA256.hash(Bytes(text: "example.org")))?.lowerBound
        else { return false }
        return (32..<53).contains(index - start)
    }
}
