import CryptoProvider
import Encodings
import Foundation
import Storage

/// Seals everything that the template secret seals under another one; the servers are stopped.
///
/// Blobs are written under new names first, which no row names yet. One transaction then changes every row, so that a
/// crash leaves all under the old secret or all under the new. What it leaves of blobs that no row names, the next start
/// removes.
struct Resealing: Sendable {
    let environment: Environment
    private let secret: Bytes
    private let old: TemplateBox
    private let new: TemplateBox

    init(_ environment: Environment, to secret: Bytes) {
        self.environment = environment
        self.secret = secret
        old = TemplateBox(environment.keys)
        new = TemplateBox(secret: secret)
    }

    /// Writes every blob again under its new name, sealed under the new secret.
    ///
    /// - Returns: the names of blobs that rows name and that are not there: they stay named as they are.
    func copyBlobs() async throws -> Set<String> {
        var missing: Set<String> = []
        for place in SealedBlob.all {
            try await eachBlob(place) { row in
                guard let sealed = try await environment.blobs.read(row.value) else {
                    missing.insert(row.value)
                    return
                }
                let owner: String = try await environment.database.read { transaction in
                    try subject(place, row, in: transaction, under: old)
                }
                guard let plaintext = try? old.open(sealed, place.content, of: owner) else {
                    throw KeyRotation.RotationError.unreadable(table: place.table, key: row.key)
                }
                let name = name(for: row.value)
                try await environment.blobs.write(
                    name,
                    try new.seal(plaintext, place.content, of: place.subject == place.column ? name : owner))
            }
        }
        return missing
    }

    /// Seals every row under the new secret, and has it name the new blobs.
    func apply(in transaction: Transaction, missing: Set<String>) throws {
        let store = SealedStore(transaction: transaction)
        for place in SealedColumn.all {
            var last = ""
            while true {
                let rows = try store.rows(place, after: last)
                for row in rows { try reseal(row, place, store) }
                guard let end = rows.last else { break }
                last = end.key
            }
        }
        for place in SealedBlob.all {
            // All of them first: a row that gets another key would be met again.
            let named = try Spool(in: FileManager.default.temporaryDirectory.path)
            var last = ""
            while case let rows = try store.blobs(place, after: last), let end = rows.last {
                for row in rows { try named.append(row.line) }
                last = end.key
            }
            while case let rows = try named.next(SealedStore.batch).map(SealedStore.Row.init(line:)), !rows.isEmpty {
                for row in rows {
                    if !missing.contains(row.value) { try store.set(place, of: row, to: name(for: row.value)) }
                    guard place.isFoundByDigest else { continue }
                    let digest = try subject(place, row, in: transaction, under: new)
                    try DigestStore(transaction: transaction).replace(row.key, with: new.index(ofDigest: digest))
                }
            }
        }
        // They name signed files by the old secret, and hold for minutes.
        try TicketStore(transaction: transaction).deleteAll()
    }

    /// Removes the blobs that no row names any more, however new: the servers are stopped.
    func removeOldBlobs() async throws {
        try await OrphanService.removeOrphans(environment, from: environment.blobs, olderThan: -1)
    }

    private func reseal(_ row: SealedStore.Row, _ place: SealedColumn, _ store: SealedStore) throws {
        guard let plaintext = try? old.openText(row.value, place.content, of: row.subject) else {
            throw KeyRotation.RotationError.unreadable(table: place.table, key: row.key)
        }
        var index: String?
        // A row that is found by nothing stays so.
        if let value = place.index?.value, try value(old, plaintext) == row.index { index = try value(new, plaintext) }
        try store.set(
            place, of: row, to: try new.sealText(plaintext, place.content, of: row.subject), index: index)
    }

    private func eachBlob(_ place: SealedBlob, _ body: (SealedStore.Row) async throws -> Void) async throws {
        var last = ""
        while true {
            let after = last
            let rows = try await environment.database.read {
                try SealedStore(transaction: $0).blobs(place, after: after)
            }
            for row in rows { try await body(row) }
            guard let end = rows.last else { return }
            last = end.key
        }
    }

    /// The same for every attempt with this secret, and nobody else's.
    private func name(for blob: String) -> String {
        let digest = HMACSHA256.authenticate(Bytes(text: "resealed blob v1") + [0] + Bytes(text: blob), key: secret)
        return String(decoding: Hex.encode(Array(digest.prefix(16))), as: UTF8.self)
    }

    /// Of what a blob is sealed.
    ///
    /// A signed file is sealed of its digest, of which its row has only a keyed hash: a transaction's evidence has it.
    private func subject(
        _ place: SealedBlob, _ row: SealedStore.Row, in transaction: Transaction, under box: TemplateBox
    ) throws -> String {
        guard place.isFoundByDigest,
            let signing = try SealedStore(transaction: transaction).evidence(ofFile: row.key)
        else { return row.subject }
        guard let evidence = try? SigningEvidence(box.openText(signing.value, .evidence, of: signing.subject)) else {
            throw KeyRotation.RotationError.unreadable(table: "signings", key: signing.subject)
        }
        return evidence.digest
    }
}
