import CryptoProvider
import Encodings
import Interface
import Storage

/// A client's history: every enrolment, second visit, change of name or of fields, sealed, and never overwritten.
struct ClientHistoryService {
    let environment: Environment

    private var box: TemplateBox { TemplateBox(environment.keys) }

    /// Keeps an act and enters it in the log, in the act's own transaction.
    ///
    /// The entry says nothing about the person in clear: it has the digest of the sealed act.
    ///
    /// - Returns: the entry's index.
    func enter(_ act: DeskAct, as event: TrustEvent.Kind, in transaction: Transaction) throws -> Int64 {
        let canonical = try act.canonical()
        let id = environment.newIdentifier()
        let index = try environment.log.record(
            TrustEvent(
                event, account: act.client,
                [
                    ("act", .text(environment.suite.sha256(canonical).base64URL)), ("by", .text(act.operatorID)),
                    ("template", .text(act.template)),
                ]),
            in: transaction, now: act.time)
        try ClientActStore(transaction: transaction).insert(
            ClientActStore.Stored(
                id: id, client: act.client, kind: act.kind, time: act.time, operatorID: act.operatorID,
                template: act.template, sealed: try box.sealText(canonical, .clientAct, of: id), logIndex: index))
        return index
    }

    /// The act, as it was sealed.
    func open(_ stored: ClientActStore.Stored) throws -> DeskAct {
        try DeskAct(box.openText(stored.sealed, .clientAct, of: stored.id))
    }

    /// The record's statement about the enrolment that a transaction rests on.
    ///
    /// - Parameter paper: as the client's row has it, for who was enrolled before operators were recorded.
    func enrolment(
        of template: ClientStore.StoredTemplate, paper: String, in transaction: Transaction
    ) throws -> JSON {
        guard
            let stored = try ClientActStore(transaction: transaction).enrolment(
                client: template.client, template: template.id)
        else { return .members([("paper", .text(paper)), ("time", .integer(template.enrolled))]) }
        let act = try open(stored)
        return .members([
            ("act", .text(environment.suite.sha256(try act.canonical()).base64URL)),
            ("log_index", .integer(stored.logIndex)), ("operator", act.operatorFacts), ("paper", .text(act.paper)),
            ("time", .integer(act.time)),
        ])
    }

    /// One page of what was done with a client, or of a part of it, the newest first.
    func acts(
        _ client: String, _ part: ClientActListStore.Part, _ request: ListRequest
    ) async throws -> Listing<ClientHistory.Act> {
        try await environment.database.read { transaction in
            _ = try find(client, in: transaction)
            let store = ClientActListStore(transaction: transaction)
            let (acts, next) = try store.page(client: client, part, request)
            return Listing(
                try acts.map(describe), next: next?.text,
                counts: request.cursor == nil ? try store.counts(client: client) : nil)
        }
    }

    /// One page of the failed attempts at all desks, or of those on a client, the newest first.
    ///
    /// Those on a client begin before the enrolment: with the attempts of the number's owner to be enrolled.
    func attempts(
        on client: String?, _ part: AttemptListStore.Part, _ request: ListRequest
    ) async throws -> Listing<DeskAttempt> {
        try await environment.database.read { transaction in
            let subjects = try client.map { id in
                let found = try find(id, in: transaction)
                return [found.id, found.numberHash]
            }
            let store = AttemptListStore(transaction: transaction)
            let (attempts, next) = try store.page(subjects: subjects, part, request)
            return Listing(
                attempts, next: next?.text,
                counts: request.cursor == nil ? try store.counts(subjects: subjects, request.words) : nil)
        }
    }

    private func find(_ client: String, in transaction: Transaction) throws -> ClientStore.Stored {
        guard let found = try ClientStore(transaction: transaction).find(id: client) else {
            throw HandSignatureError.clientNotFound
        }
        return found
    }

    private func describe(_ stored: ClientActStore.Stored) throws -> ClientHistory.Act {
        let act = try open(stored)
        return ClientHistory.Act(
            kind: act.kind, time: act.time, operatorID: act.operatorID, operatorName: act.operatorName,
            paper: act.paper, reason: act.reason, identified: act.circumstances.identified,
            device: act.circumstances.device, place: act.circumstances.place, fields: act.fields,
            logIndex: stored.logIndex)
    }
}
