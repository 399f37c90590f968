import Certificates
import CryptoProvider
import Encodings
import HandSignatures
import Interface
import Storage
import Verification
import Workers

/// Reports of transactions, for people who have to judge them: signed by the organisation, checked without it.
struct ReportService {
    let environment: Environment
    let signings: SigningService

    /// The report for programs: canonical JSON.
    func json(_ id: String) async throws -> Bytes {
        let (report, certificate) = try await report(id)
        let now = environment.now()
        return try await environment.work.run {
            let payload = JSON.members([
                ("iat", .integer(now)),
                ("sha256", .text(environment.suite.sha256(try report.canonical()).base64URL)),
            ])
            let signature = try environment.signAtDesk("\(SigningReport.reportType)", payload, by: certificate)
            return try SigningReport.file(report, signature: Bytes(text: signature)).canonical() + [0x0A]
        }
    }

    /// The report for people: one page that loads nothing and runs nothing, and is always the same in a language.
    func page(_ id: String, in catalogue: WordCatalogue) async throws -> Bytes {
        let (report, _) = try await report(id)
        let document = try await signed(id)
        return try await environment.work.run {
            Bytes(text: try SigningReportPage(report, document: document, in: catalogue).html())
        }
    }

    /// The detached signature over the page in a language.
    func pageSignature(_ id: String, in catalogue: WordCatalogue) async throws -> String {
        let page = try await page(id, in: catalogue)
        let payload = JSON.members([
            ("iat", .integer(environment.now())), ("media_type", .text("text/html")),
            ("sha256", .text(environment.suite.sha256(page).base64URL)),
        ])
        return try environment.signAtDesk("\(SigningReport.pageType)", payload, by: try await environment.deskSigner())
    }

    /// Hands out a raw movement, sealed as it is; that is an entry in the log.
    func release(_ id: String, _ reason: Interface.Reason, _ principal: Principal) async throws -> SealedMovement {
        let words = try DeskRules.reason(reason.reason)
        let stored = try await signings.stored(id)
        let evidence = try signings.evidence(of: stored)
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            try environment.log.record(
                TrustEvent(
                    .movementReleased, account: stored.client,
                    [
                        ("by", .text(principal.account)), ("reason", .text(words)),
                        ("transaction", .text(stored.id)),
                    ]),
                in: transaction, now: now)
        }
        return SealedMovement(
            sealed: String(decoding: evidence.movement, as: UTF8.self),
            receipt: try await environment.log.receipt(index))
    }

    /// The bytes that were signed; none where only their digest was kept.
    private func signed(_ id: String) async throws -> Bytes {
        do {
            return try await signings.document(id).bytes
        } catch HandSignatureError.documentNotFound {
            return []
        }
    }

    /// All that a report says.
    ///
    /// It is the same at every request, except for the log's newer checkpoints.
    private func report(_ id: String) async throws -> (JSON, Certificate) {
        let stored = try await signings.stored(id)
        guard !stored.sealed.isEmpty else { throw HandSignatureError.evidenceErased }
        guard let decision = try signings.decision(of: stored), let index = stored.logIndex else {
            throw HandSignatureError.notDecided
        }
        let evidence = try signings.evidence(of: stored)
        let organisation = try await environment.organisation()
        var members: [(String, JSON)] = [
            ("drawing", .string(evidence.drawing)), ("error_rates", evidence.errorRates),
            ("log_index", .integer(index)), ("organisation", .text(organisation.name)), ("plots", evidence.plots),
            ("receipt", .text(try await environment.log.receipt(index).proof)), ("record", decision.record),
            ("record_signature", .string(decision.signature)),
            ("root_fingerprint", .text(String(decoding: Hex.encode(try organisation.root.fingerprint), as: UTF8.self))),
            ("sentence", .text(evidence.comparison.sentence)),
        ]
        if let photograph = evidence.photograph { members.append(("photograph", .text(photograph))) }
        return (.members(members), try await environment.deskSigner())
    }
}
