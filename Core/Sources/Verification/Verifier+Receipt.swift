import Documents
import Encodings
import Transparency

extension Verifier {
    /// What a receipt proved.
    struct ReceiptEvidence {
        let reason: Reason
        /// When the log recorded the credential; only with a receipt that holds.
        let loggedAt: Int64?

        init(_ reason: Reason, loggedAt: Int64? = nil) {
            self.reason = reason
            self.loggedAt = loggedAt
        }
    }

    /// Checks that the pinned log holds this credential.
    func receipt(
        _ bundle: PresentationBundle, _ parsed: ParsedPresentation, _ options: VerificationOptions
    ) -> ReceiptEvidence {
        guard let text = bundle.receipt else {
            return ReceiptEvidence(policy == nil ? .noReceipt : .receiptMissing)
        }
        guard let policy else { return ReceiptEvidence(.noLogKey) }
        let verified: VerifiedReceipt
        do {
            verified = try Receipt.verify(text, policy: policy, suite: suite)
        } catch {
            return ReceiptEvidence(Reason(error))
        }
        guard isAbout(parsed, verified) else { return ReceiptEvidence(.receiptForAnotherCredential) }
        guard verified.entry.time <= options.time + options.clockSkew else {
            return ReceiptEvidence(.receiptFromTheFuture)
        }
        return ReceiptEvidence(.logged, loggedAt: verified.entry.time)
    }

    /// Whether the record names this credential by its digest, and the same place in the same status list.
    private func isAbout(_ parsed: ParsedPresentation, _ receipt: VerifiedReceipt) -> Bool {
        let isIdentity = parsed.claims.typeName.equals("identity")
        guard receipt.entry.type.equals(isIdentity ? "member.identified" : "document.issued"),
            let text = receipt.record["credential"]?.string,
            Base64.decode(text, .url) == parsed.presentation.credentialDigest(suite: suite)
        else { return false }
        return receipt.record["status_index"]?.integer == parsed.claims.status?.index
            && receipt.record["status_uri"]?.string == parsed.claims.status?.uri
    }
}
