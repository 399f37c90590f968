import Certificates
import Documents
import Encodings

extension Verifier {
    /// How long before its log entry a credential may be signed, in seconds: signer and log are different computers.
    private static var longestWayToLog: Int64 { 86_400 }

    /// Validates the certificates, what they permit, and the issuer's signature.
    func chain(
        _ parsed: ParsedPresentation, loggedAt: Int64?, _ options: VerificationOptions
    ) throws(Reason) -> (credential: SignedSDJWT, path: ValidatedPath) {
        var chain: [Certificate] = []
        for der in parsed.certificates {
            do { chain.append(try Certificate.parse(der)) } catch { throw Reason(error) }
        }
        let leaf = chain.removeFirst()
        let time = time(of: leaf, parsed.claims, loggedAt: loggedAt, options)
        do {
            return try signed(parsed, by: leaf, chain, at: time)
        } catch {
            guard error == .certificateExpired, loggedAt == nil else { throw error }
            // It may have held when it was used, which nothing shows. Apart from that, is everything as it should be?
            _ = try signed(parsed, by: leaf, chain, at: parsed.claims.issuedAt)
            throw .certificateExpiredSince
        }
    }

    private func signed(
        _ parsed: ParsedPresentation, by leaf: Certificate, _ chain: [Certificate], at time: Int64
    ) throws(Reason) -> (credential: SignedSDJWT, path: ValidatedPath) {
        let purpose: CertificatePurpose = parsed.claims.typeName.equals("identity") ? .identity : .documents
        let path: ValidatedPath
        do {
            path = try CertificatePath.validate(
                leaf: leaf, intermediates: chain, root: root, purpose: purpose, at: time, suite: suite)
        } catch {
            throw Reason(error)
        }
        guard parsed.claims.issuer == path.publicURL else { throw .issuerMismatch }
        do {
            return (try parsed.presentation.signed(by: path.publicKey, suite: suite), path)
        } catch {
            throw error == .credential(.badSignature) ? .badSignature : Reason(error)
        }
    }

    /// When the certificates must be valid: at signing, if the log proves that time; now, if nothing does.
    ///
    /// An administrator's certificate is short-lived and degrees are not. Without the log, a thief of an expired key
    /// could backdate a forgery.
    private func time(
        of leaf: Certificate, _ claims: CredentialClaims, loggedAt: Int64?, _ options: VerificationOptions
    ) -> Int64 {
        guard let loggedAt, claims.issuedAt <= loggedAt + options.clockSkew,
            loggedAt - claims.issuedAt <= Self.longestWayToLog,
            loggedAt >= leaf.notBefore, loggedAt <= leaf.notAfter
        else { return options.time }
        return claims.issuedAt
    }
}
