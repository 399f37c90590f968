import Certificates
import Documents
import Encodings

extension Verifier {
    /// Checks the status of the credential, and those of the certificates that it hangs on.
    func checkRevocation(
        _ claims: CredentialClaims, _ path: ValidatedPath, _ bundle: PresentationBundle, loggedAt: Int64?,
        _ options: VerificationOptions, _ draft: inout ReportDraft
    ) {
        var board = StatusBoard(stapled: bundle.status, live: options.liveStatus)
        let credential = credentialStatus(claims, &board, options)
        var signers: [Reason] = []
        for certificate in [path.leaf] + path.intermediates {
            signers.append(certificateStatus(certificate, &board, loggedAt: loggedAt, options))
        }
        draft.statusAt = board.oldest
        // The worse of the two is the answer; the credential's own where they are equally bad.
        for result in [.failed, .unknown] as [CheckResult] {
            for reason in [credential] + signers where reason.result == result {
                draft.add(.revocation, reason)
                return
            }
        }
        draft.add(.revocation, signers.first { $0 != .notRevoked } ?? .notRevoked)
    }

    private func credentialStatus(
        _ claims: CredentialClaims, _ board: inout StatusBoard, _ options: VerificationOptions
    ) -> Reason {
        guard let entry = claims.status else { return .noStatusReference }
        do {
            let tokens = try tokens(for: entry.uri, &board, options)
            return try isValid(entry.index, in: tokens) ? .notRevoked : .credentialRevoked
        } catch {
            return error
        }
    }

    private func certificateStatus(
        _ certificate: Certificate, _ board: inout StatusBoard, loggedAt: Int64?, _ options: VerificationOptions
    ) -> Reason {
        // A certificate without a reference is short-lived, or the organisation keeps no list of them.
        guard let reference = certificate.statusReference else { return .notRevoked }
        do {
            let tokens = try tokens(for: reference.uri, &board, options)
            let index = Int64(reference.index)
            if try isValid(index, in: tokens) { return .notRevoked }
            guard let loggedAt else { return .signerRevoked }
            for token in tokens where try status(at: index, in: token) != StatusList.valid {
                guard let revokedAt = token.revocationTime(at: index), loggedAt < revokedAt else {
                    return .signerRevoked
                }
            }
            return .loggedBeforeRevocation
        } catch {
            return error
        }
    }

    /// Whether every one of the tokens says so: of two from one second nobody knows which is the later.
    private func isValid(_ index: Int64, in tokens: [StatusListToken]) throws(Reason) -> Bool {
        for token in tokens where try status(at: index, in: token) != StatusList.valid { return false }
        return true
    }

    private func status(at index: Int64, in token: StatusListToken) throws(Reason) -> UInt8 {
        do { return try token.list.status(at: index) } catch { throw .statusIndexOutOfRange }
    }

    /// The verified tokens of a list: live ones if there are any, else stapled ones; of these the newest.
    ///
    /// Several only where they were made in the same second; then each must be good.
    private func tokens(
        for uri: Bytes, _ board: inout StatusBoard, _ options: VerificationOptions
    ) throws(Reason) -> [StatusListToken] {
        let known = board.verified.filter { $0.uri == uri }
        guard known.isEmpty else { return known }
        let newest = try board.newest(for: uri)
        guard !newest.isEmpty else { throw .statusMissing }
        var tokens: [StatusListToken] = []
        for unverified in newest {
            let key = try signerKey(unverified.certificates, &board, options)
            do {
                tokens.append(try unverified.verified(by: key, uri: uri, at: options.time, suite: suite))
            } catch {
                throw Reason(error)
            }
        }
        board.verified += tokens
        return tokens
    }

    /// The key of a validated status signer.
    ///
    /// Tokens of one file nearly always have the same signer: validated once.
    private func signerKey(
        _ certificates: [Bytes], _ board: inout StatusBoard, _ options: VerificationOptions
    ) throws(Reason) -> P256PublicKey {
        if let signer = board.signer, signer.certificates == certificates { return signer.key }
        var chain: [Certificate] = []
        for der in certificates {
            do { chain.append(try Certificate.parse(der)) } catch { throw .statusSignerUntrusted }
        }
        let leaf = chain.removeFirst()
        do {
            let path = try CertificatePath.validate(
                leaf: leaf, intermediates: chain, root: root, purpose: .status, at: options.time, suite: suite)
            board.signer = (certificates, path.publicKey)
            return path.publicKey
        } catch {
            throw .statusSignerUntrusted
        }
    }
}

/// The status tokens at hand.
struct StatusBoard {
    private let stapled: [Bytes]
    private let live: [Bytes]
    var verified: [StatusListToken] = []
    /// The last signer that was validated.
    var signer: (certificates: [Bytes], key: P256PublicKey)?

    init(stapled: [Bytes], live: [Bytes]) {
        self.stapled = stapled
        self.live = live
    }

    /// When the oldest list in use was made.
    var oldest: Int64? { verified.map { $0.issuedAt }.min() }

    /// The newest token for a list, with every other one that was made in the same second.
    ///
    /// A malformed one in the file is refused, no matter what it is about. A malformed live one is only what the
    /// network gave, and is skipped.
    func newest(for uri: Bytes) throws(Reason) -> [UnverifiedStatusListToken] {
        var newest: [UnverifiedStatusListToken] = []
        for text in live {
            guard let token = try? UnverifiedStatusListToken.parse(text), token.uri == uri else { continue }
            Self.take(token, &newest)
        }
        guard newest.isEmpty else { return newest }
        for text in stapled {
            let token: UnverifiedStatusListToken
            do { token = try UnverifiedStatusListToken.parse(text) } catch { throw Reason(error) }
            if token.uri == uri { Self.take(token, &newest) }
        }
        return newest
    }

    private static func take(_ token: UnverifiedStatusListToken, _ newest: inout [UnverifiedStatusListToken]) {
        guard let first = newest.first, first.issuedAt >= token.issuedAt else { return newest = [token] }
        if first.issuedAt == token.issuedAt { newest.append(token) }
    }
}
