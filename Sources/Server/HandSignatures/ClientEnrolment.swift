import Encodings
import HandSignatures
import Interface
import Storage
import Workers

/// Enrolments and second visits: the operator who did them is recorded, and so is every refusal.
extension ClientService {
    /// Registers a client whose signatures go together and whose check signature is like them.
    func register(_ request: NewClient, _ principal: Principal) async throws -> ClientAct {
        let number = try DeskRules.number(request.number)
        let names = try DeskRules.names(request.givenName, request.familyName)
        let paper = try DeskRules.name(request.paper, "paper")
        try await check(request.circumstances)
        let fields = try await checked(request.fields ?? [])
        let hash = box.hash(ofNumber: number)
        try await environment.database.read { try checkIsFree(number, in: $0) }
        let now = environment.now()
        let (template, comparison) = try await attempts.keeping(.enrolment, of: hash, by: principal.account) {
            try await templates.make(request.signatures, now: now)
        }
        let id = environment.newIdentifier()
        let stored = ClientStore.Stored(
            id: id, numberHash: hash, givenName: names.givenName, familyName: names.familyName,
            tool: SignatureTool(template.tool),
            sealed: try seal(ClientDetails(number: number, paper: paper, fields: fields), of: id),
            created: now)
        let (client, index) = try await environment.database.write { transaction in
            try checkIsFree(number, in: transaction)
            try ClientStore(transaction: transaction).insert(stored)
            let made = try store(template, of: id, in: transaction, now: now)
            let index = try history.enter(
                try act(
                    .enrolled, id, template: made, principal, paper: paper, request.circumstances, in: transaction,
                    now: now),
                as: .clientEnrolled, in: transaction)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        return ClientAct(
            client: client, comparison: comparison, receipt: try await environment.log.receipt(index))
    }

    /// Replaces a client's template without keeping any of it, and ends everything pending under it.
    func reenrol(_ id: String, _ request: Reenrolment, _ principal: Principal) async throws -> ClientAct {
        let paper = try DeskRules.name(request.paper, "paper")
        let reason = try DeskRules.reason(request.reason)
        try await check(request.circumstances)
        let decisions = SigningDecisions(environment: environment)
        let signer = try? await environment.deskSigner()
        let now = environment.now()
        let done = try await attempts.keeping(.reenrolment, of: id, by: principal.account) {
            _ = try await find(id)
            let (made, check) = try await templates.make(request.signatures, now: now)
            let change = try await inheriting(made, from: id)
            return try await environment.database.write { transaction in
                let clients = ClientStore(transaction: transaction)
                guard var stored = try clients.find(id: id), let old = try clients.template(client: id) else {
                    throw HandSignatureError.clientNotFound
                }
                let template = try templates.result(of: change, on: old).template
                stored.tool = SignatureTool(template.tool)
                stored.sealed = try resealed(stored, paper: paper, reason: reason)
                try clients.update(stored)
                let ended = try decisions.end(client: id, by: signer, in: transaction, now: now)
                let new = try store(template, of: id, in: transaction, now: now)
                let index = try history.enter(
                    try act(
                        .reenrolled, id, template: new, principal, paper: paper, reason: reason,
                        request.circumstances, in: transaction, now: now),
                    as: .clientReenrolled, in: transaction)
                return (try describe(stored, in: transaction, withNumber: true), check, index, ended)
            }
        }
        let (client, comparison, index, ended) = done
        for signing in ended { decisions.announce(signing) }
        await environment.scrubAfterAct()
        return ClientAct(
            client: client, comparison: comparison, receipt: try await environment.log.receipt(index))
    }

    /// A new template with the traces of the one in whose place it comes, whose signatures are recordings now.
    private func inheriting(_ made: SignatureTemplate, from id: String) async throws -> TemplateChange {
        let old = try await environment.database.read { try ClientStore(transaction: $0).template(client: id) }
        guard let old else { throw HandSignatureError.clientNotFound }
        return try await templates.prepare(old) { template in
            var new = made
            guard new.inherit(from: template) == nil else { throw HandSignatureError.replayed }
            template = new
            return false
        }
    }

    /// Takes the signatures of a second visit into the template, each if it is like those of the first.
    func addSitting(_ id: String, _ request: SecondSitting, _ principal: Principal) async throws -> ClientAct {
        let paper = try DeskRules.name(request.paper, "paper")
        guard request.signatures.count == SignatureTemplate.secondSitting else {
            throw HandSignatureError.invalid("signatures: \(SignatureTemplate.secondSitting).")
        }
        try await check(request.circumstances)
        let now = environment.now()
        try await environment.database.read { transaction in
            guard let template = try ClientStore(transaction: transaction).template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            try template.checkSecondSitting(at: now)
        }
        return try await attempts.keeping(.sitting, of: id, by: principal.account) {
            let captures = try await environment.work.run { try judge.read(request.signatures) }
            var template: ClientStore.StoredTemplate?
            for (number, capture) in captures.enumerated() {
                let (found, judgement) = try await templates.judge(capture, client: id)
                guard judgement.comparison.isMatch else {
                    try await refuseSitting(captures[...number], found, principal)
                    throw HandSignatureError.unlikeSitting(number + 1)
                }
                guard template?.id ?? found.id == found.id else { throw HandSignatureError.otherTemplate }
                template = found
            }
            guard let expected = template else { throw HandSignatureError.clientNotFound }
            do {
                return try await take(captures, into: expected, paper: paper, request.circumstances, principal, now)
            } catch HandSignatureError.replayed {
                try await refuseSitting(captures[...], expected, principal)
                throw HandSignatureError.replayed
            }
        }
    }

    /// Refuses at once what cannot be recorded, before anybody's signatures are looked at.
    private func check(_ circumstances: Circumstances) async throws {
        let settings = try await environment.database.read { try DeskStore(transaction: $0).settings() }
        _ = try DeskRules.circumstances(circumstances, settings)
    }

    /// Stores the signatures of a second visit, which are all like the first ones.
    private func take(
        _ captures: [Capture], into expected: ClientStore.StoredTemplate, paper: String,
        _ circumstances: Circumstances, _ principal: Principal, _ now: Int64
    ) async throws -> ClientAct {
        let id = expected.client
        let change = try await templates.prepare(expected) { template in
            do throws(TemplateError) {
                try template.addSitting(captures, time: now)
            } catch {
                throw HandSignatureError(error, place: 1)
            }
            return false
        }
        let (client, index) = try await environment.database.write { transaction in
            _ = try templates.store(change, transaction, sitting: now)
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id) else { throw HandSignatureError.clientNotFound }
            stored.sealed = try resealed(stored, paper: paper, reason: nil)
            try clients.update(stored)
            let index = try history.enter(
                try act(
                    .secondSitting, id, template: expected.id, principal, paper: paper, circumstances,
                    in: transaction, now: now),
                as: .clientSecondSitting, in: transaction)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        return ClientAct(client: client, comparison: nil, receipt: try await environment.log.receipt(index))
    }

    /// Records the attempt and its movements: the same movements do not work later, and the log counts.
    ///
    /// - Parameter captures: all that were compared. Those before the one that is unlike may be a forger's, too.
    private func refuseSitting(
        _ captures: ArraySlice<Capture>, _ seen: ClientStore.StoredTemplate, _ principal: Principal
    ) async throws {
        let now = environment.now()
        let change = try await templates.rememberAnyway(Array(captures), in: seen)
        _ = try await environment.database.write { transaction in
            _ = try templates.store(change, transaction)
            return try environment.log.record(
                TrustEvent(
                    .clientSittingRefused, account: seen.client,
                    [("by", .text(principal.account)), ("template", .text(seen.id))]),
                in: transaction, now: now)
        }
    }
}
