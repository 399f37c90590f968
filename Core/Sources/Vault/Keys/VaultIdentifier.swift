public import Encodings

/// Sixteen bytes that name one thing of a vault and say nothing about it.
///
/// - Parameter Kind: what is named, so that a folder is never taken for a version.
public struct VaultIdentifier<Kind>: Sendable, Hashable, Comparable {
    /// How many bytes an identifier has.
    public static var byteCount: Int { 16 }

    private let high: UInt64
    private let low: UInt64

    /// Takes the bytes of an identifier.
    ///
    /// - Throws: `malformed` unless there are sixteen.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        var reader = ByteReader(bytes)
        self.init(high: try reader.number(8), low: try reader.number(8))
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new identifier.
    ///
    /// - Throws: `suiteFailed` if the suite has no randomness.
    public static func random<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> Self {
        try Self(suite.fresh(byteCount))
    }

    /// The sixteen bytes.
    public var bytes: Bytes { bigEndianBytes(high) + bigEndianBytes(low) }

    /// The order of the bytes.
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// The kinds of things that have identifiers.
public enum VaultKind {
    /// A set of nodes that one key opens.
    public enum Compartment: Sendable {}
    /// A folder, a file, a note or the settings.
    public enum Node: Sendable {}
    /// One state of a file's content.
    public enum Version: Sendable {}
    /// An unlock slot.
    public enum Slot: Sendable {}
    /// A lock that items have besides their folder's key.
    public enum Lock: Sendable {}
}

/// Names a compartment; derived from its key, so without a key nobody can name one.
public typealias CompartmentID = VaultIdentifier<VaultKind.Compartment>
/// Names a node within its compartment.
public typealias NodeID = VaultIdentifier<VaultKind.Node>
/// Names a version of a file's content.
public typealias VersionID = VaultIdentifier<VaultKind.Version>
/// Names an unlock slot of an account.
public typealias SlotID = VaultIdentifier<VaultKind.Slot>
/// Names a lock of items.
public typealias LockID = VaultIdentifier<VaultKind.Lock>

extension NodeID {
    /// The root folder of every compartment: all bytes zero.
    public static var root: Self { Self(high: 0, low: 0) }
}
