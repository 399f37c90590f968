import Encodings
import Storage

/// Brings the index of identity numbers up to the rules of this version, once.
struct NumberIndex {
    let environment: Environment

    /// A client whose number another client has, too.
    struct Twin: Sendable, Equatable {
        /// The client who is no longer found by the number; only the list shows them.
        let id: String
        /// The client who is found by the number.
        let first: String
    }

    private static let batch = 256

    /// Gives every client of older rules a new index.
    ///
    /// Each batch is a transaction of its own: a start that is killed goes on where the last one ended.
    ///
    /// - Returns: those whose number turned out to be another client's.
    func renew() async throws -> [Twin] {
        var twins: [Twin] = []
        while true {
            let found = try await environment.database.write { transaction in
                try renewBatch(ClientStore(transaction: transaction))
            }
            guard let found else { return twins }
            twins += found
        }
    }

    /// - Returns: `nil` when there are no more.
    private func renewBatch(_ store: ClientStore) throws -> [Twin]? {
        let box = TemplateBox(environment.keys)
        let old = try store.withOldIndex(limit: Self.batch)
        guard !old.isEmpty else { return nil }
        var twins: [Twin] = []
        for client in old {
            // An erased client is found by nothing, as before; and a row that cannot be read keeps no server from its start.
            guard client.erased == nil, let details = try? ClientDetails(client, box) else {
                try store.setIndex(client.numberHash, of: client.id)
                continue
            }
            let hash = box.hash(ofNumber: details.number)
            if let other = try store.find(numberHashes: box.hashes(ofNumber: details.number)), other.id != client.id {
                twins.append(Twin(id: client.id, first: other.id))
                try store.setIndex(client.id, of: client.id)
            } else {
                try store.setIndex(hash, of: client.id)
            }
        }
        return twins
    }
}
