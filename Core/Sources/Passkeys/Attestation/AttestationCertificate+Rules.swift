internal import Encodings

/// The rules that several formats and the chain have in common.
extension AttestationCertificate {
    /// Basic constraints: whether an authority's, and how many more may follow; `nil` without the extension.
    func basicConstraints() throws(AttestationFault) -> (isAuthority: Bool, pathLength: Int?)? {
        guard let found = firstExtension(OID.basicConstraints) else { return nil }
        do throws(DERError) {
            var outer = DERReader(found.value)
            var fields = try outer.sequence()
            try outer.finish()
            let isAuthority = fields.nextTag == DERTag.boolean ? try fields.boolean() : false
            let pathLength = fields.isAtEnd ? nil : try fields.smallInteger()
            try fields.finish()
            return (isAuthority, pathLength)
        } catch { throw .malformedCertificate }
    }

    /// Whether the key usage, if there is one, holds the signing of certificates: bit 5.
    func maySignCertificates() throws(AttestationFault) -> Bool {
        guard let found = firstExtension(OID.keyUsage) else { return true }
        do throws(DERError) {
            var reader = DERReader(found.value)
            let bits = try reader.element(DERTag.bitString).content
            try reader.finish()
            guard bits.count >= 2, bits[0] < 8 else { throw .notCanonical }
            return bits[1] & 0x04 != 0
        } catch { throw .malformedCertificate }
    }

    /// The purposes of the extended key usage; none without the extension.
    func extendedKeyUsage() throws(AttestationFault) -> [Bytes] {
        guard let found = firstExtension(OID.extendedKeyUsage) else { return [] }
        do throws(DERError) {
            var outer = DERReader(found.value)
            var list = try outer.sequence()
            try outer.finish()
            var purposes: [Bytes] = []
            while !list.isAtEnd { purposes.append(try list.objectIdentifier()) }
            return purposes
        } catch { throw .malformedCertificate }
    }

    /// Version 3, as attestation certificates must be.
    func requireVersion3() throws(AttestationFault) {
        guard version == 3 else { throw .wrongVersion }
    }

    /// Basic constraints that say: no authority.
    func requireNoAuthority() throws(AttestationFault) {
        guard let constraints = try basicConstraints(), !constraints.isAuthority else { throw .authorityCertificate }
    }

    /// The extension with the model, if there is one, must name the model of the authenticator data and not be
    /// critical (WebAuthn Level 3 section 8.2.1).
    func checkAAGUID(_ aaguid: Bytes) throws(AttestationFault) {
        guard let found = firstExtension(OID.aaguid) else { return }
        guard !found.isCritical else { throw .malformedAAGUIDExtension }
        let named: Bytes
        do throws(DERError) {
            var reader = DERReader(found.value)
            named = try reader.element(DERTag.octetString).content
            try reader.finish()
        } catch { throw .malformedAAGUIDExtension }
        guard named.count == 16 else { throw .malformedAAGUIDExtension }
        guard named == aaguid else { throw .wrongAAGUID }
    }

    func checkValidity(at time: Int64) throws(AttestationFault) {
        guard time >= notBefore else { throw .notYetValid }
        guard time <= notAfter else { throw .expired }
    }

    /// Refuses what might forbid the use that is made of the certificate (RFC 5280 section 4.2).
    ///
    /// Policies are known in the sense that any is acceptable. Name constraints are not evaluated here, so they are
    /// refused whether or not their maker marked them critical.
    func checkCriticalExtensions() throws(AttestationFault) {
        let known = [
            OID.basicConstraints, OID.keyUsage, OID.extendedKeyUsage, OID.subjectAlternativeName,
            OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.certificatePolicies, OID.distributionPoints,
            OID.androidKeyDescription, OID.appleNonce,
        ]
        for found in extensions
        where found.identifier == OID.nameConstraints || (found.isCritical && !known.contains(found.identifier)) {
            throw .unknownCriticalExtension
        }
    }

    /// Whether the holder may have issued a certificate with so many authorities below itself.
    func checkAuthority(authoritiesBelow count: Int) throws(AttestationFault) {
        guard let constraints = try basicConstraints(), constraints.isAuthority, try maySignCertificates() else {
            throw .issuerNotAuthority
        }
        if let allowed = constraints.pathLength, count > allowed { throw .pathLengthExceeded }
    }

    /// Whether it is signed by that key.
    func isSigned<Suite: PasskeyCryptoSuite>(by key: PublicKey, suite: Suite) -> Bool {
        guard let scheme else { return false }
        return key.isValid(signature, over: signedBytes, scheme: scheme, suite: suite)
    }
}
