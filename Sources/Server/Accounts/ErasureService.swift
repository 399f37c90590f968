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
        await environment.deleteAfterAct(blobs)
        // What a slice cannot remove now, its retention removes: the act is done.
        for slice in environment.slices { try? await slice.erased(id, environment) }
        return Acknowledgement(receipt: try await environment.receipt(ofErasure: index))
    }

    /// No username begins so.
    static let pseudonymPrefix = "(erased) "
}

extension Environment {
    /// The receipt of an erasure that is durable; what was erased also goes from memory and from the database's files.
    ///
    /// - Throws: as the log's `receipt`. Then too all of that has gone, as far as the database can be written.
    func receipt(ofErasure index: Int64) async throws -> Interface.Receipt {
        let receipt: Interface.Receipt
        do {
            receipt = try await log.receipt(index)
        } catch {
            await removeErased()
            throw error
        }
        await removeErased()
        return receipt
    }

    /// Comes after the receipt: making it remembers entries.
    private func removeErased() async {
        await log.forget()
        await scrubAfterAct()
    }

    /// Removes what an act that is durable has deleted from the database's files too.
    ///
    /// If it fails, the act stands all the same, and an error would deny it: ``RetentionService`` does it within the hour.
    func scrubAfterAct() async { try? await database.scrub() }

    /// Removes blobs that no row names any more since an act that is durable.
    ///
    /// Those that cannot be removed now are found by ``OrphanService``. Where the store does not answer, each costs half a
    /// minute, and somebody waits: so it ends there.
    func deleteAfterAct(_ names: some Sequence<String> & Sendable) async {
        for name in names {
            do {
                try await blobs.delete(name)
            } catch StorageError.objectStoreFails {
                return
            } catch {
                continue
            }
        }
    }
}
