public import Encodings

/// The compact right edge of a tree: the roots of its perfect subtrees, largest first.
///
/// It is all that is needed to append to a tree and to know its root: at most 63 hashes.
public struct RightEdge: Sendable, Equatable {
    /// The number of entries.
    public private(set) var size: UInt64
    /// The roots of the perfect subtrees, one for each bit set in `size`, largest first.
    public private(set) var hashes: [Bytes]

    /// The edge of the empty tree.
    public init() {
        size = 0
        hashes = []
    }

    /// The edge that was stored as its size and hashes.
    ///
    /// - Throws: `malformedEdge` when the number of hashes or the length of one does not fit.
    public init(size: UInt64, hashes: [Bytes]) throws(TransparencyError) {
        guard size <= MerkleTree.maximumSize, hashes.count == size.nonzeroBitCount,
            hashes.allSatisfy({ $0.count == MerkleTree.hashLength })
        else { throw .malformedEdge }
        self.size = size
        self.hashes = hashes
    }

    /// An edge that fits by construction.
    init(size: UInt64, perfectSubtrees: [Bytes]) {
        self.size = size
        hashes = perfectSubtrees
    }

    /// Appends the hash of the next entry.
    public mutating func append(_ leafHash: Bytes, suite: some CryptoSuite) {
        var hash = leafHash
        // Each bit that carries is a perfect subtree that finds its partner.
        var carry = size
        while carry & 1 == 1 {
            hash = MerkleTree.nodeHash(hashes.removeLast(), hash, suite: suite)
            carry >>= 1
        }
        hashes.append(hash)
        size += 1
    }

    /// The root of the tree; the hash of nothing for the empty tree.
    public func root(suite: some CryptoSuite) -> Bytes {
        MerkleTree.joined(hashes, suite: suite) ?? suite.sha256([])
    }
}

extension MerkleTree {
    /// The root over neighbouring perfect subtrees, largest first, or `nil` when there are none.
    static func joined(_ subtrees: [Bytes], suite: some CryptoSuite) -> Bytes? {
        guard var hash = subtrees.last else { return nil }
        for left in subtrees.dropLast().reversed() { hash = nodeHash(left, hash, suite: suite) }
        return hash
    }
}
