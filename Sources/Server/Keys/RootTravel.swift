import Certificates
package import CryptoProvider
package import Encodings
package import Storage

/// The root's key leaves the data directory and comes back.
///
/// It touches one file and reads one row, so it may be done while the server runs.
package struct RootTravel: Sendable {
    private let folder: KeyFolder
    private let organisation: OrganisationStore.Stored
    private let parameters: Argon2Parameters
    private let limits: Argon2Limits

    /// Why the root stays where it is.
    package enum TravelError: Error, Equatable {
        /// The database knows no organisation.
        case notSetUp
        /// The file holds the root of another organisation.
        case otherRoot
        /// There is a root key in the data directory already.
        case isHere
    }

    /// Where the root is, and what hangs on it.
    package struct State: Sendable {
        /// The organisation's name.
        package let organisation: String
        /// Whether the key is in the data directory.
        package let isHere: Bool
        /// SHA-256 of the root certificate, 32 bytes.
        package let fingerprint: Bytes
        /// The last second of the root certificate, since 1970.
        package let rootEnds: Int64
        /// The last second of each certificate that the root renews.
        package let ends: [(kind: RootCertificateKind, time: Int64)]
    }

    /// Opens the folder of keys of an organisation that is set up.
    ///
    /// - Parameters:
    ///   - parameters: other than the standard only in tests.
    package init(
        directory: String, database: any Database, parameters: Argon2Parameters = .recommended,
        limits: Argon2Limits = .standard
    ) async throws {
        guard let organisation = try await database.read({ try OrganisationStore(transaction: $0).find() }) else {
            throw TravelError.notSetUp
        }
        folder = KeyFolder(in: directory)
        self.organisation = organisation
        self.parameters = parameters
        self.limits = limits
    }

    /// The file of the key in the data directory.
    package var path: String { folder.file(RootKey.name) }

    /// Where the root is now.
    ///
    /// - Throws: `KeyError.foreign` when another key is in its place.
    package func state() throws -> State {
        let root = try organisation.root
        return State(
            organisation: organisation.name,
            isHere: try RootKey(folder: folder).authorityIfHere(root.certificate.der) != nil,
            fingerprint: root.fingerprint, rootEnds: root.certificate.notAfter,
            ends: try RootCertificateKind.allCases.compactMap { kind in
                try organisation.certificate(kind).map { (kind, $0.notAfter) }
            })
    }

    /// What the root is asked for to renew certificates.
    package func request(_ kinds: [RootCertificateKind], now: Int64) throws -> RootRequest {
        try organisation.request(kinds, now: now)
    }

    /// Seals the key for a file.
    package func export(passphrase: String) async throws -> RootFile {
        let root = try organisation.root.certificate.der
        guard let secret = try folder.read(RootKey.name) else { throw RootKey.Missing.offline }
        _ = try RootKey.authority(secret, root)
        return try await RootFile(
            secret: secret, certificate: root, passphrase: passphrase, parameters: parameters, limits: limits)
    }

    /// Takes the key out of the data directory, once a file was seen to give it back.
    ///
    /// - Parameter file: read back from where it was written.
    package func remove(provedBy file: RootFile, passphrase: String) async throws {
        let secret = try await prove(file, passphrase: passphrase)
        guard try folder.read(RootKey.name) == secret else { throw TravelError.otherRoot }
        try folder.remove(RootKey.name)
    }

    /// Puts the key back.
    package func bringBack(_ file: RootFile, passphrase: String) async throws {
        let secret = try await prove(file, passphrase: passphrase)
        guard try folder.create(RootKey.name, secret) else { throw TravelError.isHere }
    }

    /// Opens a file of this organisation's root.
    package func authority(_ file: RootFile, passphrase: String) async throws -> IssuingAuthority {
        try RootKey.authority(await prove(file, passphrase: passphrase), organisation.root.certificate.der)
    }

    /// The secret in a file, which is this organisation's root.
    private func prove(_ file: RootFile, passphrase: String) async throws -> Bytes {
        let root = try organisation.root.certificate.der
        guard file.certificate == root else { throw TravelError.otherRoot }
        let secret = try await file.secret(passphrase: passphrase, limits: limits)
        _ = try RootKey.authority(secret, root)
        return secret
    }
}
