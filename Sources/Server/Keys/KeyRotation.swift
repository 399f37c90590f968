import Certificates
package import CryptoProvider
import Encodings
package import Interface
import Storage

/// The replacement of one of the server's keys by another.
///
/// The database decides which key is in force. The new one is written beside the old one, then the database names it,
/// then it replaces the old one. A crash in between leaves one of the two, and the next start puts in order what was
/// left (`finish`). A server that runs goes on with the new one at once, and others of the same database within a
/// minute (`KeyWatch`). The secret that rows are sealed under takes longer (`SealingRotation`).
package struct KeyRotation: Sendable {
    let environment: Environment
    private let folder: KeyFolder
    /// Whether a server, and so requests, may be at work at the same time.
    private let isRunning: Bool

    /// Which key.
    package enum Name: String, Sendable, CaseIterable {
        case codeSecret = "code-secret"
        case labelSecret = "label-secret"
        case status
        case desk
        case templateSecret = "template-secret"

        /// The key.
        var key: ServerKey {
            switch self {
            case .codeSecret: .codeSecret
            case .labelSecret: .labelSecret
            case .status: .status
            case .desk: .desk
            case .templateSecret: .templateSecret
            }
        }

        /// Whether the root certifies the new one.
        package var isCertified: Bool { key.certificate != nil }
        /// Whether everything under it is sealed again, which takes a while.
        package var isSealing: Bool { key.isSealing }
    }

    /// Why a rotation has not come to its end.
    package enum RotationError: Error, Equatable {
        /// Something that is sealed opens under neither secret: the operator has to look first. Both stay in use, and the
        /// same command goes on.
        case unreadable(table: String, key: String)
        /// The new key is in force and in the log; what was to follow has failed.
        case unfinished(detail: String)
    }

    /// What stops working.
    package struct Consequences: Sendable, Equatable {
        /// Invitations that nobody has used yet.
        package var invitations: Int64 = 0
        /// Links that could still be opened.
        package var links: Int64 = 0

        package init(invitations: Int64 = 0, links: Int64 = 0) {
            (self.invitations, self.links) = (invitations, links)
        }
    }

    /// Rotation in the data directory of a server that is open, and may be running.
    package init(of server: CountersignServer, isRunning: Bool = false) throws {
        try self.init(environment: server.environment, directory: server.directory.path, isRunning: isRunning)
    }

    init(environment: Environment, directory: String, isRunning: Bool = false) throws {
        self.environment = environment
        self.isRunning = isRunning
        folder = KeyFolder(in: directory)
    }

    /// What a rotation would make invalid.
    package func consequences(of name: Name) async throws -> Consequences {
        guard name == .codeSecret else { return Consequences() }
        let now = environment.now()
        return try await environment.database.read { transaction in
            Consequences(
                invitations: try InvitationStore(transaction: transaction).countOpen(now: now),
                links: try ShareService(environment: environment).countOpen(in: transaction, now: now))
        }
    }

    /// Replaces the old key with a new one.
    ///
    /// - Parameter root: certifies a new status key or desk key; `nil` for the other keys.
    /// - Returns: the log's receipt of the entry `key.rotated`.
    /// - Throws: `RotationError`; `LogError.unwitnessed` or `LogError.unsealed` when everything is done and only the
    ///   receipt is missing.
    package func rotate(_ name: Name, by root: IssuingAuthority? = nil) async throws -> Interface.Receipt {
        guard !name.isSealing else { return try await SealingRotation(environment, folder, isRunning: isRunning).run() }
        let secret = try await write(name)
        let index = try await install(secret, as: name, by: root)
        do {
            // Before anything else: what is made under the old one is good for nothing any more.
            try environment.serverKeys.use(secret, as: name.key)
            // Not what is in the file now: another process may have removed it at its start.
            try folder.replace(name.rawValue, secret)
            try folder.remove(KeyFolder.next(name.rawValue))
            return try await environment.log.receipt(index)
        } catch let error as TransparencyLog.LogError {
            switch error {
            case .unwitnessed, .unsealed: throw error
            default: throw RotationError.unfinished(detail: "\(error)")
            }
        } catch {
            throw RotationError.unfinished(detail: "\(error)")
        }
    }

    /// Writes the new key beside the old one.
    func write(_ name: Name) async throws -> Bytes {
        // The file that an earlier attempt left may hold the key in force by now, and its only copy.
        let (organisation, fingerprints) = try await environment.keysInForce()
        if let organisation { try Self.finish([name.key], in: folder, organisation, fingerprints) }
        let secret = environment.random.bytes(32)
        try folder.replace(KeyFolder.next(name.rawValue), secret)
        return secret
    }

    /// Makes the database name the new key, drops what the old one made, and enters it in the log.
    func install(_ secret: Bytes, as name: Name, by root: IssuingAuthority?) async throws -> Int64 {
        let now = environment.now()
        return try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            var members: [(String, JSON)] = [("key", .text(name.rawValue))]
            if let kind = name.key.certificate {
                let key = try SigningKey(rawRepresentation: secret).publicKey
                let certificate = try certify(key, as: kind, by: root, in: transaction, now: now)
                members.append(("certificate", .text(SHA256.hash(certificate).base64URL)))
            } else {
                try ServerKeyStore(transaction: transaction).set(
                    name.rawValue, fingerprint: ServerKeys.fingerprint(of: secret, named: name.rawValue), since: now)
            }
            if name == .codeSecret {
                try InvitationStore(transaction: transaction).deleteOpen()
                try ShareService(environment: environment).stopAll(in: transaction, now: now)
                try RecoveryStore(transaction: transaction).deleteAll()
            }
            return try environment.log.record(
                TrustEvent(.keyRotated, account: owner.id, members), in: transaction, now: now)
        }
    }

    /// Has this organisation's root certify a key of the server, and names the certificate.
    private func certify(
        _ key: P256PublicKey, as kind: RootCertificateKind, by root: IssuingAuthority?, in transaction: Transaction,
        now: Int64
    ) throws -> Bytes {
        guard let root else { throw RootKey.Missing.offline }
        let store = OrganisationStore(transaction: transaction)
        guard try store.find()?.root.certificate.der == root.certificateDER else {
            throw RootTravel.TravelError.otherRoot
        }
        var random = environment.random
        let certificate = try kind.certificate(for: key, by: root, notBefore: now, random: &random)
        try store.set(kind, certificate: certificate.base64URL)
        return certificate
    }
}

extension KeyRotation {
    /// Puts in order what a rotation has left that was cut short: the database says which key is in force.
    static func finish(
        _ keys: [ServerKey], in folder: KeyFolder, _ organisation: OrganisationStore.Stored,
        _ fingerprints: [String: String]
    ) throws {
        for key in keys where key.kind != .log && key.kind != .root {
            // Which of the two files is the other one, the database says.
            if key.isSealing, fingerprints[key.otherName] != nil {
                guard let next = try folder.read(KeyFolder.next(key.name)),
                    try organisation.names(next, as: key, fingerprints)
                else { continue }
                // In a copy of the folder the old one may lie nowhere else.
                if let old = try folder.other(key, fingerprints) {
                    try folder.replace(KeyFolder.former(key.name), old)
                }
                try folder.promote(key.name)
                continue
            }
            if key.isSealing { try folder.remove(KeyFolder.former(key.name)) }
            guard let secret = try folder.read(KeyFolder.next(key.name)) else { continue }
            if try organisation.names(secret, as: key, fingerprints) {
                try folder.promote(key.name)
            } else {
                try folder.remove(KeyFolder.next(key.name))
            }
        }
    }
}
