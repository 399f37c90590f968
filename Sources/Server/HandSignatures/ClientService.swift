import Encodings
import HandSignatures
import Interface
import Storage
import Workers

/// Clients: people who sign at the desk, without accounts.
struct ClientService {
    let environment: Environment
    let judge: SignatureJudge

    var box: TemplateBox { TemplateBox(environment.keys) }
    var templates: TemplateKeeping { TemplateKeeping(environment: environment, judge: judge) }
    var history: ClientHistoryService { ClientHistoryService(environment: environment) }
    var attempts: Attempts { Attempts(environment: environment) }

    // MARK: Looking

    func lookup(_ request: ClientNumber) async throws -> Client {
        let hashes = box.hashes(ofNumber: try DeskRules.number(request.number))
        return try await environment.database.read { transaction in
            guard let stored = try ClientStore(transaction: transaction).find(numberHashes: hashes),
                stored.erased == nil
            else { throw HandSignatureError.clientNotFound }
            return try describe(stored, in: transaction, withNumber: true)
        }
    }

    func find(_ id: String) async throws -> Client {
        try await environment.database.read { transaction in
            guard let stored = try ClientStore(transaction: transaction).find(id: id) else {
                throw HandSignatureError.clientNotFound
            }
            return try describe(stored, in: transaction, withNumber: true)
        }
    }

    /// Without identity numbers and papers.
    ///
    /// - Parameter withFields: whether what clients have in the organisation's fields is told.
    func list(
        _ part: ClientListStore.Part, _ request: ListRequest, withFields: Bool = false
    ) async throws -> Listing<Client> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = ClientListStore(transaction: transaction)
            let (rows, next) = try store.page(part, request, now: now)
            return Listing(
                withFields ? try addFields(to: rows, in: transaction) : rows, next: next?.text,
                counts: request.cursor == nil ? try store.counts(request.words, now: now) : nil)
        }
    }

    // MARK: Changing

    /// Gives a client another name, after a paper that says it; the number stays.
    func change(_ id: String, _ request: ClientChange, _ principal: Principal) async throws -> ClientAct {
        let names = try DeskRules.names(request.givenName, request.familyName)
        let paper = try DeskRules.name(request.paper, "paper")
        let reason = try DeskRules.reason(request.reason)
        let now = environment.now()
        let (client, index) = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id), let template = try clients.template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            (stored.givenName, stored.familyName) = (names.givenName, names.familyName)
            stored.sealed = try resealed(stored, paper: paper, reason: reason)
            try clients.update(stored)
            // No name in the act either: the old one may be one that nobody is to know any more.
            let index = try history.enter(
                try act(
                    .renamed, id, template: template.id, principal, paper: paper, reason: reason,
                    request.circumstances, in: transaction, now: now),
                as: .clientChanged, in: transaction)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        // The old name may be one that nobody is to know any more.
        await environment.scrubAfterAct()
        return ClientAct(client: client, comparison: nil, receipt: try await environment.log.receipt(index))
    }

    /// Forgets a client: template, number, name, history, and what names them in transactions and in the log.
    ///
    /// A transaction keeps that it happened, when, and who took it. Its evidence, record and filled-in document go.
    func erase(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> Acknowledgement {
        let words = try DeskRules.reason(reason.reason)
        let now = environment.now()
        let (index, blobs) = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard let stored = try clients.find(id: id) else { throw HandSignatureError.clientNotFound }
            let entries = ErasureStore(transaction: transaction, slices: environment.slices)
            try entries.forgetEntries(about: id)
            // After everything else was cleared: the entry of this act stays with the person who did it.
            let index = try environment.log.record(
                TrustEvent(
                    .clientErased, account: id, [("by", .text(principal.account)), ("reason", .text(words))]),
                in: transaction, now: now)
            try entries.hand(entry: index, to: principal.account)
            try AttemptStore(transaction: transaction).forget(subjects: [id, stored.numberHash])
            try ClientActStore(transaction: transaction).forget(client: id)
            try TicketStore(transaction: transaction).forget(client: id)
            let copies = try SigningCopyService(environment: environment).forget(client: id, in: transaction)
            let blobs = try SigningStore(transaction: transaction).forget(client: id, at: now) + copies
            try clients.erase(id: id, at: now)
            return (index, blobs)
        }
        await environment.deleteAfterAct(blobs)
        return Acknowledgement(receipt: try await environment.receipt(ofErasure: index))
    }

    // MARK: Parts

    /// An act by the owner of the session, as history and log keep it.
    func act(
        _ kind: ClientHistory.Kind, _ client: String, template: String, _ principal: Principal, paper: String,
        reason: String = "", _ circumstances: Circumstances, in transaction: Transaction, now: Int64
    ) throws -> DeskAct {
        guard let account = try AccountStore(transaction: transaction).find(id: principal.account) else {
            throw HandSignatureError.clientNotFound
        }
        let said = try DeskRules.circumstances(circumstances, DeskStore(transaction: transaction).settings())
        return DeskAct(
            kind, client: client, template: template, by: account, paper: paper, reason: reason, said, time: now,
            salt: environment.randomText(32))
    }

    /// Stores a template under a new id.
    func store(
        _ template: SignatureTemplate, of client: String, in transaction: Transaction, now: Int64
    ) throws -> String {
        var stored = ClientStore.StoredTemplate(
            id: environment.newIdentifier(), client: client, sealed: "", enrolled: now, sittings: 1)
        try templates.seal(template, as: &stored)
        try ClientStore(transaction: transaction).replace(stored)
        return stored.id
    }

    func checkIsFree(_ number: String, in transaction: Transaction) throws {
        guard try ClientStore(transaction: transaction).find(numberHashes: box.hashes(ofNumber: number)) == nil else {
            throw HandSignatureError.numberTaken
        }
    }

    /// A client's identity number, paper and fields.
    func details(_ stored: ClientStore.Stored) throws -> ClientDetails { try ClientDetails(stored, box) }

    func seal(_ details: ClientDetails, of id: String) throws -> String {
        try box.sealText(try details.canonical(), .clientDetails, of: id)
    }

    /// The same details with another paper.
    ///
    /// - Parameter reason: why the client was enrolled again, or has another name; `nil` keeps the one before.
    func resealed(_ stored: ClientStore.Stored, paper: String, reason: String?) throws -> String {
        var details = try details(stored)
        details.paper = paper
        if let reason { details.reason = reason }
        return try seal(details, of: stored.id)
    }

    func describe(
        _ stored: ClientStore.Stored, in transaction: Transaction, withNumber: Bool
    ) throws -> Client {
        let template = try ClientStore(transaction: transaction).template(client: stored.id)
        let (count, last) = try SigningStore(transaction: transaction).count(client: stored.id)
        let details = withNumber ? try details(stored) : nil
        return Client(
            id: stored.id, givenName: stored.givenName, familyName: stored.familyName, tool: stored.tool,
            needsSecondSitting: template?.secondSittingFrom != nil, created: stored.created,
            enrolled: template?.enrolled ?? stored.created, signings: count, lastSigning: last,
            number: details?.number, paper: details?.paper, secondSittingFrom: template?.secondSittingFrom,
            hasChangedHand: template?.sittings == ClientStore.StoredTemplate.visitDue,
            fields: try details?.values(of: ClientFieldStore(transaction: transaction).fields()))
    }
}

extension SignatureTool {
    init(_ tool: Capture.Tool) {
        self =
            switch tool {
            case .pen: .pen
            case .touch: .touch
            case .mouse: .mouse
            }
    }
}
