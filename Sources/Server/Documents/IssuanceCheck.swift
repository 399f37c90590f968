import CryptoProvider
import Encodings
import Interface

/// Checks what an administrator's wallet signed and sealed, as far as a server that cannot read it can.
struct IssuanceCheck {
    let environment: Environment
    /// The id of the request or enrolment that is answered.
    let subject: String
    let status: StatusReference

    /// Verifies that the statement by `authorityKey` covers this sealed package, credential, subject and place.
    ///
    /// - Parameter evidence: for an identity credential, the paper and the holder's statement it must name.
    func verify(
        _ issuance: Issuance, authorityKey: String, evidence: (paper: IdentityPaper, statement: String)?, now: Int64
    ) throws {
        guard issuance.sealed.utf8.count <= Limits.sealedPackage, isSealedPackage(issuance.sealed),
            let digest = Base64.decode(Bytes(text: issuance.credentialDigest), .url), digest.count == 32
        else { throw DocumentError.invalidPackage }
        guard let key = DeviceProof.key(authorityKey) else { throw DocumentError.invalidStatement }
        let payload: JSON
        do {
            payload = try UnverifiedJWS.parse(
                Bytes(text: issuance.statement), maximumLength: Limits.statement.upperBound
            )
            .payload(signedBy: key, type: Statement.issuanceType, suite: environment.suite)
        } catch {
            throw DocumentError.invalidStatement
        }
        let sealedDigest = environment.suite.sha256(Bytes(text: issuance.sealed))
        let holderStatement = evidence.map {
            String(decoding: Base64.encode(environment.suite.sha256(Bytes(text: $0.statement)), .url), as: UTF8.self)
        }
        guard let time = payload["iat"]?.integer, DeviceProof.isFresh(payload, now: now),
            Statement.isSame(
                payload,
                as: Statement.issuance(
                    audience: environment.publicURL, subject: subject, credentialDigest: issuance.credentialDigest,
                    sealedDigest: String(decoding: Base64.encode(sealedDigest, .url), as: UTF8.self), status: status,
                    evidence: evidence.flatMap { given in holderStatement.map { (given.paper, $0) } }, time: time))
        else { throw DocumentError.invalidStatement }
    }

    /// Whether the text has the five parts of a compact JWE with direct key agreement.
    ///
    /// What is inside is not for us.
    private func isSealedPackage(_ text: String) -> Bool {
        guard let parts = Bytes(text: text).split(at: 0x2E, maximum: 5) else { return false }
        return parts.count == 5 && parts[1].isEmpty && parts.allSatisfy { Base64.decode($0, .url) != nil }
            && !parts[0].isEmpty && !parts[3].isEmpty
    }
}
