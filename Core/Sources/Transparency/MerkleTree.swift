public import Encodings

/// The hashes of a Merkle tree (RFC 6962 section 2.1, RFC 9162 section 2.1) over SHA-256, and what its proofs show.
///
/// A hash is always 32 bytes. Sizes and indices count entries; a tree has fewer than 2^63 of them.
public enum MerkleTree {
    /// The number of bytes of a hash.
    public static let hashLength = 32

    /// The largest number of entries that a tree may have, 2^63 - 1.
    public static let maximumSize = UInt64(Int64.max)

    /// The hash of an entry: SHA-256 of a zero byte and the entry.
    public static func leafHash(_ entry: Bytes, suite: some CryptoSuite) -> Bytes {
        var message: Bytes = []
        message.reserveCapacity(entry.count + 1)
        message.append(0)
        message.append(contentsOf: entry)
        return suite.sha256(message)
    }

    /// The hash of an inner node: SHA-256 of a one byte and the hashes of its two children.
    public static func nodeHash(_ left: Bytes, _ right: Bytes, suite: some CryptoSuite) -> Bytes {
        var message: Bytes = []
        message.reserveCapacity(1 + 2 * hashLength)
        message.append(1)
        message.append(contentsOf: left)
        message.append(contentsOf: right)
        return suite.sha256(message)
    }

    /// The root of a tree over these leaf hashes.
    ///
    /// - Returns: the hash of nothing for the empty tree, as the standard defines it.
    public static func root(of leafHashes: [Bytes], suite: some CryptoSuite) -> Bytes {
        var edge = RightEdge()
        for hash in leafHashes { edge.append(hash, suite: suite) }
        return edge.root(suite: suite)
    }

    /// Checks that an entry is in the tree of the given size and root (RFC 9162 section 2.1.3.2).
    ///
    /// - Parameters:
    ///   - leafHash: of the entry.
    ///   - index: of the entry, from zero.
    ///   - proof: the hashes beside the way from the leaf up to the root, lowest first.
    /// - Throws: `outOfRange` when the tree has no such index, `invalidProof` when the hashes do not lead to `root`.
    public static func verifyInclusion(
        of leafHash: Bytes, at index: UInt64, in size: UInt64, root: Bytes, proof: [Bytes], suite: some CryptoSuite
    ) throws(TransparencyError) {
        guard size <= maximumSize, index < size else { throw .outOfRange }
        guard leafHash.count == hashLength, proof.allSatisfy({ $0.count == hashLength }) else { throw .invalidProof }
        var node = index
        var last = size - 1
        var hash = leafHash
        for sibling in proof {
            guard last > 0 else { throw .invalidProof }
            if node & 1 == 1 || node == last {
                hash = nodeHash(sibling, hash, suite: suite)
                // A last node without a sibling moves up unchanged until it is a right child.
                while node & 1 == 0, node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = nodeHash(hash, sibling, suite: suite)
            }
            node >>= 1
            last >>= 1
        }
        guard last == 0, hash == root else { throw .invalidProof }
    }

    /// Checks that the smaller tree is the beginning of the larger one (RFC 9162 section 2.1.4.2).
    ///
    /// Equal sizes and the empty tree need no hashes: their proof is empty.
    /// - Throws: `outOfRange` when the first size is above the second, `invalidProof` when the hashes do not lead to
    ///   both roots.
    public static func verifyConsistency(
        from oldSize: UInt64, oldRoot: Bytes, to newSize: UInt64, newRoot: Bytes, proof: [Bytes],
        suite: some CryptoSuite
    ) throws(TransparencyError) {
        guard newSize <= maximumSize, oldSize <= newSize else { throw .outOfRange }
        guard proof.allSatisfy({ $0.count == hashLength }) else { throw .invalidProof }
        let empty = suite.sha256([])
        if oldSize == newSize {
            guard proof.isEmpty, oldRoot == newRoot, newSize > 0 || newRoot == empty else { throw .invalidProof }
            return
        }
        if oldSize == 0 {
            guard proof.isEmpty, oldRoot == empty else { throw .invalidProof }
            return
        }
        var hashes = proof
        // A perfect smaller tree is itself a node of the larger one, so that the proof leaves it out.
        if oldSize & (oldSize - 1) == 0 { hashes.insert(oldRoot, at: 0) }
        guard let first = hashes.first else { throw .invalidProof }
        let shift = oldSize.trailingZeroBitCount
        var node = (oldSize - 1) >> UInt64(shift)
        var last = (newSize - 1) >> UInt64(shift)
        var old = first
        var new = first
        for hash in hashes.dropFirst() {
            guard last > 0 else { throw .invalidProof }
            if node & 1 == 1 || node == last {
                old = nodeHash(hash, old, suite: suite)
                new = nodeHash(hash, new, suite: suite)
                while node & 1 == 0, node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                new = nodeHash(new, hash, suite: suite)
            }
            node >>= 1
            last >>= 1
        }
        guard last == 0, old == oldRoot, new == newRoot else { throw .invalidProof }
    }
}
