import Certificates
import CryptoProvider
import Encodings
import Storage

/// The server's own keys, one file each in the data directory's `keys` folder, readable by the server's user only.
package struct ServerKeys: Sendable {
    /// Signs the main administrator's and the status signer's certificates.
    ///
    /// May be taken offline after set-up.
    let root: RootKey
    /// Signs status list tokens.
    let status: SigningKey
    /// Signs records and reports of hand signatures.
    let desk: SigningKey
    /// Seals templates, captures and what is known of clients.
    let templateSecret: Bytes
    /// Signs the log's checkpoints.
    let log: LogSigningKey
    /// Will take its place (`LogKeyChange`); until then both sign, as the log policy says.
    let nextLog: LogSigningKey?
    /// Makes the log's pseudonymous labels.
    let labelSecret: Bytes
    /// Makes what is stored of invitation and link codes.
    let codeSecret: Bytes
    /// The secrets that slices name as their own.
    let ofSlices: [String: Bytes]

    /// Why a key cannot be used.
    package enum KeyError: Error, Equatable {
        /// The file is not the hexadecimal text of a key of this kind.
        case malformed(name: String)
        /// Others than the server's user may read it.
        case exposed(name: String)
        /// The organisation is set up, and the file is not there.
        case missing(name: String)
        /// It is a key, but another than the one that the organisation's certificates are for.
        case foreign(name: String)
    }

    /// Reads the keys.
    ///
    /// Those that are not there are made, but only while there is no organisation: later, a new key in the place of a
    /// lost one would be another organisation's, or another log's. The root alone may be missing then.
    ///
    /// - Parameters:
    ///   - directory: the data directory.
    ///   - organisation: `nil` before set-up.
    ///   - fingerprints: of the secrets in force, by name; one that is not named is taken as it is.
    ///   - secrets: the names of those that slices have.
    static func open(
        in directory: String, for organisation: OrganisationStore.Stored?, fingerprints: [String: String] = [:],
        secrets: [String] = [], random: RandomSource
    ) throws -> ServerKeys {
        let folder = KeyFolder(in: directory)
        if let organisation { try finishRotations(in: folder, organisation, fingerprints) }
        func secret(_ name: String) throws -> Bytes {
            organisation == nil ? try folder.readOrMake(name, random: random) : try folder.require(name)
        }
        func key<Key>(_ name: String, _ make: (Bytes) throws -> Key) throws -> Key {
            let bytes = try secret(name)
            do { return try make(bytes) } catch { throw KeyError.malformed(name: name) }
        }
        // An organisation that was set up before there were hand signatures gets what they need at its next start.
        func laterSecret(_ name: String, isInForce: Bool) throws -> Bytes {
            isInForce ? try folder.require(name) : try folder.readOrMake(name, random: random)
        }
        let deskSecret = try laterSecret("desk", isInForce: organisation.map { !$0.deskCertificate.isEmpty } ?? false)
        guard let desk = try? SigningKey(rawRepresentation: deskSecret) else { throw KeyError.malformed(name: "desk") }
        var ofSlices: [String: Bytes] = [:]
        for name in secrets { ofSlices[name] = try laterSecret(name, isInForce: fingerprints[name] != nil) }
        let keys = ServerKeys(
            root: RootKey(folder: folder), status: try key("status", SigningKey.init(rawRepresentation:)), desk: desk,
            templateSecret: try laterSecret("template-secret", isInForce: fingerprints["template-secret"] != nil),
            log: try key("log", LogSigningKey.init(rawRepresentation:)), nextLog: try nextLogKey(in: folder),
            labelSecret: try secret("label-secret"), codeSecret: try secret("code-secret"), ofSlices: ofSlices)
        if let organisation { try keys.check(organisation, fingerprints) }
        return keys
    }

    /// The key that will take the place of the log's, if one is made.
    static func nextLogKey(in folder: KeyFolder) throws -> LogSigningKey? {
        let name = KeyFolder.next("log")
        guard let bytes = try folder.read(name) else { return nil }
        do { return try LogSigningKey(rawRepresentation: bytes) } catch { throw KeyError.malformed(name: name) }
    }

    /// The keys that can sign checkpoints, the oldest first.
    var logKeys: [LogSigningKey] { [log] + (nextLog.map { [$0] } ?? []) }

    /// What the database keeps of a secret, to know it again: nothing can be learned from it.
    static func fingerprint(of secret: Bytes, named name: String) -> String {
        SHA256.hash(Bytes(text: "countersign key fingerprint v1\u{0}\(name)\u{0}") + secret).base64URL
    }

    /// The fingerprints of the secrets that have no certificate, by name.
    var fingerprints: [String: String] {
        ([("label-secret", labelSecret), ("code-secret", codeSecret), ("template-secret", templateSecret)]
            + ofSlices.map { ($0.key, $0.value) })
            .reduce(into: [:]) { $0[$1.0] = Self.fingerprint(of: $1.1, named: $1.0) }
    }

    /// Puts in order what a rotation has left that was cut short: the database says which key is in force.
    private static func finishRotations(
        in folder: KeyFolder, _ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]
    ) throws {
        for name in KeyRotation.Name.allCases {
            guard let secret = try folder.read(KeyFolder.next(name.rawValue)) else { continue }
            let isInForce =
                switch name {
                case .status:
                    try (try? SigningKey(rawRepresentation: secret))?.publicKey == organisation.statusSigner.publicKey
                case .desk:
                    try organisation.deskSigner.map {
                        (try? SigningKey(rawRepresentation: secret))?.publicKey == $0.publicKey
                    } ?? false
                case .codeSecret, .labelSecret, .templateSecret:
                    fingerprint(of: secret, named: name.rawValue) == fingerprints[name.rawValue]
                }
            if isInForce {
                try folder.promote(name.rawValue)
            } else {
                try folder.remove(KeyFolder.next(name.rawValue))
            }
        }
    }

    /// Refuses keys that somebody has put in the place of the organisation's.
    private func check(_ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]) throws {
        try requireInForce(organisation, fingerprints)
        _ = try root.authorityIfHere(try organisation.root.certificate.der)
    }

    /// Holds these keys against those that the database names.
    ///
    /// - Throws: `KeyError.foreign` when another one is in force.
    func requireInForce(_ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]) throws {
        for (name, fingerprint) in fingerprints where self.fingerprints[name] != fingerprint {
            throw KeyError.foreign(name: name)
        }
        guard try organisation.statusSigner.publicKey == status.publicKey else {
            throw KeyError.foreign(name: "status")
        }
        guard try organisation.deskSigner.map({ $0.publicKey == desk.publicKey }) ?? true else {
            throw KeyError.foreign(name: "desk")
        }
    }
}

extension ServerKeys {
    /// The key of a witness.
    ///
    /// - Parameter isNew: whether it has never signed: then the key is made, and else never anew.
    static func witness(in directory: String, isNew: Bool, random: RandomSource) throws -> LogSigningKey {
        let folder = KeyFolder(in: directory)
        let bytes = isNew ? try folder.readOrMake("witness", random: random) : try folder.require("witness")
        do {
            return try LogSigningKey(rawRepresentation: bytes)
        } catch {
            throw KeyError.malformed(name: "witness")
        }
    }
}

extension OrganisationStore.Stored {
    /// The root certificate, as verifiers pin it.
    var root: TrustAnchor {
        get throws { try TrustAnchor(der: Self.bytes(rootCertificate)) }
    }

    /// The main administrator's certificate.
    var owner: Certificate {
        get throws { try Certificate.parse(Self.bytes(ownerCertificate)) }
    }

    /// The certificate of the key that signs status lists.
    var statusSigner: Certificate {
        get throws { try Certificate.parse(Self.bytes(statusCertificate)) }
    }

    /// The certificate of the key that signs records of hand signatures, once there is one.
    var deskSigner: Certificate? {
        get throws { deskCertificate.isEmpty ? nil : try Certificate.parse(Self.bytes(deskCertificate)) }
    }

    private static func bytes(_ text: String) throws -> Bytes {
        guard let der = Base64.decode(Bytes(text: text), .url) else {
            throw StoredValueError(column: "organisation.certificate")
        }
        return der
    }
}
