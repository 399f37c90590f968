import CryptoProvider
import Encodings
import HandSignatures
import Interface
import Storage
import Workers

/// Templates between their sealed form in the database and their use.
struct TemplateKeeping {
    let environment: Environment
    let judge: SignatureJudge

    private var box: TemplateBox { TemplateBox(environment.keys) }

    func open(_ stored: ClientStore.StoredTemplate) throws -> SignatureTemplate {
        do {
            return try SignatureTemplate(file: try box.openText(stored.sealed, .template, of: stored.id))
        } catch is TemplateError {
            throw StoredValueError(column: "client_templates.sealed")
        }
    }

    func seal(_ template: SignatureTemplate, as stored: inout ClientStore.StoredTemplate) throws {
        stored.sealed = try box.sealText(template.file(), .template, of: stored.id)
    }

    /// A client's template, and a signature compared with it; outside of any writing, for it takes a while.
    func judge(
        _ capture: Capture, client: String
    ) async throws -> (
        template: ClientStore.StoredTemplate, judgement: SignatureJudge.Judgement
    ) {
        let stored = try await environment.database.read { transaction in
            let store = ClientStore(transaction: transaction)
            guard try store.find(id: client) != nil, let template = try store.template(client: client) else {
                throw HandSignatureError.clientNotFound
            }
            return template
        }
        return (stored, try await environment.work.run { try judge.judge(capture, against: open(stored)) })
    }

    /// Keeps in the client's template that a signature was seen, accepted or not.
    ///
    /// - Parameter expected: the template that it was compared with; another one by now is a conflict.
    /// - Returns: whether it was made from one that was seen before.
    func remember(
        _ capture: Capture, in expected: ClientStore.StoredTemplate, _ transaction: Transaction
    ) throws -> Bool {
        var isReplay = false
        try change(expected, transaction) { template in
            do throws(TemplateError) {
                isReplay = try template.remember(capture)
            } catch {
                throw HandSignatureError(error, place: 1)
            }
        }
        return isReplay
    }

    /// Keeps that all of these were seen.
    func rememberAll(
        _ captures: ArraySlice<Capture>, in expected: ClientStore.StoredTemplate, _ transaction: Transaction
    ) throws {
        try change(expected, transaction) { template in
            for (number, capture) in captures.enumerated() {
                do throws(TemplateError) {
                    _ = try template.remember(capture)
                } catch {
                    throw HandSignatureError(error, place: number + 1)
                }
            }
        }
    }

    /// Changes a template as it is now, if it is still the one that was seen.
    ///
    /// - Parameter sitting: the time of a second visit, if the change takes its signatures.
    func change(
        _ expected: ClientStore.StoredTemplate, _ transaction: Transaction, sitting: Int64? = nil,
        _ body: (inout SignatureTemplate) throws -> Void
    ) throws {
        let store = ClientStore(transaction: transaction)
        guard var stored = try store.template(client: expected.client), stored.id == expected.id else {
            throw HandSignatureError.otherTemplate
        }
        if let sitting {
            try stored.checkSecondSitting(at: sitting)
            stored.sittings = 2
        }
        var template = try open(stored)
        try body(&template)
        if template.needsVisit { stored.sittings = ClientStore.StoredTemplate.visitDue }
        try seal(template, as: &stored)
        try store.update(stored)
    }

    /// Makes a template of five signatures that go together and a sixth that is like them; that takes a while.
    ///
    /// - Returns: the template with the check signature remembered, and how that one compared.
    func make(
        _ signatures: NewSignatures, now: Int64
    ) async throws -> (template: SignatureTemplate, check: Interface.Comparison) {
        try await environment.work.run { try compare(signatures, now: now) }
    }

    private func compare(
        _ signatures: NewSignatures, now: Int64
    ) throws(HandSignatureError) -> (template: SignatureTemplate, check: Interface.Comparison) {
        guard signatures.references.count == HandSignatures.Enrolment.size else {
            throw .invalid("references: five signatures.")
        }
        let captures = try judge.read(signatures.references)
        let strangers = try judge.strangers(captures)
        guard strangers.isEmpty else { throw .unlike(strangers) }
        let check = try judge.read([signatures.check], first: 6)[0]
        guard check.tool == captures[0].tool else { throw .otherTool }
        var template: SignatureTemplate
        let isReplay: Bool
        do throws(TemplateError) {
            template = try SignatureTemplate(captures, times: captures.map { _ in now })
            isReplay = try template.remember(check)
        } catch {
            throw HandSignatureError(error, place: 1)
        }
        guard !isReplay else { throw .replayed }
        let comparison = try judge.judge(check, against: template).comparison
        guard comparison.isMatch else { throw .checkFailed }
        return (template, comparison)
    }
}
