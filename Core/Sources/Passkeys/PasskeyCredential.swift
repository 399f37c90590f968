public import Encodings

/// A passkey as a relying party remembers it: a credential record (WebAuthn Level 3 section 4).
public struct PasskeyCredential: Sendable, Equatable {
    /// The credential ID, 1 to 1023 bytes.
    public let id: Bytes
    /// The key that checks its assertions.
    public let publicKey: COSEKey
    /// The signature counter at its last use; 0 with authenticators that have none.
    public let signCount: UInt32
    /// Whether it may live on several devices; fixed at registration.
    public let isBackupEligible: Bool
    /// Whether it did at its last use.
    public let isBackedUp: Bool
    /// The authenticator's model, 16 bytes; zeros when it does not tell.
    public let aaguid: Bytes

    /// A credential out of storage.
    public init(
        id: Bytes, publicKey: COSEKey, signCount: UInt32, isBackupEligible: Bool, isBackedUp: Bool, aaguid: Bytes
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.aaguid = aaguid
    }

    /// The credential as it is to be stored after an assertion with it (section 7.2, last steps).
    public func updated(by assertion: VerifiedAssertion) -> PasskeyCredential {
        PasskeyCredential(
            id: id, publicKey: publicKey, signCount: assertion.signCount, isBackupEligible: isBackupEligible,
            isBackedUp: assertion.isBackedUp, aaguid: aaguid)
    }
}
