import Certificates
import CryptoProvider
import Encodings
import HandSignatures
import Interface
import Storage
import Verification
import Workers

/// Transactions: a client signs a document by hand, the movement is compared, the operator decides.
struct SigningService {
    let environment: Environment
    let judge: SignatureJudge

    private var box: TemplateBox { TemplateBox(environment.keys) }
    private var decisions: SigningDecisions { SigningDecisions(environment: environment) }
    private var templates: TemplateKeeping { TemplateKeeping(environment: environment, judge: judge) }
    private var tickets: SigningTickets { SigningTickets(environment: environment) }

    /// The document as this client would sign it, and a ticket to sign it with.
    func render(_ document: String, _ request: RenderingRequest, _ principal: Principal) async throws -> Rendering {
        let client = try await client(request.client)
        let rendered = try await rendered(document, client)
        let ticket = try await tickets.issue(
            SigningTickets.Purpose(client: client.id, document: document, digest: rendered.digest), principal)
        return Rendering(
            name: rendered.name, mediaType: rendered.mediaType, content: rendered.bytes.base64URL,
            digest: rendered.digest, version: rendered.version, ticket: ticket.text, expires: ticket.expires)
    }

    private func rendered(_ document: String, _ client: ClientStore.Stored) async throws -> RenderedDocument {
        try await WorkspaceService(environment: environment).render(
            document, client: client,
            details: try ClientService(environment: environment, judge: judge).details(client))
    }

    /// Compares a signature, and keeps what happened: what does not match is refused at once, the rest waits for the
    /// operator.
    ///
    /// A signature that cannot be compared leaves its trace among the attempts.
    func open(_ request: NewSigning, _ principal: Principal) async throws -> Signing {
        // A transaction that cannot be refused now does not count anyway: it stops no other.
        _ = try? await decisions.refuseLapsed()
        let client = try await client(request.client)
        return try await Attempts(environment: environment).keeping(.signing, of: client.id, by: principal.account) {
            try await compare(request, client, principal)
        }
    }

    private func compare(
        _ request: NewSigning, _ client: ClientStore.Stored, _ principal: Principal
    ) async throws -> Signing {
        let field = try DeskRules.name(request.field, "field")
        let device = try DeskRules.device(request.device)
        try DeskRules.identified(request.identified)
        let (settings, account) = try await environment.database.read { transaction in
            (
                try DeskStore(transaction: transaction).settings(),
                try AccountStore(transaction: transaction).find(id: principal.account)
            )
        }
        guard let account else { throw HandSignatureError.clientNotFound }
        try check(request, settings)
        guard let forensic = settings.forensicKey.flatMap(DeviceProof.key) else {
            throw HandSignatureError.noForensicKey
        }
        let rendering = try await rendered(request.document, client)
        guard rendering.digest == request.digest else { throw HandSignatureError.otherDocument }
        let now = environment.now()
        try await environment.database.read { transaction in
            _ = try tickets.check(
                request.ticket, for: Self.purpose(request), capture: request.capture, principal, in: transaction)
            try checkAttempts(SigningStore(transaction: transaction), client: client.id, now: now)
        }
        let capture = try await environment.work.run { try judge.read([request.capture])[0] }
        let (template, judgement) = try await templates.judge(capture, client: client.id)
        let enrolment = try await environment.database.read { transaction in
            try ClientHistoryService(environment: environment).enrolment(
                of: template,
                paper: ClientService(environment: environment, judge: judge).details(client).paper, in: transaction)
        }
        let id = environment.newIdentifier()
        let (drawing, movement) = try await environment.work.run { (Ink.svg(capture), CaptureJSON.write(capture)) }
        let record = SigningRecord(
            transaction: Bytes(text: id), publicURL: Bytes(text: environment.publicURL), signed: now,
            client: try recorded(client),
            before: SigningRecord.Operator(
                id: Bytes(text: account.id), name: Bytes(text: account.name), username: Bytes(text: account.username)),
            document: SigningRecord.Document(
                name: Bytes(text: rendering.name), mediaType: Bytes(text: rendering.mediaType),
                digest: Bytes(text: rendering.digest), version: rendering.version),
            field: Bytes(text: field), device: Bytes(text: device),
            comparison: Self.recorded(judgement.comparison),
            basis: SigningRecord.Basis(
                method: Bytes(text: SignatureJudge.method), model: Bytes(text: judgement.model.digest),
                rates: Bytes(text: judgement.model.ratesDigest), template: Bytes(text: template.id),
                enrolled: template.enrolled, enrolment: enrolment),
            traces: SigningRecord.Traces(
                drawing: Bytes(text: environment.suite.sha256(drawing).base64URL),
                movement: Bytes(text: environment.suite.sha256(movement).base64URL),
                photograph: request.photograph.map { Bytes(text: environment.digest(ofBase64URL: $0)) },
                place: request.place?.facts))
        let evidence = SigningEvidence(
            record: record, drawing: drawing, plots: SigningEvidence.plots(judgement.plots),
            movement: try JWE.seal(movement, to: forensic, type: SigningEvidence.movementType),
            photograph: request.photograph, comparison: judgement.comparison,
            errorRates: judgement.model.errorRates)
        let signing = SigningStore.Stored(
            id: id, state: .pending, client: client.id, operatorID: account.id, document: request.document,
            documentName: rendering.name, digest: box.index(ofDigest: rendering.digest),
            isMatch: judgement.comparison.isMatch,
            created: now, sealed: try box.sealText(evidence.encoded(), .evidence, of: id),
            pending: settings.learns && judgement.comparison.isMatch
                ? try box.sealText(movement, .capture, of: id) : nil)
        return try await store(signing, evidence, rendering, seen: (capture, template), now: now) { transaction in
            try tickets.consume(
                request.ticket, for: Self.purpose(request), capture: request.capture, principal, in: transaction)
        }
    }

    private static func purpose(_ request: NewSigning) -> SigningTickets.Purpose {
        SigningTickets.Purpose(client: request.client, document: request.document, digest: request.digest)
    }

    private func store(
        _ signing: SigningStore.Stored, _ evidence: SigningEvidence, _ rendering: RenderedDocument,
        seen: (capture: Capture, template: ClientStore.StoredTemplate), now: Int64,
        _ consumeTicket: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> Signing {
        let change = try await templates.remember([seen.capture], in: seen.template)
        let blob = try await signedBlob(rendering)
        let (signer, stored) = (try await environment.deskSigner(), signing)
        let done = try await environment.keepingBlob(blob) {
            try await environment.database.write { transaction in
                let signings = SigningStore(transaction: transaction)
                try consumeTicket(transaction)
                try checkAttempts(signings, client: stored.client, now: now)
                let isReplay = try templates.store(change, transaction)
                let workspace = WorkspaceStore(transaction: transaction)
                if try workspace.signedFile(digest: stored.digest) == nil {
                    try workspace.insert(
                        WorkspaceStore.SignedFile(
                            digest: stored.digest, blob: blob, mediaType: rendering.mediaType), at: now)
                }
                var stored = stored
                let judged = stored.isMatch
                stored.isMatch = judged && !isReplay
                stored.pending = stored.isMatch ? stored.pending : nil
                try signings.insert(stored)
                if let refusal = SigningLifecycle.refusal(isMatch: judged, isRecording: isReplay) {
                    try decisions.end(&stored, evidence, refusal, by: signer, in: transaction, now: now)
                }
                let kept = try workspace.signedFile(digest: stored.digest)?.blob
                return (signing: stored, isKept: kept == blob)
            }
        }
        // Another request has stored the same document, just now or earlier.
        if !done.isKept { try await environment.blobs.delete(blob) }
        decisions.announce(done.signing)
        // It was drawn just now, as this version draws.
        return try await describe(done.signing, drawing: String(decoding: evidence.drawing, as: UTF8.self))
    }

    /// The operator's decision.
    ///
    /// - Parameter reason: `nil` to confirm.
    func decide(_ id: String, refusing reason: Interface.Reason?, _ principal: Principal) async throws -> Signing {
        let words = try reason.map { try DeskRules.reason($0.reason) }
        let now = environment.now()
        let signer = try await environment.deskSigner()
        let (drawing, lesson) = try await prepared(id, learning: words == nil, principal)
        let signing = try await environment.database.write { transaction in
            guard var stored = try SigningStore(transaction: transaction).find(id: id) else {
                throw HandSignatureError.signingNotFound
            }
            let evidence = stored.sealed.isEmpty ? nil : try evidence(of: stored)
            var life = SigningLifecycle(stored, template: evidence?.template ?? "")
            let operatorID = Bytes(text: principal.account)
            if words == nil {
                let current = try ClientStore(transaction: transaction).template(client: stored.client)
                try life.confirm(
                    by: operatorID, under: current.map { Bytes(text: $0.id) }, now: now, within: Limits.signingTime)
            } else {
                try life.refuse(by: operatorID, now: now, within: Limits.signingTime)
            }
            guard let evidence else { throw HandSignatureError.evidenceErased }
            guard try ClientStore(transaction: transaction).find(id: stored.client) != nil else {
                throw HandSignatureError.clientNotFound
            }
            if words == nil { try learn(lesson, from: stored, evidence, in: transaction) }
            try decisions.enter(
                &stored, evidence, life.state, reason: words ?? "", by: signer, in: transaction, now: now)
            return stored
        }
        decisions.announce(signing)
        return try await describe(signing, drawing: drawing)
    }

    /// The drawing of a transaction and its lesson for the client's template, made outside of any writing and before it.
    ///
    /// Both take a while, and a decision that was entered is never answered with "busy".
    private func prepared(
        _ id: String, learning: Bool, _ principal: Principal
    ) async throws -> (drawing: String?, lesson: SignatureTemplate.Candidate?) {
        let (signing, template) = try await environment.database.read { transaction in
            guard let stored = try SigningStore(transaction: transaction).find(id: id) else {
                throw HandSignatureError.signingNotFound
            }
            return (stored, try ClientStore(transaction: transaction).template(client: stored.client))
        }
        guard !signing.sealed.isEmpty else { return (drawing: nil, lesson: nil) }
        let drawing = try await shown(try evidence(of: signing))
        guard learning, signing.operatorID == principal.account, signing.state == .pending,
            let sealed = signing.pending, let template
        else { return (drawing: drawing, lesson: nil) }
        let lesson = try await environment.work.run { candidate(sealed, of: id, for: template) }
        return (drawing: drawing, lesson: lesson)
    }

    private func candidate(
        _ sealed: String, of id: String, for template: ClientStore.StoredTemplate
    ) -> SignatureTemplate.Candidate? {
        guard let text = try? box.openText(sealed, .capture, of: id), let capture = try? CaptureJSON.read(text),
            let model = try? judge.model(for: capture.tool).model
        else { return nil }
        return try? templates.open(template).candidate(capture, by: model)
    }

    /// Lets the client's template follow a confirmed signature, where the organisation allows it.
    private func learn(
        _ candidate: SignatureTemplate.Candidate?, from stored: SigningStore.Stored, _ evidence: SigningEvidence,
        in transaction: Transaction
    ) throws {
        guard let candidate, let template = try ClientStore(transaction: transaction).template(client: stored.client),
            // Not one that was made since.
            template.id == evidence.template
        else { return }
        try templates.learn(candidate, time: stored.created, into: template, transaction)
    }
}

extension SigningService {
    // MARK: Looking

    func list(
        _ part: SigningListStore.Part, _ filter: SigningListStore.Filter, _ request: ListRequest
    ) async throws -> Listing<Signing> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = SigningListStore(transaction: transaction)
            let (rows, next) = try store.page(part, filter, request, now: now)
            return Listing(
                rows.map { Signing($0, now: now) }, next: next?.text,
                counts: request.cursor == nil ? try store.counts(filter, request.words, now: now) : nil)
        }
    }

    func find(_ id: String) async throws -> Signing {
        let stored = try await stored(id)
        guard !stored.sealed.isEmpty else { return try await describe(stored, drawing: nil) }
        return try await describe(stored, drawing: try await shown(try evidence(of: stored)))
    }

    /// The bytes that were signed.
    func document(_ id: String) async throws -> (bytes: Bytes, mediaType: String) {
        let stored = try await stored(id)
        let digest = try evidence(of: stored).digest
        let file = try await environment.database.read { transaction in
            try WorkspaceStore(transaction: transaction).signedFile(digest: stored.digest)
        }
        guard let file, let sealed = try await environment.blobs.read(file.blob) else {
            throw HandSignatureError.documentNotFound
        }
        return (try box.open(sealed, .signedFile, of: digest), file.mediaType)
    }

    func stored(_ id: String) async throws -> SigningStore.Stored {
        let found = try await environment.database.read { try SigningStore(transaction: $0).find(id: id) }
        guard let found else { throw HandSignatureError.signingNotFound }
        return found
    }

    /// - Throws: `evidenceErased` when the client was erased.
    func evidence(of stored: SigningStore.Stored) throws -> SigningEvidence {
        guard !stored.sealed.isEmpty else { throw HandSignatureError.evidenceErased }
        return try box.evidence(of: stored)
    }

    /// The record of a decision and the organisation's signature over it, or `nil` while there is none.
    func decision(of stored: SigningStore.Stored) throws -> (record: JSON, signature: Bytes, reason: String)? {
        guard let sealed = stored.decision else { return nil }
        let opened = try box.openText(sealed, .decision, of: stored.id)
        guard let json = try? JSON.parse(opened, maximumLength: 1 << 20), let record = json["record"],
            let signature = json["signature"]?.string, let reason = json["reason"]?.string
        else { throw StoredValueError(column: "signings.decision") }
        return (record, signature, String(decoding: reason, as: UTF8.self))
    }

    /// The drawing as this version draws it; that takes a while.
    ///
    /// Version 0.3 drew a point for each sample, which is nearly the movement.
    private func shown(_ evidence: SigningEvidence) async throws -> String? {
        let drawing = evidence.drawing
        return try await environment.work.run { Ink.redrawn(drawing).map { String(decoding: $0, as: UTF8.self) } }
    }

    private func describe(_ stored: SigningStore.Stored, drawing: String?) async throws -> Signing {
        let now = environment.now()
        let listed = try await environment.database.read { transaction in
            try SigningListStore(transaction: transaction).find(id: stored.id)
        }
        guard let listed else { throw HandSignatureError.signingNotFound }
        var signing = Signing(listed, now: now)
        guard !stored.sealed.isEmpty else { return signing }
        let evidence = try evidence(of: stored)
        signing.comparison = evidence.comparison
        signing.digest = evidence.digest
        signing.enrolment = evidence.enrolment
        signing.drawing = drawing
        signing.field = evidence.field
        signing.method = evidence.method
        signing.reason = try decision(of: stored)?.reason
        if let index = stored.logIndex { signing.receipt = try await environment.log.receipt(index) }
        return signing
    }

    // MARK: Parts

    func client(_ id: String) async throws -> ClientStore.Stored {
        let found = try await environment.database.read { try ClientStore(transaction: $0).find(id: id) }
        guard let found else { throw HandSignatureError.clientNotFound }
        return found
    }

    private func recorded(_ client: ClientStore.Stored) throws -> SigningRecord.Client {
        let number = try ClientService(environment: environment, judge: judge).details(client).number
        return SigningRecord.Client(
            id: Bytes(text: client.id), givenName: Bytes(text: client.givenName),
            familyName: Bytes(text: client.familyName), number: Bytes(text: number))
    }

    /// Nobody tries on and on whether a forgery is good enough.
    private func checkAttempts(_ signings: SigningStore, client: String, now: Int64) throws {
        guard try signings.failures(client: client, since: now - 3_600) < Limits.signingFailures else {
            throw HandSignatureError.tooManyAttempts
        }
    }

    /// Place and photograph only where the organisation allows them.
    private func check(_ request: NewSigning, _ settings: DeskStore.Settings) throws(HandSignatureError) {
        if let place = request.place { try DeskRules.check(place, settings) }
        if let photograph = request.photograph {
            guard settings.takesPhotographs else {
                throw .notAllowed("photograph: this organisation does not take any.")
            }
            guard let bytes = Base64.decode(Bytes(text: photograph), .url), bytes.count <= Limits.photograph,
                bytes.starts(with: [0xFF, 0xD8, 0xFF])
            else { throw .invalid("photograph: a JPEG of at most 256 KiB, base64url.") }
        }
    }

    /// Stores the bytes that are signed, sealed, before the row that names them.
    private func signedBlob(_ rendering: RenderedDocument) async throws -> String {
        let blob = environment.newIdentifier()
        try await environment.blobs.write(blob, try box.seal(rendering.bytes, .signedFile, of: rendering.digest))
        return blob
    }

    private static func recorded(_ comparison: Interface.Comparison) -> SigningRecord.Comparison {
        SigningRecord.Comparison(
            isMatch: comparison.isMatch, score: comparison.score, threshold: comparison.threshold,
            difference: comparison.difference, device: comparison.device?.fact ?? .null)
    }
}

extension Signing {
    /// What lists show of a transaction.
    init(_ listed: SigningListStore.Listed, now: Int64) {
        let isLapsed = listed.state == .pending && now - listed.created > Limits.signingTime
        self.init(
            id: listed.id, state: isLapsed ? .lapsed : listed.state, client: listed.client,
            clientName: PersonName(givenName: listed.givenName, familyName: listed.familyName).whole,
            operatorID: listed.operatorID, operatorName: listed.operatorName, documentName: listed.documentName,
            created: listed.created, decided: listed.decided, isMatch: listed.isMatch)
    }
}
