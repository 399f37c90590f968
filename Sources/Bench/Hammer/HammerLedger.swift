import CryptoProvider
import Encodings
import Interface
import Transparency
import Wallet

/// The journal held against the tables and the log: what was acknowledged must be there.
struct HammerLedger {
    private let tables: HammerTables
    private let published: [Bytes]
    private let tree: HammerTree
    private let trust: PinnedTrust
    private let accounts: [String: HammerTables.Account]
    private let requests: [String: HammerTables.Request]
    private let documents: [String: HammerTables.Document]
    private let shares: [String: HammerTables.Share]
    private let delegations: [String: HammerTables.Delegation]
    private let enrolments: [String: HammerTables.Enrolment]
    private let devices: [String: HammerTables.Device]
    private let clients: [String: HammerDeskTables.Client]
    private let signings: [String: HammerDeskTables.Signing]
    private let texts: [String: HammerDeskTables.Text]

    init(tables: HammerTables, published: [Bytes], tree: HammerTree, trust: PinnedTrust) {
        func byID<Row>(_ rows: [Row], _ id: (Row) -> String) -> [String: Row] {
            Dictionary(rows.map { (id($0), $0) }) { first, _ in first }
        }
        self.tables = tables
        self.published = published
        self.tree = tree
        self.trust = trust
        accounts = byID(tables.accounts, \.username)
        requests = byID(tables.requests, \.id)
        documents = byID(tables.documents, \.id)
        shares = byID(tables.shares, \.id)
        delegations = byID(tables.delegations, \.id)
        enrolments = byID(tables.enrolments, \.id)
        devices = byID(tables.devices, \.id)
        clients = byID(tables.desk.clients, \.id)
        signings = byID(tables.desk.signings, \.id)
        texts = byID(tables.desk.texts, \.id)
    }

    /// Acknowledged acts that are not there, or not as their receipts say; and answers that no healthy server gives.
    func losses(_ acts: [HammerAct]) -> [String] {
        var found: [String] = []
        var views: [String: Int64] = [:]
        // Wallets that sign in and drops leave no row behind when they are removed.
        let removals = acts.filter { $0.act == .removeWallet || $0.act == .endDrop }
        let removed = Set(removals.filter { $0.outcome != .refused }.compactMap(\.subject))
        for act in acts {
            switch act.outcome {
            case .wrong: found.append("\(words(act)) was answered wrongly: \(act.detail ?? "")")
            case .refused, .unknown: continue
            case .acknowledged:
                let mayBeGone = [.pairWallet, .dropFile].contains(act.act) && removed.contains(act.result ?? "")
                if isThere(act) == false, !mayBeGone {
                    found.append("\(words(act)) is not there")
                }
                if let fault = fault(ofReceipt: act) { found.append("\(words(act)): \(fault)") }
                if act.act == .view, let link = act.subject { views[link, default: 0] += 1 }
            }
        }
        found += HammerVaultLedger(tables).losses(acts) + HammerApprovalLedger(tables).losses(acts)
        for (link, count) in views where (shares[link]?.views ?? 0) < count {
            found.append("link \(link) was opened \(count) times and counts \(shares[link]?.views ?? 0)")
        }
        return found
    }

    /// How many of the acts whose answer was lost are there; `nil` where the journal cannot say which they were.
    func isThere(_ act: HammerAct) -> Bool? {
        let subject = act.subject ?? ""
        switch act.act {
        case .join: return accounts[subject].map { act.result == nil || $0.id == act.result } ?? false
        case .invite: return act.result.map(tables.invitations.contains)
        case .request: return act.result.map { requests[$0] != nil }
        case .share: return act.result.map { shares[$0] != nil }
        case .certify: return ["certified", "revoked"].contains(delegations[subject]?.state)
        case .decertify: return delegations[subject]?.state == "revoked"
        case .identify:
            return enrolments[subject]?.state == "completed" && (act.result.map { documents[$0] != nil } ?? true)
        case .accept: return requests[subject]?.administrator != nil
        case .cancel: return requests[subject]?.state == "cancelled"
        case .issue:
            return requests[subject]?.state == "issued"
                && (act.result.map { requests[subject]?.document == $0 } ?? true)
        case .revoke: return documents[subject]?.isRevoked == true
        case .delete: return documents[subject]?.isDeleted == true
        case .stop: return shares[subject]?.isStopped == true
        case .retire: return devices[subject]?.isRevoked == true
        case .addService, .removeService, .rotateService, .enrolApprover, .handOver, .enrolHandedOver,
            .removeApprover, .ask, .allow, .deny, .withdraw, .askTogether, .allowTogether, .takeReceipt, .denyService,
            .denyAll, .makeCodes, .speakOriginal, .enrolApp, .askOriginal, .allowOriginal:
            return isOfService(act, subject)
        case .mute: return accounts[subject].map { tables.muted.contains($0.id) } ?? false
        case .pairWallet: return act.result.map(tables.wallets.contains)
        case .removeWallet: return !tables.wallets.contains(subject)
        case .keepVault: return accounts[subject].map { tables.vault.vaults.contains($0.id) } ?? false
        case .putFile: return act.result.map { tables.vault.files[$0] != nil }
        case .removeFile: return tables.vault.files[subject]?.isRemoved == true
        case .makeCompartment: return act.result.map { tables.vault.compartments[$0] != nil }
        case .moveFile:
            return tables.vault.files[subject]?.isRemoved == true
                && (act.result.map { tables.vault.files[$0]?.isRemoved == false } ?? true)
        case .addCaretaker: return act.result.map { tables.vault.members[subject]?.contains($0) == true }
        case .dropFile: return act.result.map { tables.vault.drops[$0] != nil }
        case .takeDrop: return act.result.map { tables.vault.files[$0]?.isRemoved == false }
        case .endDrop: return tables.vault.drops[subject] == nil
        case .removeSlot: return tables.vault.slots[subject] == nil
        // One undoes another: `HammerVaultLedger`.
        case .tryPIN, .provePIN, .setPIN, .setSlot: return nil
        // The same: `HammerApprovalLedger`.
        case .freeze, .unfreeze, .beginRecovery, .endRecovery: return nil
        // The views of a link are counted together; sessions are tried by using them.
        case .view, .fetch, .signIn, .scan, .readLog: return nil
        case .writeText, .removeText, .enrolClient, .reenrolClient, .eraseClient, .sign, .confirm, .refuse, .block,
            .unblock:
            return isAtDesk(act, subject)
        }
    }

    private func isOfService(_ act: HammerAct, _ subject: String) -> Bool? {
        let approvals = tables.approvals
        switch act.act {
        case .addService:
            return tables.services[subject].map { act.result == nil || $0.id == act.result } ?? false
        case .removeService: return tables.services[subject]?.isRemoved == true
        // Which key it has is for `HammerApprovalLedger`: the next act gives it another.
        case .rotateService: return tables.services[subject]?.isRotated == true
        case .enrolApprover: return act.result.map { approvals.devices[$0] != nil }
        case .handOver: return approvals.offers[subject]?.handover.state == "agreed"
        case .enrolHandedOver:
            return approvals.offers[subject]?.state == "completed"
                && (act.result.map { approvals.devices[$0] != nil } ?? true)
        case .removeApprover: return approvals.devices[subject]?.isRemoved == true
        case .speakOriginal: return tables.services[subject].map { approvals.speaking.contains($0.id) } ?? false
        case .enrolApp: return approvals.enrolled[subject] != nil
        case .askOriginal: return act.result.map { approvals.originals[$0] != nil }
        case .allowOriginal: return approvals.originals[subject]?.state == "approved"
        // Which codes they are is for `HammerApprovalLedger` too.
        case .makeCodes: return accounts[subject].map { approvals.codes[$0.id] != nil } ?? false
        case .ask, .askTogether: return act.result.map { approvals.questions[$0] != nil }
        case .allow: return approvals.questions[subject]?.state == "approved"
        case .deny: return approvals.questions[subject]?.state == "denied"
        case .withdraw: return approvals.questions[subject]?.state == "cancelled"
        // Whether the question is decided by it is among the rules.
        case .allowTogether: return hasAnswered(act, subject, "allow", nil)
        case .denyService: return hasAnswered(act, subject, "deny", "service-for-an-hour")
        case .denyAll: return hasAnswered(act, subject, "deny", "account")
        case .takeReceipt:
            return approvals.questions[subject].map { $0.state == "approved" && $0.isDecided } ?? false
        default: return nil
        }
    }

    private func hasAnswered(_ act: HammerAct, _ question: String, _ decision: String, _ scope: String?) -> Bool {
        guard let account = accounts[act.by]?.id else { return false }
        return tables.approvals.answers.contains {
            $0.question == question && $0.account == account && $0.decision == decision && $0.scope == scope
        }
    }

    private func isAtDesk(_ act: HammerAct, _ subject: String) -> Bool? {
        switch act.act {
        case .writeText: return act.result.map { texts[$0] != nil }
        case .removeText: return texts[subject]?.isDeleted == true
        case .enrolClient:
            return act.result.map { clients[$0] != nil } ?? clients.values.contains { $0.familyName == subject }
        case .reenrolClient:
            return clients[subject]?.isErased == true
                || tables.desk.acts.contains { $0.client == subject && $0.kind == "reenrolled" }
        case .eraseClient: return clients[subject]?.isErased == true
        case .sign: return act.result.map { signings[$0] != nil }
        case .confirm: return signings[subject]?.state == "confirmed"
        case .refuse: return signings[subject]?.state == "refused"
        case .unblock: return accounts[subject] != nil && !tables.desk.blocked.contains(subject)
        // Over when the same operator was unblocked; the receipt tells.
        default: return nil
        }
    }

    /// What is wrong with the receipt of an act.
    ///
    /// It must be from the pinned log, for this act, at its place in the published log, and under the newest checkpoint
    /// too.
    private func fault(ofReceipt act: HammerAct) -> String? {
        guard let type = act.act.entryType else { return nil }
        guard let text = act.receipt else { return "it has no receipt" }
        do {
            let receipt = try trust.verify(Interface.Receipt(proof: text), type: type)
            let entry = receipt.entry.encoded()
            guard receipt.index < UInt64(published.count), published[Int(receipt.index)] == entry else {
                return "entry \(receipt.index) of the log is another"
            }
            try tree.proveInclusion(of: entry, at: receipt.index)
            return nil
        } catch {
            return "its receipt: \(error)"
        }
    }

    private func words(_ act: HammerAct) -> String {
        "\(act.act.rawValue) of \(act.subject ?? act.result ?? "-") by \(act.by)"
    }
}
