internal import Encodings

/// The statement of Android's key store (WebAuthn Level 3 section 8.4).
enum AndroidKeyAttestation {
    static func verify<Suite: PasskeyCryptoSuite>(
        _ value: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(AttestationFault) -> [AttestationCertificate] {
        let statement = try AttestationStatement(value)
        let algorithm = try statement.algorithm()
        let signature = try statement.signature()
        let certificates = try statement.certificates()
        try certificates[0].publicKey.check(signature, over: subject.signedBytes, algorithm: algorithm, suite: suite)
        guard certificates[0].publicKey == subject.key else { throw .keyMismatch }
        guard let found = certificates[0].firstExtension(OID.androidKeyDescription) else {
            throw .malformedKeyDescription
        }
        let description: AndroidKeyDescription
        do { description = try AndroidKeyDescription(der: found.value) } catch { throw .malformedKeyDescription }
        guard description.challenge == subject.clientDataHash else { throw .wrongAttestationChallenge }
        try check(description.softwareEnforced)
        try check(description.hardwareEnforced)
        return certificates
    }

    /// The statements must be right in both lists.
    ///
    /// The vector of section 16 has two empty lists, so silence is no fault: a maker's key store always says it.
    private static func check(_ list: AndroidKeyDescription.Authorizations) throws(AttestationFault) {
        guard !list.isForAllApplications else { throw .keyForAllApplications }
        if let origin = list.origin, origin != AndroidKeyDescription.generated { throw .keyNotGenerated }
        if let purposes = list.purposes, purposes != [AndroidKeyDescription.signing] { throw .keyNotForSigning }
    }
}

/// The extension with which Android describes an attested key: `KeyDescription` of the key store's documentation.
struct AndroidKeyDescription {
    let challenge: Bytes
    let softwareEnforced: Authorizations
    let hardwareEnforced: Authorizations

    /// KM_ORIGIN_GENERATED.
    static let generated = 0
    /// KM_PURPOSE_SIGN.
    static let signing = 2

    /// The purposes of a key, as far as the verification procedure asks.
    struct Authorizations {
        var purposes: [Int]?
        var isForAllApplications = false
        var origin: Int?
    }

    init(der: Bytes) throws(DERError) {
        var outer = DERReader(der)
        var fields = try outer.sequence()
        try outer.finish()
        _ = try fields.integer()
        _ = try fields.element(Self.enumerated)
        _ = try fields.integer()
        _ = try fields.element(Self.enumerated)
        challenge = try fields.element(DERTag.octetString).content
        _ = try fields.element(DERTag.octetString)
        softwareEnforced = try Self.authorizations(fields.sequence())
        hardwareEnforced = try Self.authorizations(fields.sequence())
        try fields.finish()
    }

    private static let enumerated: UInt8 = 0x0A

    private static func authorizations(_ list: DERReader) throws(DERError) -> Authorizations {
        var list = list
        var authorizations = Authorizations()
        while !list.isAtEnd {
            let (number, content) = try list.explicit()
            var reader = DERReader(content)
            switch number {
            case 1:
                var set = DERReader(try reader.element(DERTag.set).content)
                var purposes: [Int] = []
                while !set.isAtEnd { purposes.append(try set.smallInteger()) }
                authorizations.purposes = purposes
            case 600: authorizations.isForAllApplications = true
            case 702: authorizations.origin = try reader.smallInteger()
            default: break
            }
        }
        return authorizations
    }
}
