import Encodings
import Passkeys
import Testing

/// The vectors as far as P-256 reaches; `CryptoProviderTests` runs them all.
@Suite("Vectors of WebAuthn Level 3, on our own curve")
struct VectorTests {
    @Test("All 15 are there")
    func count() {
        #expect(Vectors.all.count == 15)
        #expect(Vectors.roots.count == 1)
    }

    @Test("A registration verifies up to the root of the vectors", arguments: Vectors.all)
    func registrations(vector: Vector) throws {
        if vector.name.contains("Ed448") {
            #expect(throws: PasskeyError.ed448) { try vector.register() }
            return
        }
        if vector.name.contains("ES384") || vector.name.contains("ES512") {
            // This suite has no such curve and must not wave it through.
            #expect(throws: PasskeyError.pointNotOnCurve) { try vector.register() }
            return
        }
        let verified = try vector.register()
        #expect(verified.credential.id == vector.credentialID)
        #expect(verified.credential.signCount == 0)
        #expect(verified.credential.aaguid.count == 16)
        switch verified.attestation {
        case .certified(let format, let root):
            #expect(root == SHA256.hash(Vectors.rootDER))
            #expect(vector.registration.object.firstRange(of: format.name) != nil)
        case .selfSigned: #expect(vector.name.contains("Self Attestation"))
        case .none: #expect(vector.name.hasPrefix("ES256 Credential with"))
        case .unrooted: Issue.record("has a root")
        }
    }

    @Test(
        "An assertion verifies by the registered key",
        arguments: Vectors.all.filter { vector in
            !["ES384", "ES512", "RS256", "Ed25519", "Ed448"].contains { vector.name.contains($0) }
        })
    func assertions(vector: Vector) throws {
        let credential = try vector.register().credential
        let verified = try vector.assert(by: credential)
        #expect(verified.signCount == 0)
        #expect(verified.isBackedUp == (vector.assertion.object[32] & 0x10 != 0))
        #expect(credential.updated(by: verified).isBackedUp == verified.isBackedUp)
        let stored = PasskeyCredential(
            id: credential.id, publicKey: try COSEKey(cose: credential.publicKey.cose), signCount: 0,
            isBackupEligible: credential.isBackupEligible, isBackedUp: false, aaguid: credential.aaguid)
        #expect(try vector.assert(by: stored) == verified)
    }

    @Test("What an answer says of itself is there before it is verified")
    func unverified() throws {
        let vector = try Vectors.packed()
        let registration = try UnverifiedRegistration(
            clientDataJSON: vector.registration.clientData, attestationObject: vector.registration.object)
        #expect(registration.challenge == vector.registration.challenge)
        #expect(registration.credentialID == vector.credentialID)
        let assertion = try UnverifiedAssertion(
            credentialID: vector.credentialID, clientDataJSON: vector.assertion.clientData,
            authenticatorData: vector.assertion.object, signature: vector.assertion.signature)
        #expect(assertion.challenge == vector.assertion.challenge)
        #expect(assertion.credentialID == vector.credentialID)
    }

    @Test("Without the root an attestation is refused, or called unrooted where that is accepted")
    func unrooted() throws {
        let vector = try Vectors.packed()
        #expect(throws: PasskeyError.attestation(.untrustedRoot)) { try vector.register(roots: []) }
        var lenient = vector.requirements
        lenient.acceptsUnrootedAttestation = true
        #expect(try vector.register(roots: [], requirements: lenient).attestation == .unrooted(.packed))
        #expect(try vector.register(requirements: lenient).attestation != .unrooted(.packed))
    }

    @Test("None and self attestation are refused where a certified one is required")
    func certifiedOnly() throws {
        for vector in [try Vectors.none(), try Vectors.selfSigned()] {
            var strict = vector.requirements
            strict.requiresCertifiedAttestation = true
            #expect(throws: PasskeyError.attestationRequired) { try vector.register(requirements: strict) }
        }
    }

    @Test("An algorithm that was not offered is refused")
    func algorithms() throws {
        let vector = try Vectors.none()
        var other = vector.requirements
        other.algorithms = [.edDSA, .rs256]
        #expect(throws: PasskeyError.algorithmNotOffered) { try vector.register(requirements: other) }
    }

    @Test("Certificates count only while they are valid")
    func validity() throws {
        let vector = try Vectors.packed()
        let (first, last): (Int64, Int64) = (1_704_067_200, 33_260_976_000)
        #expect(throws: Never.self) { try vector.register(at: first) }
        #expect(throws: Never.self) { try vector.register(at: last) }
        #expect(throws: PasskeyError.attestation(.notYetValid)) { try vector.register(at: first - 1) }
        #expect(throws: PasskeyError.attestation(.expired)) { try vector.register(at: last + 1) }
    }
}
