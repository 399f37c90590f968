import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage
import Transparency
import Verification

/// Decisions about signatures: each leaves a signed record, and an entry in the log.
struct SigningDecisions {
    let environment: Environment

    private var box: TemplateBox { TemplateBox(environment.keys) }

    /// Lapsed transactions that are refused at once.
    static let batch = 16
    /// So many seconds later than the operator's time ends: another server's clock may be behind.
    static let grace: Int64 = 120

    /// Signs the record of a decision, and enters it in the log.
    func enter(
        _ stored: inout SigningStore.Stored, _ evidence: SigningEvidence, _ decision: SigningLifecycle.State,
        reason: String,
        by certificate: Certificate, in transaction: Transaction, now: Int64
    ) throws {
        let record = evidence.record.decided(decision, reason: Bytes(text: reason), at: now)
        let signature = try environment.signAtDesk("\(SigningReport.recordType)", record, by: certificate)
        let canonical = try record.canonical()
        stored.state = Signing.State(decision)
        stored.decided = now
        stored.decision = try box.sealText(
            JSON.members([("reason", .text(reason)), ("record", record), ("signature", .text(signature))])
                .serialized(), .decision, of: stored.id)
        stored.logIndex = try environment.log.record(
            TrustEvent(
                decision == .confirmed ? .signingConfirmed : .signingRefused, account: stored.client,
                [("record", .text(environment.suite.sha256(canonical).base64URL)), ("transaction", .text(stored.id))]),
            in: transaction, now: now)
        try SigningStore(transaction: transaction).decide(stored)
    }

    /// Refuses what no operator has refused.
    ///
    /// - Throws: `SigningError.alreadyDecided`.
    func end(
        _ stored: inout SigningStore.Stored, _ evidence: SigningEvidence, _ refusal: SigningLifecycle.Refusal,
        by certificate: Certificate, in transaction: Transaction, now: Int64
    ) throws {
        var life = SigningLifecycle(stored, template: evidence.template)
        try life.end()
        try enter(
            &stored, evidence, life.state, reason: "\(refusal.words)", by: certificate, in: transaction, now: now)
    }

    /// Refuses the pending transactions of a client whose template goes: nobody confirms under a template that no
    /// longer exists.
    ///
    /// Unreadable transactions, and those beyond a limit, stay as they are and cannot be confirmed either.
    ///
    /// - Parameter certificate: `nil` where the root has certified none; then nothing may be pending.
    /// - Returns: those that were refused.
    func end(
        client: String, by certificate: Certificate?, in transaction: Transaction, now: Int64
    ) throws -> [SigningStore.Stored] {
        var ended: [SigningStore.Stored] = []
        let store = SigningStore(transaction: transaction)
        for id in try store.pending(client: client, limit: Limits.endedByEnrolment) {
            guard var stored = try store.find(id: id), let evidence = try? box.evidence(of: stored) else { continue }
            guard let certificate else { throw HandSignatureError.noDeskSigner }
            try end(&stored, evidence, .enrolledAgain, by: certificate, in: transaction, now: now)
            ended.append(stored)
        }
        return ended
    }

    /// Refuses transactions that nobody has decided in time: they leave a record, as every refused one does.
    ///
    /// One whose evidence cannot be read is skipped: it does not count as it is, and does not stop the others from
    /// ending.
    ///
    /// - Returns: how many lapsed ones there were, at most ``batch``.
    @discardableResult
    func refuseLapsed() async throws -> Int {
        let now = environment.now()
        let before = now - Limits.signingTime - Self.grace
        let lapsed = try await environment.database.read { transaction in
            try SigningStore(transaction: transaction).lapsed(before: before, limit: Self.batch)
        }
        guard !lapsed.isEmpty else { return 0 }
        let signer = try await environment.deskSigner()
        for id in lapsed {
            let refused = try? await environment.database.write { transaction in
                guard var stored = try SigningStore(transaction: transaction).find(id: id), stored.state == .pending
                else { return SigningStore.Stored?.none }
                let evidence = try box.evidence(of: stored)
                try end(&stored, evidence, .lapsed, by: signer, in: transaction, now: now)
                return stored
            }
            if let refused { announce(refused) }
        }
        return lapsed.count
    }

    /// Tells open pages what became of a transaction.
    func announce(_ signing: SigningStore.Stored) {
        environment.publish(
            LiveEvent(.signing, id: signing.id, state: signing.state.rawValue), toEveryoneWho: .readDesk)
    }
}

extension SigningLifecycle {
    /// - Parameter template: the id of the template that was compared with.
    init(_ stored: SigningStore.Stored, template: String) {
        let state: State =
            switch stored.state {
            case .pending, .lapsed: .pending
            case .confirmed: .confirmed
            case .refused: .refused
            }
        self.init(
            state: state, operatorID: Bytes(text: stored.operatorID), template: Bytes(text: template),
            signed: stored.created)
    }
}

extension Signing.State {
    init(_ state: SigningLifecycle.State) {
        self =
            switch state {
            case .pending: .pending
            case .confirmed: .confirmed
            case .refused: .refused
            }
    }
}

extension TemplateBox {
    func evidence(of stored: SigningStore.Stored) throws -> SigningEvidence {
        try SigningEvidence(try openText(stored.sealed, .evidence, of: stored.id))
    }
}

extension Environment {
    /// The certificate of the key that signs about hand signatures.
    ///
    /// - Throws: `noDeskSigner` when the root has certified none, or it is over, or is another key's.
    func deskSigner() async throws -> Certificate {
        guard let certificate = try await organisation().certificate(.deskSigner),
            keys.signer(.desk, named: certificate) != nil,
            (certificate.notBefore...certificate.notAfter).contains(now())
        else { throw HandSignatureError.noDeskSigner }
        return certificate
    }

    /// A signature of the organisation about hand signatures.
    func signAtDesk(_ type: String, _ payload: JSON, by certificate: Certificate) throws -> String {
        // Another key has taken its place since the certificate was read: that one is read at the next try.
        guard let key = keys.signer(.desk, named: certificate) else { throw HandSignatureError.noDeskSigner }
        return try key.signJWS(
            type: type,
            header: [JSON.Member("x5c", .array([.string(Base64.encode(certificate.der, .standard))]))],
            payload: payload)
    }
}
