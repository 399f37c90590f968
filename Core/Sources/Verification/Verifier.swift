public import Certificates
public import Documents
public import Encodings
public import Transparency

/// The whole check of a presentation, offline: everything it needs is pinned beforehand or in the file.
public struct Verifier<Suite: CryptoSuite>: Sendable {
    /// The pinned root.
    let root: TrustAnchor
    /// The pinned key of the organisation's log, if there is one.
    let policy: LogPolicy?
    let suite: Suite

    /// Pins what is trusted.
    ///
    /// - Parameters:
    ///   - root: the organisation's root certificate, from anywhere but the file that is checked.
    ///   - policy: whose log, and how many witnesses; without it receipts are not looked at.
    public init(root: TrustAnchor, policy: LogPolicy? = nil, suite: Suite) {
        self.root = root
        self.policy = policy
        self.suite = suite
    }

    /// Checks a file.
    public func verify(_ file: Bytes, options: VerificationOptions) -> VerificationReport {
        guard PresentationBundle.isLikely(file) else {
            var draft = ReportDraft()
            draft.add(.format, .notAPresentation)
            return draft.finished()
        }
        do {
            return verify(try PresentationBundle.parse(file), options: options)
        } catch {
            var draft = ReportDraft()
            draft.add(.format, Reason(error))
            return draft.finished()
        }
    }

    /// Checks the parts of a file.
    public func verify(_ bundle: PresentationBundle, options: VerificationOptions) -> VerificationReport {
        var draft = ReportDraft()
        guard let parsed = Self.parse(bundle, &draft) else { return draft.finished() }
        // The receipt is looked at first, because it decides at which time the certificates must be valid.
        let receipt = receipt(bundle, parsed, options)
        let signed: (credential: SignedSDJWT, path: ValidatedPath)
        do {
            signed = try chain(parsed, loggedAt: receipt.loggedAt, options)
        } catch {
            draft.add(.chain, error)
            return draft.finished()
        }
        draft.add(.chain, .trustedChain)
        draft.signer = VerificationReport.Signer(signed.path, issuerName: parsed.claims.issuerName)
        do {
            let content = try Self.digests(
                signed.credential, parsed, bundle, requiresDocument: options.requiresDocument, suite: suite)
            draft.add(.digest, content.document == nil ? .asSigned : .documentAsSigned)
            draft.content = content
        } catch {
            draft.add(.digest, error)
        }
        checkValidity(parsed.claims, options, &draft)
        checkHolder(parsed, options, &draft)
        checkRevocation(parsed.claims, signed.path, bundle, loggedAt: receipt.loggedAt, options, &draft)
        draft.add(.receipt, receipt.reason)
        draft.loggedAt = receipt.loggedAt
        return draft.finished()
    }

    static func parse(_ bundle: PresentationBundle, _ draft: inout ReportDraft) -> ParsedPresentation? {
        let presentation: UnverifiedSDJWT
        let certificates: [Bytes]
        do {
            presentation = try UnverifiedSDJWT.parse(bundle.presentation)
            certificates = try presentation.certificates()
        } catch {
            draft.add(.format, Reason(error))
            return nil
        }
        guard let type = presentation.credential.header["typ"], type.isString("dc+sd-jwt") else {
            draft.add(.format, .wrongType)
            return nil
        }
        do {
            let claims = try CredentialClaims(payload: presentation.credential.payload)
            draft.add(.format, .wellFormed)
            return ParsedPresentation(presentation: presentation, certificates: certificates, claims: claims)
        } catch .holderKey {
            draft.add(.format, .wellFormed)
            draft.add(.holder, .holderKeyMissing)
            return nil
        } catch {
            draft.add(.format, .claimMalformed, about: error.claim)
            return nil
        }
    }
}

/// A presentation that is well formed, with nothing proved about it.
struct ParsedPresentation {
    let presentation: UnverifiedSDJWT
    let certificates: [Bytes]
    let claims: CredentialClaims
}

/// A report in the making.
struct ReportDraft {
    private var checks: [Check] = []
    var signer: VerificationReport.Signer?
    var content: VerificationReport.Content?
    var binding: KeyBinding?
    var loggedAt: Int64?
    var statusAt: Int64?

    mutating func add(_ name: CheckName, _ reason: Reason, about subject: Bytes = []) {
        checks.append(Check(name, reason, about: subject))
    }

    /// Why the first check that fails does.
    var firstFailure: Reason? { checks.first { $0.result == .failed }?.reason }

    /// The report, with `notReached` for every check that was not made.
    func finished() -> VerificationReport {
        let all = CheckName.allCases.map { name in
            checks.first { $0.name == name } ?? Check(name, .notReached)
        }
        return VerificationReport(
            checks: all, signer: signer, content: content, binding: binding, loggedAt: loggedAt, statusAt: statusAt)
    }
}
