import Interface
import Storage

/// The copy that a client takes home, by link and code: the page encrypts it, and the server keeps ciphertext only.
struct SigningCopyService {
    let environment: Environment

    private var shares: ShareService { ShareService(environment: environment) }

    /// Makes a link to the copy of a confirmed transaction.
    func create(_ signing: String, _ request: NewSigningCopy, _ principal: Principal) async throws -> SigningCopy {
        guard !request.keyCheck.isEmpty else { throw DocumentError.invalidText }
        let sealed = ShareService.Sealed(
            sealed: request.sealed, lifetime: request.lifetime, maximumViews: Limits.copyViews,
            keyCheck: request.keyCheck)
        let share = try await shares.make(sealed, principal) { transaction in
            guard let stored = try SigningStore(transaction: transaction).find(id: signing) else {
                throw HandSignatureError.signingNotFound
            }
            guard stored.state == .confirmed else { throw HandSignatureError.notConfirmed }
            guard !stored.sealed.isEmpty else { throw HandSignatureError.evidenceErased }
        } claim: { id, transaction in
            try SigningCopyStore(transaction: transaction).insert(share: id, signing: signing)
        }
        return try await environment.database.read { transaction in
            try shown(share, account: principal.account, to: principal, in: transaction)
        }
    }

    /// The links to a transaction's copy, newest first.
    func list(_ signing: String, _ principal: Principal) async throws -> [SigningCopy] {
        try await environment.database.read { transaction in
            guard try SigningStore(transaction: transaction).find(id: signing) != nil else {
                throw HandSignatureError.signingNotFound
            }
            let ids = try SigningCopyStore(transaction: transaction).shares(of: signing)
            return try shares.find(ids, in: transaction)
                .sorted { ($1.share.created, $1.share.id) < ($0.share.created, $0.share.id) }
                .map { try shown($0.share, account: $0.account, to: principal, in: transaction) }
        }
    }

    /// Stops a link at once: its maker or the main administrator does.
    func stop(_ id: String, of signing: String, _ principal: Principal) async throws {
        let isOfSigning = try await environment.database.read { transaction in
            try SigningCopyStore(transaction: transaction).shares(of: signing).contains(id)
        }
        guard isOfSigning else { throw DocumentError.notFound }
        try await shares.stop(id, principal) { _ in principal.role == .owner }
    }

    /// Deletes the links to everything that a client has signed.
    ///
    /// - Returns: their blobs, to be deleted after the commit.
    func forget(client: String, in transaction: Transaction) throws -> [String] {
        try shares.delete(try SigningCopyStore(transaction: transaction).shares(client: client), in: transaction)
    }

    private func shown(
        _ share: Share, account: String, to principal: Principal, in transaction: Transaction
    ) throws -> SigningCopy {
        SigningCopy(
            id: share.id, created: share.created, expires: share.expires, views: share.views,
            maximumViews: share.maximumViews, stopped: share.stopped, stoppedByWrongCodes: share.stoppedByWrongCodes,
            makerName: try AccountStore(transaction: transaction).find(id: account)?.name ?? "",
            isStoppable: account == principal.account || principal.role == .owner, code: share.code)
    }
}
