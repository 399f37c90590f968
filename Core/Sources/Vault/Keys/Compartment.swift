public import Encodings

/// Everything that one 32-byte key opens: the main vault, a tier, the decoy, or a folder shared with others.
public struct Compartment: Sendable {
    /// The name under which the server knows it.
    public let id: CompartmentID
    /// The key, from which all others follow.
    public let key: VaultSecret
    /// The root folder.
    public let root: NodeKey
    let placeKey: VaultSecret
    let headKey: VaultSecret
    let accumulatorKey: VaultSecret

    /// The compartment of a key.
    ///
    /// - Throws: `suiteFailed` if the suite computes another length than asked for.
    public init<Suite: VaultCryptoSuite>(_ key: VaultSecret, suite: Suite) throws(VaultError) {
        self.key = key
        id = try CompartmentID(suite.derive(key.bytes, .compartmentID, count: CompartmentID.byteCount))
        root = NodeKey(node: .root, generation: 0, secret: try key.derived(.rootFolder, suite: suite))
        placeKey = try key.derived(.place, suite: suite)
        headKey = try key.derived(.head, suite: suite)
        accumulatorKey = try key.derived(.accumulator, suite: suite)
    }

    /// Under which name a device keeps what it knows of the compartment, 16 bytes: it tells nobody which one it is.
    public func localName<Suite: VaultCryptoSuite>(_ suite: Suite) -> Bytes {
        suite.derive(key.bytes, .localName, count: 16)
    }

    /// A new compartment.
    public static func random<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> Self {
        try Self(.random(suite), suite: suite)
    }
}

/// The key of a node: opens its metadata and contents, and the keys of the nodes in it.
public struct NodeKey: Sendable {
    /// The node.
    public let node: NodeID
    /// How often the key was exchanged; the root folder's never is.
    public let generation: UInt32
    let secret: VaultSecret

    /// A new key of a node.
    static func random<Suite: VaultCryptoSuite>(
        _ node: NodeID, generation: UInt32, suite: Suite
    ) throws(VaultError) -> Self {
        Self(node: node, generation: generation, secret: try .random(suite))
    }
}
