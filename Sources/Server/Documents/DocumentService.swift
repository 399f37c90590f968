import CryptoProvider
import Encodings
import Interface
import Storage

/// Issued documents: listed, fetched by their holder, deleted, revoked.
struct DocumentService {
    let environment: Environment

    /// A holder's documents newest first; with `issued`, for administrators, everybody's or those of `holder`.
    func list(
        _ principal: Principal, issued: Bool, holder asked: String? = nil, _ part: DocumentListStore.Part,
        _ request: ListRequest
    ) async throws -> Listing<DocumentInfo> {
        let mayReadAll = issued && principal.role.may(.revokeDocuments)
        // Nobody gets something else than they asked for.
        guard mayReadAll || asked == nil || asked == principal.account else { return Listing([]) }
        let holder = mayReadAll ? asked : principal.account
        let (rows, people, next, counts) = try await environment.database.read { transaction in
            let store = DocumentListStore(transaction: transaction)
            let (rows, next) = try store.page(holder: holder, part, request)
            return (
                rows, try AccountStore(transaction: transaction).find(ids: rows.flatMap { [$0.holder, $0.issuer] }),
                next, request.cursor == nil ? try store.counts(holder: holder, request.words) : nil
            )
        }
        let receipts = try await environment.log.receipts(rows.map(\.logIndex))
        return Listing(
            try rows.map { try environment.describe($0, people, receipts[$0.logIndex]) }, next: next?.text,
            counts: counts)
    }

    /// A document, for its holder and for those who may revoke it.
    func find(_ id: String, _ principal: Principal) async throws -> DocumentInfo {
        let stored = try await environment.database.read { try DocumentStore(transaction: $0).find(id: id) }
        guard let stored, stored.deleted == nil,
            stored.holder == principal.account || principal.role.may(.revokeDocuments)
        else { throw DocumentError.notFound }
        return try await environment.describe(stored)
    }

    /// The sealed package, for its holder.
    func content(_ id: String, _ principal: Principal) async throws -> [UInt8] {
        let stored = try await environment.database.read { transaction in
            try DocumentStore(transaction: transaction).find(id: id)
        }
        guard let stored, stored.holder == principal.account, stored.deleted == nil,
            let content = try await environment.blobs.read(stored.blob)
        else { throw DocumentError.notFound }
        return content
    }

    /// Deletes a holder's document here for ever.
    ///
    /// The log keeps that it existed, not what it was.
    func delete(_ id: String, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let (index, blob) = try await environment.database.write { transaction in
            let store = DocumentStore(transaction: transaction)
            guard let stored = try store.find(id: id), stored.holder == principal.account, stored.deleted == nil else {
                throw DocumentError.notFound
            }
            try store.delete(id: id, at: now)
            let event = TrustEvent(
                .documentDeleted, account: stored.holder, [("credential", .text(stored.credential))])
            return (try environment.log.record(event, in: transaction, now: now), stored.blob)
        }
        let receipt = try await environment.log.receipt(index)
        try await environment.blobs.delete(blob)
        return Acknowledgement(receipt: receipt)
    }

    /// Revokes a document for ever, with a reason its holder reads.
    func revoke(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> Acknowledgement {
        let words = try DocumentRules.reason(reason.reason)
        let now = environment.now()
        let (index, holder) = try await environment.database.write { transaction in
            try environment.requireCertified(principal, in: transaction, now: now)
            guard let stored = try DocumentStore(transaction: transaction).find(id: id) else {
                throw DocumentError.notFound
            }
            guard stored.revoked == nil else { throw DocumentError.alreadyRevoked }
            return (try environment.revoke(stored, reason: words, in: transaction, now: now), stored.holder)
        }
        let event = LiveEvent(.document, id: id, state: "revoked")
        environment.publish(event, to: holder)
        environment.publish(event, toEveryoneWho: .revokeDocuments)
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }
}

extension DocumentService {
    /// Revokes what verifiers still find valid of a device.
    ///
    /// - Returns: the indexes of the log entries.
    func revokeAll(device: String, reason: String, in transaction: Transaction, now: Int64) throws -> [Int64] {
        try DocumentStore(transaction: transaction).valid(device: device).map {
            try environment.revoke($0, reason: reason, in: transaction, now: now)
        }
    }

    /// Revokes what verifiers still find valid of a holder, deleted by its holder or not.
    func revokeAll(holder: String, in transaction: Transaction, now: Int64) throws {
        for document in try DocumentStore(transaction: transaction).valid(holder: holder) {
            _ = try environment.revoke(document, reason: "", in: transaction, now: now)
        }
    }
}

extension Environment {
    /// Marks a document revoked, sets its status and enters it in the log.
    func revoke(
        _ document: DocumentStore.Stored, reason: String, in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        try DocumentStore(transaction: transaction).revoke(id: document.id, reason: reason, at: now)
        try statusLists.revoke(document.status, in: transaction, at: now)
        return try log.record(
            .credential(
                .documentRevoked, account: document.holder, digest: document.credential,
                uri: statusLists.uri(document.status.list), index: document.status.position),
            in: transaction, now: now)
    }

    /// Stores a sealed package before the row that names it, under a name nobody can guess.
    ///
    /// A row that never comes leaves a blob that ``OrphanService`` removes.
    func storePackage(_ sealed: String) async throws -> String {
        guard sealed.utf8.count <= Limits.sealedPackage else { throw DocumentError.invalidPackage }
        let name = newIdentifier()
        try await blobs.write(name, Array(sealed.utf8))
        return name
    }

    /// Does what names a blob that was just stored, and removes the blob when that is refused.
    ///
    /// When the database fails, it may have stored the row all the same: then the blob stays for ``OrphanService`` to judge.
    func keepingBlob<Value>(_ blob: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch  where !(error is StorageError) && !(error is CancellationError) {
            _ = try? await blobs.delete(blob)
            throw error
        }
    }

    /// Stores an issued document and enters it in the log.
    func insertDocument(
        _ issuance: Issuance, kind: TrustEvent.Kind, type: String, holder: String, device: String, issuer: String,
        status: StatusPlace, blob: String, in transaction: Transaction, now: Int64
    ) throws -> DocumentStore.Stored {
        let index = try log.record(
            .credential(
                kind, account: holder, digest: issuance.credentialDigest, uri: statusLists.uri(status.list),
                index: status.position),
            in: transaction, now: now)
        let document = DocumentStore.Stored(
            id: newIdentifier(), type: type, holder: holder, device: device, issuer: issuer,
            credential: issuance.credentialDigest, status: status, size: Int64(issuance.sealed.utf8.count), blob: blob,
            statement: issuance.statement, logIndex: index, issued: now)
        do {
            try DocumentStore(transaction: transaction).insert(document)
            try transaction.settle()
        } catch let error as StorageError where error.isUniqueViolation {
            throw DocumentError.alreadyIssued
        }
        try notify(
            .document, holder, about: document.id, saying: NotificationDetail(.document, type), in: transaction,
            now: now)
        return document
    }

    func describe(_ stored: DocumentStore.Stored) async throws -> DocumentInfo {
        let people = try await database.read { transaction in
            try AccountStore(transaction: transaction).find(ids: [stored.holder, stored.issuer])
        }
        return try describe(stored, people, try await log.receipt(stored.logIndex))
    }

    /// - Parameter people: the accounts that the document names, by id.
    fileprivate func describe(
        _ stored: DocumentStore.Stored, _ people: [String: Account], _ receipt: Receipt?
    ) throws -> DocumentInfo {
        guard let holder = people[stored.holder], let issuer = people[stored.issuer], let receipt else {
            throw DocumentError.notFound
        }
        return DocumentInfo(
            id: stored.id, type: stored.type, holder: holder, issuer: issuer, device: stored.device,
            issued: stored.issued, size: Int(stored.size), status: statusLists.reference(stored.status),
            credentialDigest: stored.credential, revoked: stored.revoked, reason: stored.reason, receipt: receipt)
    }
}
