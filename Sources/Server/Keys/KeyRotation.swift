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
                links: try ShareStore(transaction: transaction).countOpen(now: now))
        }
    }

    /// Puts a new key in the place of the old one.
    ///
    /// - Parameter root: certifies a new status key; `nil` for the other keys.
    /// - Returns: the log's receipt of the entry `key.rotated`.
    package func rotate(_ name: Name, by root: IssuingAuthority? = nil) async throws -> Interface.Receipt {
        let index = try await install(try write(name), as: name, by: root)
        try folder.promote(name.rawValue)
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
        return try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            var members: [(String, JSON)] = [("key", .text(name.rawValue))]
            switch name {
            case .status:
                guard let root else { throw RootKey.Missing.offline }
                let organisation = try OrganisationStore(transaction: transaction).find()
                guard try organisation?.root.certificate.der == root.certificateDER else {
                    throw RootTravel.TravelError.otherRoot
                }
                var random = environment.random
                let certificate = try CertificateIssuer.statusSigner(
                    key: try SigningKey(rawRepresentation: secret).publicKey, issuer: root, notBefore: now,
                    random: &random)
                try OrganisationStore(transaction: transaction).set(
                    .statusSigner, certificate: certificate.base64URL)
                members.append(("certificate", .text(SHA256.hash(certificate).base64URL)))
            case .codeSecret:
                try InvitationStore(transaction: transaction).deleteOpen()
                try ShareStore(transaction: transaction).stopAll(at: now)
                try RecoveryStore(transaction: transaction).deleteAll()
                fallthrough
            case .labelSecret:
                try ServerKeyStore(transaction: transaction).set(
                    name.rawValue, fingerprint: ServerKeys.fingerprint(of: secret, named: name.rawValue), since: now)
            }
            return try environment.log.record(
                TrustEvent(.keyRotated, account: owner.id, members), in: transaction, now: now)
        }
    }
}
