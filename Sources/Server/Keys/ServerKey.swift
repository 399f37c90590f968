import Certificates
import CryptoProvider
import Encodings

/// A key of the server: a file of 32 random bytes in the data directory's folder `keys`, readable by the server's user only.
///
/// A slice names those that it uses, and gets no others.
package struct ServerKey: Sendable, Hashable {
    /// The record that says which key of this name is in force.
    enum Kind: Sendable, Hashable {
        /// The database, by a fingerprint: it is a secret.
        case secret
        /// The certificate of this kind, from the root: it signs with ECDSA on P-256.
        case certified(RootCertificateKind)
        /// The log policy: it signs checkpoints with Ed25519.
        case log
        /// The organisation's root certificate: its file may be away.
        case root
    }

    /// The name of its file.
    let name: String
    /// The record that says that it is in force.
    let kind: Kind
    /// Whether every organisation has had one since it was set up: one that is missing is lost, and not still to be made.
    var isFromSetUp = false
    /// Whether rows are sealed under it: while another takes its place, two open them (`SealingRotation`).
    var isSealing = false

    /// The database's name for the other secret of a rotation, beside the one in force.
    var otherName: String { name + ".other" }

    /// What kind of certificate names it, if one does.
    var certificate: RootCertificateKind? {
        if case .certified(let kind) = kind { kind } else { nil }
    }
}

/// The keys that a slice has: those that it named.
struct SliceKeys: Sendable {
    private let all: ServerKeys
    private let own: Set<String>

    /// - Parameter own: those that it may use.
    init(_ all: ServerKeys, own: [ServerKey]) {
        self.all = all
        self.own = Set(own.map(\.name))
    }

    /// Whether this key is among them.
    func has(_ key: ServerKey) -> Bool { own.contains(key.name) }

    /// The bytes of a secret that is the slice's own.
    func secret(_ key: ServerKey) -> Bytes {
        require(key)
        return all.secret(key)
    }

    /// All that a sealing secret may have sealed: the one in force, and the other one of a rotation.
    func secrets(_ key: ServerKey) -> [Bytes] {
        require(key)
        return all.secrets(key)
    }

    /// The key of the slice's own that a certificate names; `nil` when this server does not have it.
    func signer(_ key: ServerKey, named certificate: Certificate) -> SigningKey? {
        require(key)
        return all.signer(key, publicKey: certificate.publicKey)
    }

    /// The organisation's root key.
    var root: RootKey {
        require(.root)
        return all.root
    }

    /// The keys of all slices that the root certifies: public keys are not secret.
    var certified: [(kind: RootCertificateKind, publicKey: P256PublicKey)] { all.certified }

    /// A slice that reaches for what it did not name is a mistake in the program, and no request may find a way to it.
    private func require(_ key: ServerKey) {
        precondition(has(key), "the key '\(key.name)' is another slice's")
    }
}
