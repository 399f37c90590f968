import Encodings
import Passkeys
import Testing

@Suite("Authenticator data")
struct AuthenticatorDataTests {
    /// A registration without attestation whose flags and counter are what the test says.
    private func vector(flags: UInt8, count: UInt32 = 0) throws -> Vector {
        var vector = try Vectors.none()
        let offset = try vector.authenticatorDataOffset()
        vector.registration.object[offset + 32] = flags
        for index in 0..<4 { vector.registration.object[offset + 33 + index] = UInt8(count >> (24 - 8 * index) & 255) }
        return vector
    }

    @Test("Nobody present is refused, with and without user verification", arguments: [0x40, 0x44, 0x4C, 0x5C])
    func userPresence(flags: UInt8) throws {
        var vector = try vector(flags: flags)
        #expect(throws: PasskeyError.userNotPresent) { try vector.register() }
        vector.userVerification = true
        #expect(throws: PasskeyError.userNotPresent) { try vector.register() }
    }

    @Test("An unverified user is refused where verification is required")
    func userVerification() throws {
        var vector = try vector(flags: 0x41)
        vector.userVerification = true
        #expect(throws: PasskeyError.userNotVerified) { try vector.register() }
        vector.userVerification = false
        #expect(try vector.register().isUserVerified == false)
        #expect(PasskeyRequirements().userVerification)
    }

    @Test("Backed up without being eligible is refused", arguments: [0x51, 0x55])
    func backup(flags: UInt8) throws {
        let vector = try vector(flags: flags)
        #expect(throws: PasskeyError.backedUpWithoutEligibility) { try vector.register() }
    }

    @Test(
        "The flags become what is stored; reserved bits do not matter",
        arguments: [
            (0x41, false, false), (0x4D, true, false), (0x5D, true, true), (0x7F, true, true), (0x67, false, false),
        ]
            as [(UInt8, Bool, Bool)])
    func flags(flags: UInt8, isEligible: Bool, isBackedUp: Bool) throws {
        let verified = try vector(flags: flags, count: 0x0102_0304).register()
        #expect(verified.credential.isBackupEligible == isEligible)
        #expect(verified.credential.isBackedUp == isBackedUp)
        #expect(verified.credential.signCount == 0x0102_0304)
        #expect(verified.isUserVerified == (flags & 4 != 0))
    }

    @Test("Another relying party is refused, and so is its subdomain")
    func relyingParty() throws {
        for id in ["example.com", "login.example.org", "org", "Example.org", ""] {
            var vector = try Vectors.none()
            let credential = try vector.register().credential
            vector.relyingParty = Vector.relyingParty(id: id)
            #expect(throws: PasskeyError.wrongRelyingParty) { try vector.register() }
            #expect(throws: PasskeyError.wrongRelyingParty) { try vector.assert(by: credential) }
        }
    }

    @Test("A registration without a credential is refused")
    func withoutCredential() throws {
        var vector = try Vectors.none()
        let offset = try vector.authenticatorDataOffset()
        let header = vector.registration.object[..<(offset - 2)]
        let data = vector.registration.object[offset..<offset + 32] + [0x19, 0, 0, 0, 0]
        vector.registration.object = Bytes(header + [0x58, 37] + data)
        #expect(throws: PasskeyError.missingCredential) { try vector.register() }
    }

    @Test("Data that the flags do not announce, or announce in vain, are refused")
    func announced() throws {
        #expect(throws: PasskeyError.malformedAuthenticatorData) { try vector(flags: 0x01).register() }
        #expect(throws: PasskeyError.malformedCBOR(.truncated)) { try vector(flags: 0xC1).register() }
    }

    @Test(
        "Extension outputs must be one map, and nothing follows",
        arguments: [
            ([0xA0], nil), ([0xA1, 0x6B] + Bytes(text: "hmac-secret") + [0xF5], nil),
            ([0x80], .malformedAuthenticatorData),
            ([0xF6], .malformedAuthenticatorData), ([0xA0, 0x00], .malformedAuthenticatorData),
            ([0xA1, 0x00], .malformedCBOR(.truncated)), ([0xBF, 0xFF], .malformedCBOR(.notCanonical)),
        ] as [(Bytes, PasskeyError?)])
    func extensions(outputs: Bytes, error: PasskeyError?) throws {
        var vector = try vector(flags: 0xC1)
        let offset = try vector.authenticatorDataOffset()
        // The length of the authenticator data is the byte before them.
        vector.registration.object[offset - 1] += UInt8(outputs.count)
        vector.registration.object += outputs
        if let error {
            #expect(throws: error) { try vector.register() }
        } else {
            #expect(throws: Never.self) { try vector.register() }
        }
    }

    @Test("A credential ID has at least one byte and at most 1023")
    func identifiers() throws {
        let long = try Vectors.named("ES256 Credential with very long credential ID")
        #expect(try long.register().credential.id.count == 1023)
        var vector = long
        let offset = try vector.authenticatorDataOffset()
        vector.registration.object[offset + 53] = 0x04
        vector.registration.object[offset + 54] = 0x00
        #expect(throws: PasskeyError.malformedAuthenticatorData) { try vector.register() }
        vector.registration.object[offset + 53] = 0xFF
        #expect(throws: PasskeyError.malformedAuthenticatorData) { try vector.register() }
        vector.registration.object[offset + 53] = 0
        vector.registration.object[offset + 54] = 0
        #expect(throws: PasskeyError.malformedAuthenticatorData) { try vector.register() }
    }
}
