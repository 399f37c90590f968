import Encodings
import Interface
import Storage

/// Why a person is not erased.
enum ErasureError: Error, Equatable {
    case notFound
    /// The organisation would have nobody who can certify or erase.
    case mainAdministrator
    /// The username that was typed is not the account's.
    case otherName
    /// An administrator whose certificate was not revoked.
    case certified
    /// A person who has worked at the desk, enrolling, editing or signing: its records name them.
    case operatorOfTransactions
}

/// A person asks to be forgotten, and the main administrator does it.
struct ErasureService {
    let environment: Environment

    /// Removes an account with everything about it, for ever.
    ///
    /// The person's documents are revoked first, unless they want them to stay valid for those who have them.
    /// Afterwards nobody can revoke them. What remains are the log's entries, which nothing opens, bits of status
    /// lists, and a pseudonym where others' rows point to the person.
    func erase(_ id: String, _ request: Erasure, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let pseudonym = Self.pseudonymPrefix + environment.newIdentifier()
        let (index, blobs) = try await environment.database.write { transaction in
            guard let account = try AccountStore(transaction: transaction).find(id: id),
                !account.username.hasPrefix(Self.pseudonymPrefix)
            else { throw ErasureError.notFound }
            guard account.role != .owner else { throw ErasureError.mainAdministrator }
            guard request.username == account.username else { throw ErasureError.otherName }
            guard try DelegationStore(transaction: transaction).certified(account: id).isEmpty else {
                throw ErasureError.certified
            }
            let store = ErasureStore(transaction: transaction, slices: environment.slices)
            guard try !store.isRefused(account: id),
                try !OperatorService(environment: environment).hasEdited(id, in: transaction)
            else {
                throw ErasureError.operatorOfTransactions
            }
            if !request.keepsDocuments {
                try DocumentService(environment: environment).revokeAll(holder: id, in: transaction, now: now)
            }
            let blobs = try BlobColumnStore(transaction: transaction, slices: environment.slices).names(ofAccount: id)
            try store.remove(account, pseudonym: pseudonym)
            // After everything else was cleared: the entry of this act stays with the person who did it.
            let index = try environment.log.record(
                TrustEvent(
                    .accountErased, account: id, [("documents", .text(request.keepsDocuments ? "kept" : "revoked"))]),
                in: transaction, now: now)
            try store.hand(entry: index, to: principal.account)
            return (index, blobs)
        }
        environment.events.end(account: id)
        environment.publish(LiveEvent(.account, id: id, state: "erased"), to: nil)
        // Those that are not reached are named by no row: ``OrphanService`` removes them.
        for blob in blobs { try await environment.blobs.delete(blob) }
        for slice in environment.slices { try await slice.erased(id, environment) }
        let receipt = try await environment.log.receipt(index)
        await environment.log.forget()
        try await environment.database.scrub()
        return Acknowledgement(receipt: receipt)
    }

    /// No username begins so.
    static let pseudonymPrefix = "(erased) "
}
