import Certificates
import CryptoProvider
import Encodings
import Storage
import Synchronization

/// The server's own keys: those that its slices name, one file each in the data directory's folder `keys`.
///
/// A running server takes up another one where the key allows it (`KeyRotation`, `KeyWatch`).
package final class ServerKeys: Sendable {
    /// The organisation's root, which may be taken offline after set-up.
    let root: RootKey
    /// Those that the slices name.
    let keys: [ServerKey]
    private let folder: KeyFolder
    private let held: Mutex<Held>

    /// What was read from the files.
    fileprivate struct Held: Sendable {
        var secrets: [String: Bytes] = [:]
        /// The other ones of sealing secrets that are being replaced.
        var others: [String: Bytes] = [:]
        var signers: [String: SigningKey] = [:]
        /// Signs the log's checkpoints, and the one that will take its place (`LogKeyChange`): until then both sign, as
        /// the log policy says.
        var log: [LogSigningKey] = []
    }

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
        /// It is a key, but the log's newest checkpoint is not signed by it.
        case otherLog
        /// Another change of the folder's keys is being made.
        case changing
    }

    private init(_ keys: [ServerKey], _ folder: KeyFolder, _ held: sending Held) {
        (self.keys, self.folder, root) = (keys, folder, RootKey(folder: folder))
        self.held = Mutex(held)
    }

    /// Reads the keys as a start does.
    ///
    /// Missing keys are made, but only while there is no organisation. Later, a new key instead of a lost one would
    /// belong to another organisation, or to another log. A key that a later version brings is made when it is first
    /// needed. The root alone may be missing.
    ///
    /// - Parameters:
    ///   - directory: the data directory.
    ///   - organisation: `nil` before set-up.
    ///   - fingerprints: of the secrets in force, by name; one that is not named is taken as it is.
    ///   - keys: those that the slices name.
    static func open(
        in directory: String, for organisation: OrganisationStore.Stored?, fingerprints: [String: String] = [:],
        keys: [ServerKey] = Slice.all.keys, random: RandomSource
    ) throws -> ServerKeys {
        let folder = KeyFolder(in: directory)
        // While another server rotates a key, the file beside it is not a leftover.
        if let organisation, let lock = try? FolderLock.take(folder.path) {
            try KeyRotation.finish(keys, in: folder, organisation, fingerprints)
            withExtendedLifetime(lock) {}
        }
        var held = Held()
        for key in keys where key != .root {
            let isInForce = try organisation.map { try $0.names(key, fingerprints) } ?? false
            try held.take(isInForce ? folder.require(key.name) : folder.readOrMake(key.name, random: random), as: key)
            held.others[key.name] = try folder.other(key, fingerprints)
        }
        try held.takeNext(of: folder)
        let opened = ServerKeys(keys, folder, held)
        if let organisation {
            try opened.requireInForce(organisation, fingerprints)
            _ = try opened.root.authorityIfHere(try organisation.root.certificate.der)
        }
        return opened
    }

    /// The key of the file `log`, as it is now.
    func logKeyInFolder() throws -> LogSigningKey {
        let name = ServerKey.log.name
        do { return try LogSigningKey(rawRepresentation: try folder.require(name)) } catch let error as KeyError {
            throw error
        } catch {
            throw KeyError.malformed(name: name)
        }
    }

    /// The key that will replace the log's, if one is made.
    static func nextLogKey(in folder: KeyFolder) throws -> LogSigningKey? {
        let name = KeyFolder.next(ServerKey.log.name)
        guard let bytes = try folder.read(name) else { return nil }
        do { return try LogSigningKey(rawRepresentation: bytes) } catch { throw KeyError.malformed(name: name) }
    }

    /// A view of all of them: for what is no slice's.
    var all: SliceKeys { SliceKeys(self, own: keys) }

    /// The keys that can sign checkpoints, the oldest first.
    var logKeys: [LogSigningKey] { held.withLock { $0.log } }

    /// The bytes of a secret.
    func secret(_ key: ServerKey) -> Bytes { held.withLock { $0.secrets[key.name] ?? [] } }

    /// The one in force, and the other one while it is being replaced.
    func secrets(_ key: ServerKey) -> [Bytes] {
        held.withLock { held in [held.secrets[key.name] ?? []] + [held.others[key.name]].compactMap(\.self) }
    }

    /// The key of this name and public key, if this server has it, or finds it in its folder.
    ///
    /// Certificate and key change together, though not at the same instant: another may be in force by now.
    func signer(_ key: ServerKey, publicKey: P256PublicKey) -> SigningKey? {
        let known = held.withLock { $0.signers[key.name] }
        if known?.publicKey == publicKey { return known }
        for name in [key.name, KeyFolder.next(key.name)] {
            guard let secret = try? folder.read(name), let found = try? SigningKey(rawRepresentation: secret),
                found.publicKey == publicKey
            else { continue }
            try? use(secret, as: key)
            return found
        }
        return nil
    }

    /// What the root certifies.
    var certified: [(kind: RootCertificateKind, publicKey: P256PublicKey)] {
        held.withLock { held in
            keys.compactMap { key in
                key.certificate.flatMap { kind in held.signers[key.name].map { (kind, $0.publicKey) } }
            }
        }
    }

    /// The database's mark of a secret, to recognise it: nothing can be learned from it.
    static func fingerprint(of secret: Bytes, named name: String) -> String {
        SHA256.hash(Bytes(text: "countersign key fingerprint v1\u{0}\(name)\u{0}") + secret).base64URL
    }

    /// The fingerprints of the secrets, by name.
    var fingerprints: [String: String] {
        held.withLock { held in
            held.secrets.reduce(into: [:]) { $0[$1.key] = Self.fingerprint(of: $1.value, named: $1.key) }
        }
    }

    private var otherFingerprints: [String: String] {
        held.withLock { held in
            held.others.reduce(into: [:]) { $0[$1.key] = Self.fingerprint(of: $1.value, named: $1.key) }
        }
    }

    /// Holds these keys against those that the database names.
    ///
    /// - Throws: `KeyError.foreign` when another one is in force.
    func requireInForce(_ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]) throws {
        guard let name = try replaced(organisation, fingerprints).first?.name else { return }
        throw KeyError.foreign(name: name)
    }

    /// Those in whose place others are in force.
    private func replaced(
        _ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]
    ) throws -> [ServerKey] {
        let (own, others, certified) = (self.fingerprints, otherFingerprints, certified)
        return try keys.filter { key in
            switch key.kind {
            case .secret:
                fingerprints[key.name].map { $0 != own[key.name] } ?? false
                    || key.isSealing && fingerprints[key.otherName] != others[key.name]
            case .certified(let kind):
                try organisation.certificate(kind).map { certificate in
                    !certified.contains { $0.kind == kind && $0.publicKey == certificate.publicKey }
                } ?? false
            case .log, .root: false
            }
        }
    }
}

extension ServerKeys {
    /// Takes up the keys that are in force now from this folder, once someone has put them there.
    ///
    /// - Returns: the names of those that were taken up.
    /// - Throws: `KeyError.foreign` for one that is in force and not in the folder; then none was.
    @discardableResult
    func takeUp(_ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]) throws -> [String] {
        let replaced = try replaced(organisation, fingerprints)
        var found = Held()
        for key in replaced {
            let secret = try secretInFolder(key, organisation, fingerprints)
            guard let secret else { throw KeyError.foreign(name: key.name) }
            try found.take(secret, as: key)
            found.others[key.name] = try folder.other(key, fingerprints)
        }
        use(found)
        held.withLock { [others = found.others] held in
            for key in replaced { held.others[key.name] = others[key.name] }
        }
        return replaced.map(\.name)
    }

    /// Reads every file, as the next start will, and keeps what is in use.
    ///
    /// - Parameters:
    ///   - organisation: `nil` before set-up.
    ///   - fingerprints: of the secrets in force, by name.
    /// - Throws: `KeyError` when one is missing, malformed, readable for others, or not the one in force.
    func requireFiles(_ organisation: OrganisationStore.Stored?, _ fingerprints: [String: String]) throws {
        for key in keys where key != .root {
            guard try folder.read(key.name) != nil else { throw KeyError.missing(name: key.name) }
            guard let organisation, key.kind != .log, try organisation.names(key, fingerprints) else { continue }
            guard try secretInFolder(key, organisation, fingerprints) != nil else {
                throw KeyError.foreign(name: key.name)
            }
            _ = try folder.other(key, fingerprints)
        }
        // It may be away, and if it is here it must not lie open.
        _ = try folder.read(ServerKey.root.name)
    }

    /// The key in force as the folder holds it; it may also be in the file that a rotation is about to rename.
    ///
    /// - Throws: `KeyError.exposed`, `KeyError.malformed` when neither file holds it and one cannot be taken.
    private func secretInFolder(
        _ key: ServerKey, _ organisation: OrganisationStore.Stored, _ fingerprints: [String: String]
    ) throws -> Bytes? {
        var trouble: KeyError?
        for name in [key.name, KeyFolder.next(key.name)] {
            do {
                guard let secret = try folder.read(name) else { continue }
                if try organisation.names(secret, as: key, fingerprints) { return secret }
            } catch let error as KeyError {
                trouble = trouble ?? error
            }
        }
        if let trouble { throw trouble }
        return nil
    }

    /// Uses another key from now on: the database has just named it.
    func use(_ secret: Bytes, as key: ServerKey) throws {
        var found = Held()
        try found.take(secret, as: key)
        use(found)
    }

    /// Reads the log's keys again.
    func readLogKeys() throws {
        var found = Held()
        try found.take(try folder.require(ServerKey.log.name), as: .log)
        try found.takeNext(of: folder)
        use(found)
    }

    private func use(_ found: sending Held) {
        held.withLock { [found] held in
            held.secrets.merge(found.secrets) { $1 }
            held.signers.merge(found.signers) { $1 }
            if !found.log.isEmpty { held.log = found.log }
        }
    }

    /// The key of a witness.
    ///
    /// - Parameter isNew: whether it has never signed. Only then is a missing key made.
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

extension ServerKeys.Held {
    /// Takes the log's next key, if there is one; a crash may have left it beside itself.
    fileprivate mutating func takeNext(of folder: KeyFolder) throws {
        guard let next = try ServerKeys.nextLogKey(in: folder), log.allSatisfy({ $0.publicKey != next.publicKey })
        else { return }
        log.append(next)
    }

    /// Takes what a file holds.
    fileprivate mutating func take(_ bytes: Bytes, as key: ServerKey) throws {
        do {
            switch key.kind {
            case .secret: secrets[key.name] = bytes
            case .certified: signers[key.name] = try SigningKey(rawRepresentation: bytes)
            case .log: log = [try LogSigningKey(rawRepresentation: bytes)]
            case .root: break
            }
        } catch {
            throw ServerKeys.KeyError.malformed(name: key.name)
        }
    }
}

extension OrganisationStore.Stored {
    /// Whether there is a key in force of this name.
    func names(_ key: ServerKey, _ fingerprints: [String: String]) throws -> Bool {
        if key.isFromSetUp { return true }
        return switch key.kind {
        case .secret: fingerprints[key.name] != nil
        case .certified(let kind): try certificate(kind) != nil
        case .log, .root: true
        }
    }

    /// Whether this is the key in force of this name.
    func names(_ secret: Bytes, as key: ServerKey, _ fingerprints: [String: String]) throws -> Bool {
        switch key.kind {
        case .secret: ServerKeys.fingerprint(of: secret, named: key.name) == fingerprints[key.name]
        case .certified(let kind):
            try certificate(kind).map { certificate in
                (try? SigningKey(rawRepresentation: secret))?.publicKey == certificate.publicKey
            } ?? false
        case .log, .root: false
        }
    }
}
