import Certificates
import CryptoProvider
import Encodings

/// The certificates that the root issues beside its own.
package enum RootCertificateKind: String, Sendable, CaseIterable {
    case statusSigner = "status_signer"
    case mainAdministrator = "main_administrator"
    case deskSigner = "desk_signer"

    /// What a certificate is by its own word.
    init(of certificate: Certificate) {
        self =
            if certificate.isAuthority { .mainAdministrator } else if certificate.names(.handSignatures) {
                .deskSigner
            } else { .statusSigner }
    }

    /// In words.
    package var words: String {
        switch self {
        case .statusSigner: "status signer"
        case .mainAdministrator: "main administrator"
        case .deskSigner: "desk signer"
        }
    }

    /// The name of a certificate that names no person.
    private var usualName: String {
        switch self {
        case .statusSigner: "Status Signer"
        case .mainAdministrator: ""
        case .deskSigner: "Desk Signer"
        }
    }

    /// A certificate of this kind.
    ///
    /// - Parameters:
    ///   - name: whose; the usual one where it names no person.
    ///   - status: the place in a status list of one that can be revoked.
    ///   - notBefore: its first second, since 1970.
    /// - Returns: DER.
    /// - Throws: `IssuingError`.
    func certificate(
        for key: P256PublicKey, name: String? = nil, status: StatusReference? = nil, by root: IssuingAuthority,
        notBefore: Int64, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        let name = name ?? usualName
        return switch self {
        case .statusSigner:
            try CertificateIssuer.statusSigner(
                name: name, key: key, issuer: root, notBefore: notBefore, random: &random)
        case .mainAdministrator:
            try CertificateIssuer.mainAdministrator(
                name: name, key: key, status: status, issuer: root, notBefore: notBefore, random: &random)
        case .deskSigner:
            try CertificateIssuer.deskSigner(name: name, key: key, issuer: root, notBefore: notBefore, random: &random)
        }
    }
}
