import Certificates
import CryptoProvider
import Encodings
import Foundation
import Transparency
import Verification
import Wallet

/// A verifier: the root and log key it pinned, who it is, what it asked.
///
/// It has no account and no network.
struct DemoEmployer {
    let verifier: Verifier<SwiftCryptoSuite>
    var audience = DemoStory.employer
    var nonce: String? = DemoStory.nonce

    /// Pins what the organisation published.
    init(_ trust: PinnedTrust) {
        verifier = Verifier(root: trust.root, policy: trust.policy, suite: SwiftCryptoSuite())
    }

    func asking(audience: String) -> DemoEmployer {
        var other = self
        other.audience = audience
        return other
    }

    func asking(nonce: String) -> DemoEmployer {
        var other = self
        other.nonce = nonce
        return other
    }

    /// - Parameter live: status tokens fetched now, instead of the stapled ones.
    func verify(_ file: Bytes, at time: Int64? = nil, live: [Bytes] = []) throws -> VerificationReport {
        verifier.verify(
            file,
            options: VerificationOptions(
                time: time ?? Int64(Date().timeIntervalSince1970), audience: Bytes(text: audience),
                nonce: nonce.map { Bytes(text: $0) }, liveStatus: live))
    }

    /// Demands that a file is not valid, because of this check.
    ///
    /// - Returns: why, in words.
    func refusal(_ file: Bytes, check: CheckName, live: [Bytes] = []) throws -> String {
        let report = try verify(file, live: live)
        try demand(report.verdict == .notValid, "it was accepted")
        try demand(report.check(check).result == .failed, "refused otherwise: \(words(report))")
        return "\(check.code): \(report.check(check).detail.text)"
    }

    /// What did not pass, in words.
    func words(_ report: VerificationReport) -> String {
        report.checks.filter { $0.result != .passed }.map { "\($0.name.code): \($0.detail.text)" }
            .joined(separator: "; ")
    }
}
