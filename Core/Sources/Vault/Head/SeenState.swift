public import Encodings

/// What a device has seen of a compartment: a server that answers with less is found out.
public struct SeenState: Sendable, Equatable {
    /// The highest sequence.
    public private(set) var sequence: UInt64
    private var revisions: [(node: NodeID, revision: UInt64)]

    /// What was in the compartment when the device saw it last, in the order of the ids; nothing if it never did.
    public var nodes: [NodeID] { revisions.map { $0.node } }

    /// A device that has seen nothing.
    public init() {
        sequence = 0
        revisions = []
    }

    /// Compares an answer with what was seen before, and remembers it.
    ///
    /// - Parameters:
    ///   - head: the compartment's head, opened.
    ///   - records: all of its records, in any order, trash included.
    /// - Throws: `rolledBack` for a lower sequence or a lower revision of a node; then nothing is remembered.
    public mutating func check(_ head: VaultHead, _ records: [NodeRecord]) throws(VaultError) {
        guard head.sequence >= sequence else { throw .rolledBack }
        let new = records.map { (node: $0.id, revision: $0.revision) }.sorted { $0.node < $1.node }
        var place = 0
        for (node, revision) in new {
            while place < revisions.count, revisions[place].node < node { place += 1 }
            guard place < revisions.count, revisions[place].node == node else { continue }
            guard revision >= revisions[place].revision else { throw .rolledBack }
        }
        sequence = head.sequence
        revisions = new
    }

    /// What the device keeps, sealed under the key of the compartment.
    public func sealed<Suite: VaultCryptoSuite>(
        of compartment: Compartment, suite: Suite
    ) throws(VaultError) -> Bytes {
        var bytes = bigEndianBytes(sequence)
        for (node, revision) in revisions { bytes += node.bytes + bigEndianBytes(revision) }
        return try compartment.key.derived(.seen, suite: suite).seal(bytes, .seen, compartment.id.bytes, suite: suite)
    }

    /// Reads what the device kept.
    ///
    /// - Throws: `cannotOpen` for another compartment.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, of compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        var reader = ByteReader(
            try compartment.key.derived(.seen, suite: suite).open(sealed, .seen, compartment.id.bytes, suite: suite))
        sequence = try reader.number(8)
        revisions = []
        while reader.remaining > 0 {
            let node = try NodeID(reader.take(NodeID.byteCount))
            guard revisions.last.map({ $0.node < node }) ?? true else { throw .malformed }
            revisions.append((node, try reader.number(8)))
        }
    }

    /// Whether both have seen the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.sequence == right.sequence && left.revisions.count == right.revisions.count
            && zip(left.revisions, right.revisions).allSatisfy { $0.node == $1.node && $0.revision == $1.revision }
    }
}
