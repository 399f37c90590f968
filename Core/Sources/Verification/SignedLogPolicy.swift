public import Certificates
public import Encodings
public import Transparency

/// Why a signed log policy is refused.
public enum LogPolicyError: Error, Equatable, Sendable {
    /// It is no statement of that form.
    case malformed
    /// The certificate does not lead to the pinned root.
    case certificate(CertificateError)
    /// It is not signed by the certificate's key, or for another purpose.
    case signature(JWSError)
    /// It is for another organisation, or has logs of another name.
    case foreign
    /// It was made later than now.
    case fromTheFuture
    /// The policy itself is out of form.
    case policy(TransparencyError)
}

/// Which checkpoints of its log an organisation wants believed, as its main administrator has signed it.
///
/// The key that signs is in their wallet, not on the server. So an attacker who takes the server over can neither
/// change the log's key nor do without the witnesses. Versions only go up, so nobody can bring an old policy back.
public struct SignedLogPolicy: Sendable, Equatable {
    /// The `typ` of the statement.
    public static let type: StaticString = "countersign-log-policy+jwt"
    /// How far the clocks of signer and reader may differ, in seconds.
    public static let clockSkew: Int64 = 300

    /// From 1 on.
    public let version: Int64
    /// The policy's text.
    public let text: Bytes
    /// What it says.
    public let policy: LogPolicy
    /// When it was signed, in seconds since 1970.
    public let time: Int64
    /// The first second of the certificate whose key has signed it, since 1970.
    ///
    /// A policy stays in force longer than a certificate, so one that has ended still counts. A client that has seen a
    /// policy under a newer certificate takes none under an older one, so a stolen old key cannot sign the next policy.
    public let certified: Int64

    /// What the main administrator signs.
    ///
    /// - Parameter audience: the organisation's public URL.
    public static func payload(audience: Bytes, version: Int64, policy: Bytes, time: Int64) -> JSON {
        .members([
            ("aud", .string(audience)), ("iat", .integer(time)), ("policy", .string(policy)),
            ("version", .integer(version)),
        ])
    }

    /// Checks a signed policy against the pinned root.
    ///
    /// - Parameters:
    ///   - statement: compact JWS.
    ///   - certificate: the main administrator's, DER.
    ///   - now: seconds since 1970.
    /// - Throws: what is wrong first.
    public static func verify(
        _ statement: Bytes, certificate: Bytes, root: TrustAnchor, now: Int64, suite: some CryptoSuite
    ) throws(LogPolicyError) -> SignedLogPolicy {
        guard let jws = try? UnverifiedJWS.parse(statement, maximumLength: LogPolicy.maximumLength * 2),
            let time = jws.payload["iat"]?.integer, let audience = jws.payload["aud"]?.string,
            let version = jws.payload["version"]?.integer, version > 0,
            let text = jws.payload["policy"]?.string, jws.payload.members?.count == 4
        else { throw .malformed }
        let key: P256PublicKey
        let certified: Int64
        do {
            let certificate = try Certificate.parse(certificate)
            certified = certificate.notBefore
            key = try CertificatePath.validate(authority: certificate, root: root, at: time, suite: suite)
        } catch {
            throw .certificate(error)
        }
        do {
            _ = try jws.payload(signedBy: key, type: Self.type, suite: suite)
        } catch {
            throw .signature(error)
        }
        guard time <= now + clockSkew else { throw .fromTheFuture }
        let policy: LogPolicy
        do {
            policy = try LogPolicy.parse(text)
        } catch {
            throw .policy(error)
        }
        guard audience == root.publicURL, policy.origins == [logOrigin(of: root.publicURL)] else { throw .foreign }
        return SignedLogPolicy(version: version, text: text, policy: policy, time: time, certified: certified)
    }

    /// The name of an organisation's log: the public URL without its scheme, and `/log`.
    public static func logOrigin(of publicURL: Bytes) -> Bytes {
        var start = 0
        for index in publicURL.indices.dropFirst(2)
        where publicURL[index - 2] == 0x3A && publicURL[index - 1] == 0x2F && publicURL[index] == 0x2F {
            start = index + 1
            break
        }
        return Array(publicURL[start...]) + [0x2F, 0x6C, 0x6F, 0x67]
    }
}
