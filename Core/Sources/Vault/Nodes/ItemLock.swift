public import Encodings

/// The key of a lock that items have besides the key of their folder.
public struct ItemLock: Sendable {
    /// How the key is come by.
    public enum Method: UInt8, Sendable, Equatable {
        /// From a PIN slot with the purpose `item`.
        case pin = 1
        /// From a passkey, with a PRF salt of the item.
        case passkey = 2
    }

    /// How many locks an item may have; any one of them opens it.
    public static let maximum = 2

    /// Names the lock.
    public let id: LockID
    /// How the key is come by.
    public let method: Method
    let key: VaultSecret

    /// The lock whose key a PIN slot holds.
    public init(pin key: VaultSecret, id: LockID) {
        self.id = id
        method = .pin
        self.key = key
    }

    /// The lock of one item that a passkey opens.
    ///
    /// - Parameter output: 32 bytes, the result of PRF for `prfSalt`.
    /// - Throws: `malformed` for another length.
    public init<Suite: VaultCryptoSuite>(prf output: Bytes, id: LockID, suite: Suite) throws(VaultError) {
        self.id = id
        method = .passkey
        key = try VaultSecret(output).derived(.itemPRF, id.bytes, suite: suite)
    }

    /// What a passkey is asked with for one item, 32 bytes.
    public static func prfSalt<Suite: VaultCryptoSuite>(
        _ compartment: CompartmentID, _ node: NodeID, _ lock: LockID, suite: Suite
    ) -> Bytes {
        suite.sha256(VaultLabel.itemPRF.bytes + compartment.bytes + node.bytes + lock.bytes)
    }
}

/// A lock of an item, as its folder tells of it.
public struct NodeLock: Sendable, Equatable {
    /// Names the lock.
    public let id: LockID
    /// How its key is come by.
    public let method: ItemLock.Method
    /// The node key under the key of the lock.
    let box: Bytes
}
