import Certificates
package import CryptoProvider
import Encodings
package import Interface
import Storage

/// A key of the server that another one takes the place of; the servers are stopped.
///
/// The database decides which key is in force: the new one is written beside the old one, then the database names it,
/// then it takes the old one's place. A crash in between leaves one of the two, and the next start puts in order what
/// was left (`ServerKeys.open`).
package struct KeyRotation: Sendable {
    let environment: Environment
    private let folder: KeyFolder

    /// Which key.
    package enum Name: String, Sendable, CaseIterable {
        case codeSecret = "code-secret"
        case labelSecret = "label-secret"
        case status
        case desk
        case templateSecret = "template-secret"

        /// Whether the root certifies the new one.
        package var isCertified: Bool { self == .status || self == .desk }
    }

    /// Why a key is not rotated; nothing was changed.
    package enum RotationError: Error, Equatable {
        /// Something that is sealed does not open under the secret in force: the operator has to look first.
        case unreadable(table: String, key: String)
    }

    /// What stops working.
    package struct Consequences: Sendable, Equatable {
        /// Invitations that nobody has used yet.
        package var invitations: Int64 = 0
        /// Links that could still be opened.
        package var links: Int64 = 0
    }

    /// Rotation in the data directory of a server that is open and not running.
    package init(of server: CountersignServer) throws {
        try self.init(environment: server.environment, directory: server.directory.path)
    }

    init(environment: Environment, directory: String) throws {
        self.environment = environment
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

    /// Puts a new key in the place of the old one.
    ///
    /// - Parameter root: certifies a new status key or desk key; `nil` for the other keys.
    /// - Returns: the log's receipt of the entry `key.rotated`.
    /// - Throws: `RotationError` when something does not open under the present template secret; nothing is changed.
    package func rotate(_ name: Name, by root: IssuingAuthority? = nil) async throws -> Interface.Receipt {
        let secret = try write(name)
        let index = try await install(secret, as: name, by: root)
        try folder.promote(name.rawValue)
        if name == .templateSecret {
            try await Resealing(environment, to: secret).removeOldBlobs()
            // Not only are rows changed: what was sealed under the old secret is no longer in the files.
            try await environment.database.scrub()
        }
        return try await environment.log.receipt(index)
    }

    /// Writes the new key beside the old one.
    func write(_ name: Name) throws -> Bytes {
        let secret = environment.random.bytes(32)
        // What an earlier attempt left, the start of this server has removed.
        try folder.replace(KeyFolder.next(name.rawValue), secret)
        return secret
    }

    /// Makes the database name the new key, drops what the old one made, and enters it in the log.
    func install(_ secret: Bytes, as name: Name, by root: IssuingAuthority?) async throws -> Int64 {
        let now = environment.now()
        let resealing = Resealing(environment, to: secret)
        let missing = try await name == .templateSecret ? resealing.copyBlobs() : []
        return try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            var members: [(String, JSON)] = [("key", .text(name.rawValue))]
            switch name {
            case .status, .desk:
                let certificate = try certify(
                    try SigningKey(rawRepresentation: secret).publicKey,
                    as: name == .desk ? .deskSigner : .statusSigner,
                    by: root, in: transaction, now: now)
                members.append(("certificate", .text(SHA256.hash(certificate).base64URL)))
            case .templateSecret:
                try resealing.apply(in: transaction, missing: missing)
                try setFingerprint(of: secret, as: name, in: transaction, now: now)
            case .codeSecret:
                try InvitationStore(transaction: transaction).deleteOpen()
                try ShareService(environment: environment).stopAll(in: transaction, now: now)
                try RecoveryStore(transaction: transaction).deleteAll()
                fallthrough
            case .labelSecret:
                try setFingerprint(of: secret, as: name, in: transaction, now: now)
            }
            return try environment.log.record(
                TrustEvent(.keyRotated, account: owner.id, members), in: transaction, now: now)
        }
    }

    private func setFingerprint(of secret: Bytes, as name: Name, in transaction: Transaction, now: Int64) throws {
        try ServerKeyStore(transaction: transaction).set(
            name.rawValue, fingerprint: ServerKeys.fingerprint(of: secret, named: name.rawValue), since: now)
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
        let certificate =
            if kind == .deskSigner {
                try CertificateIssuer.deskSigner(key: key, issuer: root, notBefore: now, random: &random)
            } else { try CertificateIssuer.statusSigner(key: key, issuer: root, notBefore: now, random: &random) }
        try store.set(kind, certificate: certificate.base64URL)
        return certificate
    }
}
