internal import Certificates
internal import Crypto
internal import Encodings
internal import Foundation
internal import SwiftASN1
internal import X509

/// One certificate to be, before it is signed.
struct CertificateProfile {
    /// The five kinds and what differs between them.
    enum Kind {
        case root
        case mainAdministrator(StatusReference?)
        case administrator(Capabilities, StatusReference)
        case statusSigner
        case deskSigner

        /// Where the certificate's status will be published, if that is told.
        var status: StatusReference? {
            switch self {
            case .root, .statusSigner, .deskSigner: nil
            case .mainAdministrator(let status): status
            case .administrator(_, let status): status
            }
        }
    }

    let subject: X509.DistinguishedName
    let issuer: X509.DistinguishedName
    let publicURL: String
    let subjectKey: P256PublicKey
    let authorityKey: Bytes?
    let notBefore: Int64
    let notAfter: Int64
    let kind: Kind

    /// Signs, and reads the result back with the reader that everybody will use.
    func issue(
        signedBy key: SigningKey, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        guard notBefore < notAfter, notBefore >= 0 else { throw .badValidity }
        guard Self.isAddress(publicURL) else { throw .badAddress }
        if let status = kind.status {
            let isPlace = status.index >= 0 && status.index < 1 << 31
            guard isPlace, Self.isAddress(String(decoding: status.uri, as: UTF8.self)) else { throw .badAddress }
        }
        guard let publicKey = try? P256.Signing.PublicKey(x963Representation: subjectKey.x963) else { throw .badKey }
        let der: Bytes
        do {
            let certificate = try X509.Certificate(
                version: .v3, serialNumber: .init(bytes: Self.serialNumber(using: &random)),
                publicKey: .init(publicKey),
                notValidBefore: Date(timeIntervalSince1970: TimeInterval(notBefore)),
                notValidAfter: Date(timeIntervalSince1970: TimeInterval(notAfter)),
                issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions(),
                issuerPrivateKey: .init(P256.Signing.PrivateKey(rawRepresentation: key.rawRepresentation)))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            der = serializer.serializedBytes
        } catch {
            throw .failed
        }
        guard (try? Certificates.Certificate.parse(der)) != nil else { throw .failed }
        return der
    }

    private func extensions() throws -> X509.Certificate.Extensions {
        var list: [X509.Certificate.Extension] = []
        switch kind {
        case .root:
            list.append(try .init(BasicConstraints.isCertificateAuthority(maxPathLength: 1), critical: true))
            list.append(try .init(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
        case .mainAdministrator:
            list.append(try .init(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
            list.append(try .init(KeyUsage(keyCertSign: true), critical: true))
        case .administrator, .statusSigner, .deskSigner:
            list.append(try .init(BasicConstraints.notCertificateAuthority, critical: true))
            list.append(try .init(KeyUsage(digitalSignature: true), critical: true))
            list.append(try .init(ExtendedKeyUsage(usages()), critical: false))
        }
        let keyIdentifier = SubjectKeyIdentifier(keyIdentifier: Self.keyIdentifier(of: subjectKey)[...])
        list.append(try .init(keyIdentifier, critical: false))
        if let authorityKey {
            list.append(try .init(AuthorityKeyIdentifier(keyIdentifier: authorityKey[...]), critical: false))
        }
        let alternativeName = SubjectAlternativeNames([.uniformResourceIdentifier(publicURL)])
        list.append(try .init(alternativeName, critical: false))
        if let status = kind.status { list.append(try Self.statusExtension(status)) }
        return try X509.Certificate.Extensions(list)
    }

    private func usages() -> [ExtendedKeyUsage.Usage] {
        let arc: ASN1ObjectIdentifier.ArrayLiteralElement = 4_839_201_756_610_287_365
        switch kind {
        case .root, .mainAdministrator: return []
        case .statusSigner: return [.init(oid: [1, 3, 6, 1, 5, 5, 7, 3, 30])]
        case .deskSigner: return [.init(oid: [2, 25, arc, 1, 3])]
        case .administrator(let capabilities, _):
            var usages: [ExtendedKeyUsage.Usage] = []
            if capabilities.contains(.identifyMembers) { usages.append(.init(oid: [2, 25, arc, 1, 1])) }
            if capabilities.contains(.signDocuments) { usages.append(.init(oid: [2, 25, arc, 1, 2])) }
            return usages
        }
    }

    /// The content is SEQUENCE { uri IA5String, index INTEGER }.
    private static func statusExtension(_ status: StatusReference) throws -> X509.Certificate.Extension {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1IA5String(String(decoding: status.uri, as: UTF8.self)))
            try coder.serialize(status.index)
        }
        return .init(
            oid: [2, 25, 4_839_201_756_610_287_365, 3], critical: false, value: serializer.serializedBytes[...])
    }

    /// The first 160 bits of SHA-256 of the point (RFC 7093 section 2, method 1).
    private static func keyIdentifier(of key: P256PublicKey) -> Bytes {
        Bytes(Crypto.SHA256.hash(data: key.x963).prefix(20))
    }

    /// 16 random bytes, positive and without a leading zero.
    private static func serialNumber(using random: inout some RandomNumberGenerator) -> Bytes {
        var bytes = RandomBytes.make(16, using: &random)
        bytes[0] = bytes[0] & 0x7F | 0x40
        return bytes
    }

    private static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
