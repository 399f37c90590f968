import Certificates
import CryptoProvider
import Encodings
import Storage

/// The certificate of the key that signs status lists, renewed by the root before it ends.
struct StatusSigner {
    /// How long before its end it is renewed, in seconds: 60 days.
    static let margin: Int64 = 60 * 86_400

    let database: any Database
    let keys: ServerKeys
    let random: RandomSource

    /// Renews the certificate when its end is near.
    ///
    /// Each start of the server asks for it.
    ///
    /// - Returns: whether it was renewed.
    @discardableResult
    func renew(now: Int64) async throws -> Bool {
        guard let organisation = try await database.read({ try OrganisationStore(transaction: $0).find() }),
            let current = Base64.decode(Bytes(text: organisation.statusCertificate), .url),
            let root = Base64.decode(Bytes(text: organisation.rootCertificate), .url)
        else { return false }
        guard try Certificate.parse(current).notAfter - now < Self.margin else { return false }
        var random = random
        let renewed = try CertificateIssuer.statusSigner(
            key: keys.status.publicKey, issuer: IssuingAuthority(key: keys.root, certificate: root), notBefore: now,
            random: &random
        ).base64URL
        try await database.write { try OrganisationStore(transaction: $0).setStatusCertificate(renewed) }
        return true
    }
}
