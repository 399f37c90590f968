import Documents
import Encodings

extension Verifier {
    /// Checks who presents, to whom and when: holder, audience and freshness.
    func checkHolder(_ parsed: ParsedPresentation, _ options: VerificationOptions, _ draft: inout ReportDraft) {
        let binding: KeyBinding
        do {
            binding = try KeyBinding.verified(
                in: parsed.presentation, holder: parsed.claims.holderKey, suite: suite)
        } catch {
            switch error {
            case .audienceNotText:
                draft.add(.holder, .boundToHolder)
                draft.add(.audience, .audienceNotText)
            case .missingNonce, .missingTime, .badEnd:
                draft.add(.holder, .boundToHolder)
                draft.add(.freshness, Reason(error))
            default:
                draft.add(.holder, Reason(error))
            }
            return
        }
        draft.binding = binding
        draft.add(.holder, .boundToHolder)
        checkAudience(binding, options, &draft)
        do {
            try freshness(binding, parsed.claims, options)
            draft.add(.freshness, options.nonce == nil ? .freshByTimeOnly : .freshByNonce)
        } catch {
            draft.add(.freshness, error)
        }
    }

    private func checkAudience(_ binding: KeyBinding, _ options: VerificationOptions, _ draft: inout ReportDraft) {
        guard let expected = options.audience else {
            let reason = options.acceptsAnyAudience ? Reason.anyAudienceAccepted : .audienceNotGiven
            draft.add(.audience, reason, about: binding.audience)
            return
        }
        do {
            try binding.check(audience: expected)
            draft.add(.audience, .expectedAudience)
        } catch {
            draft.add(.audience, Reason(error), about: binding.audience)
        }
    }

    /// Checks that the credential's own time has begun and has not ended.
    func checkValidity(_ claims: CredentialClaims, _ options: VerificationOptions, _ draft: inout ReportDraft) {
        let begin = max(claims.issuedAt, claims.notBefore ?? claims.issuedAt)
        if begin > options.time + options.clockSkew {
            draft.add(.validity, .credentialFromTheFuture)
        } else if let end = claims.expiresAt, options.time >= end {
            draft.add(.validity, .credentialExpired)
        } else {
            draft.add(.validity, .withinItsTime)
        }
    }

    private func freshness(
        _ binding: KeyBinding, _ claims: CredentialClaims, _ options: VerificationOptions
    ) throws(Reason) {
        do {
            if let nonce = options.nonce { try binding.check(nonce: nonce) }
            try binding.check(at: options.time, maximumAge: options.maximumAge, clockSkew: options.clockSkew)
        } catch {
            throw Reason(error)
        }
        guard binding.issuedAt >= claims.issuedAt - options.clockSkew else { throw .presentedBeforeIssue }
    }
}
