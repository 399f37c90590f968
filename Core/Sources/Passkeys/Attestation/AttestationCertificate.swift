internal import Certificates
internal import Encodings

/// Any X.509 certificate (RFC 5280 section 4.1), read and **not** trusted: makers of authenticators have their own
/// profiles.
struct AttestationCertificate {
    let der: Bytes
    /// 1 for X.509 v1 and so on.
    let version: Int
    /// The DER of the name.
    let issuer: Bytes
    /// The DER of the name.
    let subject: Bytes
    let notBefore: Int64
    let notAfter: Int64
    let publicKey: PublicKey
    let extensions: [Extension]
    let signedBytes: Bytes
    let signature: Bytes
    /// `nil` when signed in a way that we do not check: SHA-1, for instance.
    let scheme: SignatureScheme?

    struct Extension {
        let identifier: Bytes
        let isCritical: Bool
        let value: Bytes
    }

    static let maximumLength = 8192

    init(der: Bytes) throws(AttestationFault) {
        guard der.count <= Self.maximumLength else { throw .malformedCertificate }
        do throws(DERError) { try self.init(reading: der) } catch { throw .malformedCertificate }
    }

    private init(reading der: Bytes) throws(DERError) {
        var file = DERReader(der)
        var outer = try file.sequence()
        try file.finish()
        let signed = try outer.element(DERTag.sequence)
        let algorithm = try outer.element(DERTag.sequence)
        signature = try outer.wholeBitString()
        try outer.finish()
        scheme = try CertificateKeys.scheme(algorithm.content)

        var body = DERReader(signed.content)
        if let tagged = try body.optional(DERTag.context(0, constructed: true)) {
            var reader = DERReader(tagged.content)
            version = try reader.smallInteger() + 1
            try reader.finish()
        } else {
            version = 1
        }
        _ = try body.integer()
        guard try body.element(DERTag.sequence).encoded == algorithm.encoded else { throw .unsupported }
        issuer = try body.element(DERTag.sequence).encoded
        var validity = try body.sequence()
        notBefore = try Self.time(&validity)
        notAfter = try Self.time(&validity)
        try validity.finish()
        subject = try body.element(DERTag.sequence).encoded
        publicKey = try CertificateKeys.publicKey(&body)
        _ = try body.optional(DERTag.context(1, constructed: false))
        _ = try body.optional(DERTag.context(2, constructed: false))
        if let tagged = try body.optional(DERTag.context(3, constructed: true)) {
            extensions = try Self.extensions(tagged.content)
        } else {
            extensions = []
        }
        try body.finish()
        self.der = der
        signedBytes = signed.encoded
    }

    private static func time(_ reader: inout DERReader) throws(DERError) -> Int64 {
        let element = try reader.any()
        do throws(CertificateError) { return try CertificateTime.seconds(element) } catch { throw .unsupported }
    }

    private static func extensions(_ content: Bytes) throws(DERError) -> [Extension] {
        var outer = DERReader(content)
        var list = try outer.sequence()
        try outer.finish()
        var extensions: [Extension] = []
        while !list.isAtEnd {
            var item = try list.sequence()
            let identifier = try item.objectIdentifier()
            // FALSE is the default and not to be written, but makers do.
            let isCritical = item.nextTag == DERTag.boolean ? try item.boolean() : false
            let value = try item.element(DERTag.octetString).content
            try item.finish()
            // Two of a kind would let two readers read two things.
            for other in extensions where other.identifier == identifier { throw .unsupported }
            extensions.append(Extension(identifier: identifier, isCritical: isCritical, value: value))
        }
        return extensions
    }

    func firstExtension(_ identifier: Bytes) -> Extension? {
        for candidate in extensions where candidate.identifier == identifier { return candidate }
        return nil
    }
}
