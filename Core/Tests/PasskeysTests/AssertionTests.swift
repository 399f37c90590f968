import Encodings
import Passkeys
import Testing

@Suite("Assertions")
struct AssertionTests {
    private let vector: Vector
    private let credential: PasskeyCredential

    init() throws {
        vector = try Vectors.packed()
        credential = try vector.register().credential
    }

    private func stored(
        id: Bytes? = nil, key: COSEKey? = nil, count: UInt32 = 0, isBackupEligible: Bool? = nil
    ) -> PasskeyCredential {
        PasskeyCredential(
            id: id ?? credential.id, publicKey: key ?? credential.publicKey, signCount: count,
            isBackupEligible: isBackupEligible ?? credential.isBackupEligible, isBackedUp: false,
            aaguid: credential.aaguid)
    }

    private func refused(_ error: PasskeyError, _ spoil: (inout Vector) throws -> Void) throws {
        var spoilt = vector
        try spoil(&spoilt)
        #expect(throws: error) { try spoilt.assert(by: credential) }
    }

    @Test("The credential must be the one that was used")
    func foreignCredential() throws {
        let other = try Vectors.none().register().credential
        #expect(throws: PasskeyError.foreignCredential) { try vector.assert(by: other) }
        #expect(throws: PasskeyError.badSignature) { try vector.assert(by: stored(key: other.publicKey)) }
        #expect(throws: PasskeyError.foreignCredential) { try vector.assert(by: stored(id: credential.id + [0])) }
    }

    @Test("Flags are checked as at registration")
    func flags() throws {
        try refused(.userNotPresent) { $0.assertion.object[32] &= ~0x01 }
        try refused(.userNotVerified) { $0.assertion.object[32] &= ~0x04 }
        try refused(.backedUpWithoutEligibility) { $0.assertion.object[32] = 0x15 }
    }

    @Test("Eligibility for backup never changes")
    func eligibility() throws {
        try refused(.backupEligibilityChanged) { $0.assertion.object[32] ^= 0x08 }
        #expect(throws: PasskeyError.backupEligibilityChanged) {
            try vector.assert(by: stored(isBackupEligible: !credential.isBackupEligible))
        }
    }

    @Test("A counter that had counted and stands at zero is refused")
    func counter() throws {
        #expect(throws: Never.self) { try vector.assert(by: stored(count: 0)) }
        #expect(throws: PasskeyError.counterDidNotGrow) { try vector.assert(by: stored(count: 1)) }
        #expect(throws: PasskeyError.counterDidNotGrow) { try vector.assert(by: stored(count: .max)) }
    }

    @Test("Only the signature over exactly these data is accepted")
    func signature() throws {
        let other = try Vectors.none()
        try refused(.badSignature) { $0.assertion.signature = other.assertion.signature }
        try refused(.badSignature) { $0.assertion.signature = $0.registration.signature }
        for length in 0...2 {
            try refused(.badSignature) { $0.assertion.signature = Bytes(repeating: 0x30, count: length) }
        }
        try refused(.badSignature) { $0.assertion.signature.append(0) }
        try refused(.badSignature) { $0.assertion.signature = Bytes(repeating: 0x30, count: 513) }
        try refused(.badSignature) { $0.assertion.signature = try ECDSASignature.raw(fromDER: $0.assertion.signature) }
        // r and s of zero.
        try refused(.badSignature) { $0.assertion.signature = [0x30, 6, 2, 1, 0, 2, 1, 0] }
        // The counter is covered, and so is every member of the client data.
        try refused(.badSignature) { $0.assertion.object[36] = 1 }
        try refused(.badSignature) { try $0.assertion.replace("extraData", "extraDatb") }
    }

    @Test("Every flipped byte is refused")
    func flips() throws {
        let suite = LearnedSuite()
        _ = try vector.assert(by: credential, suite: suite)
        suite.stopLearning()
        #expect(throws: Never.self) { try vector.assert(by: credential, suite: suite) }
        for index in vector.assertion.signature.indices {
            var spoilt = vector
            spoilt.assertion.signature[index] ^= 1
            #expect(throws: PasskeyError.badSignature) { try spoilt.assert(by: credential, suite: suite) }
        }
        for index in vector.assertion.object.indices {
            var spoilt = vector
            spoilt.assertion.object[index] ^= 0x20
            #expect(throws: PasskeyError.self) { try spoilt.assert(by: credential, suite: suite) }
        }
        for index in vector.assertion.clientData.indices {
            var spoilt = vector
            spoilt.assertion.clientData[index] ^= 1
            #expect(throws: PasskeyError.self) { try spoilt.assert(by: credential, suite: suite) }
        }
    }

    @Test("A cut at any place, or anything behind, is refused")
    func lengths() throws {
        for length in 0..<vector.assertion.object.count {
            try refused(.malformedAuthenticatorData) {
                $0.assertion.object.removeLast($0.assertion.object.count - length)
            }
        }
        try refused(.malformedAuthenticatorData) { $0.assertion.object.append(0) }
        try refused(.malformedAuthenticatorData) { $0.assertion.object += Bytes(repeating: 0, count: 20_000) }
        for length in 0..<vector.assertion.clientData.count {
            try refused(.malformedClientData) {
                $0.assertion.clientData.removeLast($0.assertion.clientData.count - length)
            }
        }
        for length in 0..<vector.assertion.signature.count {
            try refused(.badSignature) { $0.assertion.signature.removeLast($0.assertion.signature.count - length) }
        }
    }

    @Test("An impossible credential ID is refused before anything is read")
    func identifiers() {
        for id in [Bytes(), Bytes(repeating: 1, count: 1024)] {
            #expect(throws: PasskeyError.foreignCredential) {
                try UnverifiedAssertion(
                    credentialID: id, clientDataJSON: vector.assertion.clientData,
                    authenticatorData: vector.assertion.object, signature: vector.assertion.signature)
            }
        }
    }
}
