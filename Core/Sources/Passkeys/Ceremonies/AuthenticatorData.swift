internal import Encodings

/// The authenticator's account of a ceremony (WebAuthn Level 3 section 6.1).
struct AuthenticatorData: Sendable {
    /// The bytes as they were sent: what is signed.
    let bytes: Bytes
    let rpIDHash: Bytes
    let flags: Flags
    let signCount: UInt32
    let credential: AttestedCredential?

    /// The bits of the flags byte; 0x02 and 0x20 are reserved and ignored.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let attestedCredential = Flags(rawValue: 0x40)
        static let extensions = Flags(rawValue: 0x80)
    }

    static let maximumLength = 16384

    init(_ bytes: Bytes) throws(PasskeyError) {
        guard bytes.count >= 37, bytes.count <= Self.maximumLength else { throw .malformedAuthenticatorData }
        self.bytes = bytes
        rpIDHash = Array(bytes[0..<32])
        flags = Flags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var offset = 37
        if flags.contains(.attestedCredential) {
            credential = try AttestedCredential(bytes, from: &offset)
        } else {
            credential = nil
        }
        if flags.contains(.extensions) {
            var reader = CBORReader(bytes, from: offset)
            let outputs: CBOR
            do { outputs = try reader.next() } catch { throw .malformedCBOR(error) }
            guard outputs.map != nil else { throw .malformedAuthenticatorData }
            offset = reader.offset
        }
        guard offset == bytes.count else { throw .malformedAuthenticatorData }
    }

    /// The steps on authenticator data that registration (section 7.1) and authentication (7.2) have in common.
    func check<Suite: PasskeyCryptoSuite>(
        relyingParty: RelyingParty, requirements: PasskeyRequirements, suite: Suite
    ) throws(PasskeyError) {
        guard rpIDHash == suite.sha256(relyingParty.id) else { throw .wrongRelyingParty }
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard !requirements.userVerification || flags.contains(.userVerified) else { throw .userNotVerified }
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .backedUpWithoutEligibility }
    }
}

/// A new credential inside authenticator data (section 6.5.1).
struct AttestedCredential: Sendable {
    /// The authenticator's model, 16 bytes; zeros when it does not tell.
    let aaguid: Bytes
    /// 1 to 1023 bytes.
    let id: Bytes
    /// The COSE key as it was written.
    let key: COSEKey

    static let maximumIDLength = 1023

    init(_ bytes: Bytes, from offset: inout Int) throws(PasskeyError) {
        guard bytes.count - offset >= 18 else { throw .malformedAuthenticatorData }
        aaguid = Array(bytes[offset..<offset + 16])
        let length = Int(bytes[offset + 16]) << 8 | Int(bytes[offset + 17])
        offset += 18
        guard length >= 1, length <= Self.maximumIDLength, length <= bytes.count - offset else {
            throw .malformedAuthenticatorData
        }
        id = Array(bytes[offset..<offset + length])
        offset += length
        var reader = CBORReader(bytes, from: offset)
        let value: CBOR
        do { value = try reader.next() } catch { throw .malformedCBOR(error) }
        key = try COSEKey(value, cose: Array(bytes[offset..<reader.offset]))
        offset = reader.offset
    }
}
