import Encodings
import HandSignatures
import Interface
import Storage

/// Clients: people who sign at the desk, without accounts.
struct ClientService {
    let environment: Environment
    let judge: SignatureJudge

    private var box: TemplateBox { TemplateBox(environment.keys) }
    private var templates: TemplateKeeping { TemplateKeeping(environment: environment, judge: judge) }

    // MARK: Looking

    func lookup(_ request: ClientNumber) async throws -> Client {
        let hash = box.hash(ofNumber: try DeskRules.number(request.number))
        return try await environment.database.read { transaction in
            guard let stored = try ClientStore(transaction: transaction).find(numberHash: hash), stored.erased == nil
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

    func list() async throws -> [Client] {
        try await environment.database.read { transaction in
            try ClientStore(transaction: transaction).list(limit: Limits.listing).map {
                try describe($0, in: transaction, withNumber: false)
            }
        }
    }

    // MARK: Enrolment

    /// Registers a client whose signatures go together and whose check signature is like them.
    func register(_ request: NewClient) async throws -> ClientAct {
        let number = try DeskRules.number(request.number)
        let givenName = try DeskRules.name(request.givenName, "given_name")
        let familyName = try DeskRules.name(request.familyName, "family_name")
        let paper = try DeskRules.name(request.paper, "paper")
        let hash = box.hash(ofNumber: number)
        try await environment.database.read { try checkIsFree(hash, in: $0) }
        let now = environment.now()
        let (template, comparison) = try templates.make(request.signatures, now: now)
        let id = environment.newIdentifier()
        let stored = ClientStore.Stored(
            id: id, numberHash: hash, givenName: givenName, familyName: familyName,
            tool: SignatureTool(template.tool),
            sealed: try sealDetails(number: number, paper: paper, reason: "", of: id),
            created: now)
        let (client, index) = try await environment.database.write { transaction in
            try checkIsFree(hash, in: transaction)
            try ClientStore(transaction: transaction).insert(stored)
            let index = try store(
                template, of: id, kind: .clientEnrolled, in: transaction, now: now)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        return ClientAct(
            client: client, comparison: comparison, receipt: try await environment.log.receipt(index))
    }

    /// Puts a new template in the place of a client's old one, of which nothing stays.
    func reenrol(_ id: String, _ request: Reenrolment) async throws -> ClientAct {
        let paper = try DeskRules.name(request.paper, "paper")
        let reason = try DeskRules.reason(request.reason)
        let now = environment.now()
        let (made, comparison) = try templates.make(request.signatures, now: now)
        let (client, index) = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id), let old = try clients.template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            var template = made
            guard template.inherit(from: try templates.open(old)) == nil else { throw HandSignatureError.replayed }
            stored.tool = SignatureTool(template.tool)
            stored.sealed = try sealDetails(
                number: try number(of: stored), paper: paper, reason: reason, of: id)
            try clients.update(stored)
            let index = try store(
                template, of: id, kind: .clientReenrolled, in: transaction, now: now)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        try await environment.database.scrub()
        return ClientAct(
            client: client, comparison: comparison, receipt: try await environment.log.receipt(index))
    }

    /// Gives a client another name, after she has shown a paper that says it; her number stays.
    func change(_ id: String, _ request: ClientChange, _ principal: Principal) async throws -> ClientAct {
        let givenName = try DeskRules.name(request.givenName, "given_name")
        let familyName = try DeskRules.name(request.familyName, "family_name")
        let paper = try DeskRules.name(request.paper, "paper")
        let reason = try DeskRules.reason(request.reason)
        let now = environment.now()
        let (client, index) = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id), let template = try clients.template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            (stored.givenName, stored.familyName) = (givenName, familyName)
            stored.sealed = try sealDetails(
                number: try number(of: stored), paper: paper, reason: reason, of: id)
            try clients.update(stored)
            // No name: what an entry commits to stands in clear beside it.
            let index = try environment.log.record(
                TrustEvent(
                    .clientChanged, account: id,
                    [("by", .text(principal.account)), ("template", .text(template.id))]),
                in: transaction, now: now)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        // The old name may be one that nobody is to know any more.
        try await environment.database.scrub()
        return ClientAct(client: client, comparison: nil, receipt: try await environment.log.receipt(index))
    }

    /// Takes the signatures of a second visit into the template, each if it is like those of the first.
    func addSitting(_ id: String, _ request: SecondSitting) async throws -> ClientAct {
        let paper = try DeskRules.name(request.paper, "paper")
        guard request.signatures.count == SignatureTemplate.secondSitting else {
            throw HandSignatureError.invalid("signatures: \(SignatureTemplate.secondSitting).")
        }
        let now = environment.now()
        try await environment.database.read { transaction in
            guard let template = try ClientStore(transaction: transaction).template(client: id) else {
                throw HandSignatureError.clientNotFound
            }
            try template.checkSecondSitting(at: now)
        }
        let captures = try judge.read(request.signatures)
        var template: ClientStore.StoredTemplate?
        for (number, capture) in captures.enumerated() {
            let (found, judgement) = try await templates.judge(capture, client: id)
            guard judgement.comparison.isMatch else {
                try await refuseSitting(captures[...number], found)
                throw HandSignatureError.unlikeSitting(number + 1)
            }
            guard template?.id ?? found.id == found.id else { throw HandSignatureError.otherTemplate }
            template = found
        }
        guard let expected = template else { throw HandSignatureError.clientNotFound }
        do {
            return try await take(captures, of: id, into: expected, paper: paper, now: now)
        } catch HandSignatureError.replayed {
            try await refuseSitting(captures[...], expected)
            throw HandSignatureError.replayed
        }
    }

    /// Stores the signatures of a second visit, which are all like her.
    private func take(
        _ captures: [Capture], of id: String, into expected: ClientStore.StoredTemplate, paper: String, now: Int64
    ) async throws -> ClientAct {
        let (client, index) = try await environment.database.write { transaction in
            try templates.change(expected, transaction, sitting: now) { template in
                do throws(TemplateError) {
                    try template.addSitting(captures, time: now)
                } catch {
                    throw HandSignatureError(error, place: 1)
                }
            }
            let clients = ClientStore(transaction: transaction)
            guard var stored = try clients.find(id: id) else { throw HandSignatureError.clientNotFound }
            let known = try details(stored)
            stored.sealed = try sealDetails(number: known.number, paper: paper, reason: known.reason, of: id)
            try clients.update(stored)
            let index = try environment.log.record(
                TrustEvent(.clientSecondSitting, account: id, [("template", .text(expected.id))]),
                in: transaction, now: now)
            return (try describe(stored, in: transaction, withNumber: true), index)
        }
        return ClientAct(client: client, comparison: nil, receipt: try await environment.log.receipt(index))
    }

    /// Keeps that somebody tried, and how: the same movements do not work later, and the log counts.
    ///
    /// - Parameter captures: all that were compared. Those before the one that is not like her may be a forger's, too.
    private func refuseSitting(_ captures: ArraySlice<Capture>, _ seen: ClientStore.StoredTemplate) async throws {
        let now = environment.now()
        _ = try await environment.database.write { transaction in
            try templates.rememberAll(captures, in: seen, transaction)
            return try environment.log.record(
                TrustEvent(.clientSittingRefused, account: seen.client, [("template", .text(seen.id))]),
                in: transaction, now: now)
        }
    }

    /// Forgets a client: template, number and name.
    ///
    /// Transactions stay, sealed, as evidence of what was agreed.
    func erase(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> Acknowledgement {
        let words = try DeskRules.reason(reason.reason)
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let clients = ClientStore(transaction: transaction)
            guard try clients.find(id: id) != nil else { throw HandSignatureError.clientNotFound }
            try clients.erase(id: id, at: now)
            try SigningStore(transaction: transaction).forgetPending(client: id)
            return try environment.log.record(
                TrustEvent(
                    .clientErased, account: id, [("by", .text(principal.account)), ("reason", .text(words))]),
                in: transaction, now: now)
        }
        try await environment.database.scrub()
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    // MARK: Parts

    /// Stores a template under a new id and enters it in the log.
    private func store(
        _ template: SignatureTemplate, of client: String, kind: TrustEvent.Kind, in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        var stored = ClientStore.StoredTemplate(
            id: environment.newIdentifier(), client: client, sealed: "", enrolled: now, sittings: 1)
        try templates.seal(template, as: &stored)
        try ClientStore(transaction: transaction).replace(stored)
        // Nothing about the person: what an entry commits to stands in clear beside it.
        return try environment.log.record(
            TrustEvent(kind, account: client, [("template", .text(stored.id))]), in: transaction, now: now)
    }

    private func checkIsFree(_ hash: String, in transaction: Transaction) throws {
        guard try ClientStore(transaction: transaction).find(numberHash: hash) == nil else {
            throw HandSignatureError.numberTaken
        }
    }

    /// - Parameter reason: why she was enrolled anew, or has another name.
    private func sealDetails(number: String, paper: String, reason: String, of id: String) throws -> String {
        let details = JSON.members([("number", .text(number)), ("paper", .text(paper)), ("reason", .text(reason))])
        return try box.sealText(try details.canonical(), .clientDetails, of: id)
    }

    /// A client's identity number.
    func number(of stored: ClientStore.Stored) throws -> String { try details(stored).number }

    private func details(_ stored: ClientStore.Stored) throws -> (number: String, paper: String, reason: String) {
        let opened = try box.openText(stored.sealed, .clientDetails, of: stored.id)
        guard let json = try? JSON.parse(opened), let number = json["number"]?.string,
            let paper = json["paper"]?.string, let reason = json["reason"]?.string
        else { throw StoredValueError(column: "clients.sealed") }
        return (
            String(decoding: number, as: UTF8.self), String(decoding: paper, as: UTF8.self),
            String(decoding: reason, as: UTF8.self)
        )
    }

    private func describe(
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
            hasChangedHand: template?.sittings == ClientStore.StoredTemplate.visitDue)
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
