import CryptoProvider
import Encodings
import Foundation
import Storage

/// Seals everything that one template secret has sealed under another one, while servers run (`SealingRotation`).
///
/// A row changes only if it still has the values that were read, so no write in between is lost; the next pass finds
/// it. Blobs are written under new names first, which no row names yet: what a crash leaves of them, the search for
/// orphans removes.
struct Resealing: Sendable {
    let environment: Environment
    private let secret: Bytes
    private let old: TemplateBox
    private let new: TemplateBox
    private let both: TemplateBox

    init(_ environment: Environment, from former: Bytes, to secret: Bytes) {
        self.environment = environment
        self.secret = secret
        (old, new) = (TemplateBox(secret: former), TemplateBox(secret: secret))
        both = TemplateBox(secret: secret, other: former)
    }

    /// What one look at everything has done.
    struct Pass {
        /// How much was sealed again.
        var changed = 0
        /// Blobs that no row names any more.
        var replaced: [String] = []
    }

    /// Goes through everything once.
    ///
    /// - Throws: `RotationError.unreadable` for what opens under neither secret. A blob that is lost stays named as it is.
    func pass() async throws -> Pass {
        var pass = Pass()
        for place in SealedColumn.all {
            var last: String? = ""
            while let after = last {
                let (changed, end) = try await environment.database.write { transaction in
                    let store = SealedStore(transaction: transaction)
                    let rows = try store.rows(place, after: after)
                    return (try rows.reduce(0) { try $0 + (reseal($1, place, store) ? 1 : 0) }, rows.last?.key)
                }
                pass.changed += changed
                last = end
            }
        }
        for place in SealedBlob.all { try await resealBlobs(of: place, &pass) }
        return pass
    }

    /// - Returns: whether there was something under the old secret.
    private func reseal(_ row: SealedStore.Row, _ place: SealedColumn, _ store: SealedStore) throws -> Bool {
        let isNew = (try? new.openText(row.value, place.content, of: row.subject)) != nil
        guard let plaintext = try? both.openText(row.value, place.content, of: row.subject) else {
            throw KeyRotation.RotationError.unreadable(table: place.table, key: row.key)
        }
        var index: String?
        // A row that is found by nothing stays so.
        if let value = place.index?.value, try value(old, plaintext) == row.index { index = try value(new, plaintext) }
        guard !isNew || index != nil else { return false }
        let sealed = isNew ? row.value : try new.sealText(plaintext, place.content, of: row.subject)
        return try store.replace(place, of: row, by: sealed, index: index)
    }

    private func resealBlobs(of place: SealedBlob, _ pass: inout Pass) async throws {
        // All of them first: a row that gets another key would be met again.
        let named = try Spool(in: FileManager.default.temporaryDirectory.path)
        var last: String? = ""
        while let after = last {
            let rows = try await environment.database.read {
                try SealedStore(transaction: $0).blobs(place, after: after)
            }
            for row in rows { try named.append(row.line) }
            last = rows.last?.key
        }
        while case let rows = try named.next(SealedStore.batch).map(SealedStore.Row.init(line:)), !rows.isEmpty {
            for row in rows where try await reseal(row, place) {
                pass.changed += 1
                pass.replaced.append(row.value)
            }
        }
    }

    /// - Returns: whether the row names another blob now.
    private func reseal(_ row: SealedStore.Row, _ place: SealedBlob) async throws -> Bool {
        let subject: String? = try await environment.database.read { transaction in
            let isThere = try SealedStore(transaction: transaction).still(place, row)
            return isThere ? try self.subject(place, row, in: transaction) : nil
        }
        // Changed or gone since it was read: the next pass looks again.
        guard let subject else { return false }
        let (name, index) = (self.name(for: row.value), place.isFoundByDigest ? new.index(ofDigest: subject) : row.key)
        guard let sealed = try await environment.blobs.read(row.value) else {
            guard index != row.key else { return false }
            try await environment.database.write { try DigestStore(transaction: $0).replace(row.key, with: index) }
            return false
        }
        if (try? new.open(sealed, place.content, of: subject)) != nil { return false }
        guard let plaintext = try? old.open(sealed, place.content, of: subject) else {
            throw KeyRotation.RotationError.unreadable(table: place.table, key: row.key)
        }
        let owner = place.subject == place.column ? name : subject
        try await environment.blobs.write(name, try new.seal(plaintext, place.content, of: owner))
        return try await environment.database.write { transaction in
            guard try SealedStore(transaction: transaction).replace(place, of: row, by: name) else { return false }
            if index != row.key { try DigestStore(transaction: transaction).replace(row.key, with: index) }
            return true
        }
    }

    /// The same for every attempt with this secret, and nobody else's.
    private func name(for blob: String) -> String {
        let digest = HMACSHA256.authenticate(Bytes(text: "resealed blob v1") + [0] + Bytes(text: blob), key: secret)
        return String(decoding: Hex.encode(Array(digest.prefix(16))), as: UTF8.self)
    }

    /// Of what a blob is sealed.
    ///
    /// A signed file is sealed under its digest. Its row has only a keyed hash of that: a transaction's evidence has
    /// the digest.
    private func subject(_ place: SealedBlob, _ row: SealedStore.Row, in transaction: Transaction) throws -> String {
        guard place.isFoundByDigest,
            let signing = try SealedStore(transaction: transaction).evidence(ofFile: row.key)
        else { return row.subject }
        guard let evidence = try? SigningEvidence(both.openText(signing.value, .evidence, of: signing.subject)) else {
            throw KeyRotation.RotationError.unreadable(table: "signings", key: signing.subject)
        }
        return evidence.digest
    }
}
