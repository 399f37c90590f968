import CryptoProvider
import Encodings
import HandSignatures
import Interface
import Storage
import Workers

/// A change of a template that compares, made of the template as it was read.
///
/// Comparing takes a while, and all writes wait for the one that goes on. So it is done before, and the writing takes it
/// over if the template's row is still the same. If not, the writing compares with what is there by then.
struct TemplateChange: Sendable {
    /// - Returns: whether a signature was made from one that was seen before.
    typealias Body = @Sendable (inout SignatureTemplate) throws -> Bool

    fileprivate let seen: ClientStore.StoredTemplate
    /// `nil` if no thread was free: the writing compares.
    fileprivate let made: (template: SignatureTemplate, isReplay: Bool)?
    fileprivate let body: Body
}

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

    // MARK: Changes

    /// Makes a change of a template as it was read; outside of any writing, for it takes a while.
    ///
    /// - Throws: what `body` throws. Then there is nothing to write.
    func prepare(
        _ seen: ClientStore.StoredTemplate, _ body: @escaping TemplateChange.Body
    ) async throws -> TemplateChange {
        try await environment.work.run {
            var template = try open(seen)
            let isReplay = try body(&template)
            return TemplateChange(seen: seen, made: (template: template, isReplay: isReplay), body: body)
        }
    }

    /// Keeps that signatures were seen, accepted or not.
    ///
    /// - Parameter seen: the template that they were compared with; another one by now is a conflict.
    func remember(
        _ captures: [Capture], in seen: ClientStore.StoredTemplate
    ) async throws -> TemplateChange {
        try await prepare(seen, Self.remembering(captures))
    }

    /// As ``remember(_:in:)``, for what was refused: it leaves its trace even if no thread is free.
    func rememberAnyway(
        _ captures: [Capture], in seen: ClientStore.StoredTemplate
    ) async throws -> TemplateChange {
        do {
            return try await remember(captures, in: seen)
        } catch is BlockingWork.Refusal {
            return TemplateChange(seen: seen, made: nil, body: Self.remembering(captures))
        }
    }

    private static func remembering(_ captures: [Capture]) -> TemplateChange.Body {
        return { template in
            var isReplay = false
            for (number, capture) in captures.enumerated() {
                do throws(TemplateError) {
                    if try template.remember(capture) { isReplay = true }
                } catch {
                    throw HandSignatureError(error, place: number + 1)
                }
            }
            return isReplay
        }
    }

    /// A change as it is for a template as it is now.
    func result(
        of change: TemplateChange, on stored: ClientStore.StoredTemplate
    ) throws -> (template: SignatureTemplate, isReplay: Bool) {
        // Every change seals the template again, and no two sealings are alike.
        if let made = change.made, stored.id == change.seen.id, stored.sealed == change.seen.sealed { return made }
        var template = try open(stored)
        let isReplay = try change.body(&template)
        return (template, isReplay)
    }

    /// Stores a change of the client's template, if it is still the one that was seen.
    ///
    /// - Parameter sitting: the time of a second visit, if the change takes its signatures.
    /// - Returns: whether a signature was made from one that was seen before.
    func store(_ change: TemplateChange, _ transaction: Transaction, sitting: Int64? = nil) throws -> Bool {
        var stored = try current(change.seen, transaction)
        if let sitting {
            try stored.checkSecondSitting(at: sitting)
            stored.sittings = 2
        }
        let (template, isReplay) = try result(of: change, on: stored)
        try update(stored, to: template, transaction)
        return isReplay
    }

    /// Takes a signature that was compared before into the template as it is now.
    func learn(
        _ candidate: SignatureTemplate.Candidate, time: Int64, into seen: ClientStore.StoredTemplate,
        _ transaction: Transaction
    ) throws {
        let stored = try current(seen, transaction)
        var template = try open(stored)
        _ = template.learn(candidate, time: time)
        try update(stored, to: template, transaction)
    }

    private func current(
        _ seen: ClientStore.StoredTemplate, _ transaction: Transaction
    ) throws -> ClientStore.StoredTemplate {
        guard let stored = try ClientStore(transaction: transaction).template(client: seen.client),
            stored.id == seen.id
        else { throw HandSignatureError.otherTemplate }
        return stored
    }

    private func update(
        _ current: ClientStore.StoredTemplate, to template: SignatureTemplate, _ transaction: Transaction
    ) throws {
        var stored = current
        if template.needsVisit { stored.sittings = ClientStore.StoredTemplate.visitDue }
        try seal(template, as: &stored)
        try ClientStore(transaction: transaction).update(stored)
    }

    // MARK: Enrolments

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
