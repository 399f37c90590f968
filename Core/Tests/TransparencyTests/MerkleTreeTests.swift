import EllipticCurves
import Encodings
import Testing
import Transparency

@Suite("The Merkle tree")
struct MerkleTreeTests {
    /// Inputs and roots that implementations of RFC 6962 have shared since the first of them.
    static let inputs = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    ]
    static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]
    let suite = PureSuite()

    @Test("has the roots that other implementations have", arguments: 0...8)
    func knownRoots(size: Int) throws {
        let hashes = try Self.inputs.prefix(size).map { MerkleTree.leafHash(try hex($0), suite: suite) }
        #expect(MerkleTree.root(of: hashes, suite: suite) == (try hex(Self.roots[size])))
    }

    @Test("refuses every altered inclusion proof", arguments: 1...40)
    func alteredInclusion(size: Int) throws {
        let suite = MixingSuite()
        let log = try MemoryLog(size: size, suite: suite)
        let root = log.state.root(suite: suite)
        let leaves = log.leafHashes
        func isAccepted(_ leaf: Bytes, _ index: Int, _ size: Int, _ proof: [Bytes]) -> Bool {
            (try? MerkleTree.verifyInclusion(
                of: leaf, at: UInt64(index), in: UInt64(size), root: root, proof: proof, suite: suite)) != nil
        }
        for index in 0..<size {
            let proof = try log.inclusionProof(UInt64(index))
            #expect(isAccepted(leaves[index], index, size, proof))
            #expect(!isAccepted(leaves[index].flipped(at: 31), index, size, proof))
            #expect(!isAccepted(leaves[index], index, size, proof + [root]))
            #expect(!isAccepted(leaves[index], size, size, proof))
            if size > 1 { #expect(!isAccepted(leaves[index], (index + 1) % size, size, proof)) }
            for step in proof.indices {
                var forged = proof
                forged[step] = proof[step].flipped(at: step)
                #expect(!isAccepted(leaves[index], index, size, forged))
                forged.remove(at: step)
                #expect(!isAccepted(leaves[index], index, size, forged))
                forged = proof
                forged[step].append(0)
                #expect(!isAccepted(leaves[index], index, size, forged))
            }
            if proof.count > 1 { #expect(!isAccepted(leaves[index], index, size, proof.reversed())) }
        }
    }

    @Test("an inner node does not pass as an entry")
    func nodeAsLeaf() throws {
        let log = try MemoryLog(size: 4, suite: suite)
        let left = MerkleTree.nodeHash(log.leafHashes[0], log.leafHashes[1], suite: suite)
        let right = MerkleTree.nodeHash(log.leafHashes[2], log.leafHashes[3], suite: suite)
        // The hashes would fit a tree of two: the size is signed, so nobody can claim that.
        #expect(throws: TransparencyError.invalidProof) {
            try MerkleTree.verifyInclusion(
                of: left, at: 0, in: 4, root: log.state.root(suite: suite), proof: [right], suite: suite)
        }
    }

    @Test("proves every smaller tree to be its beginning, and nothing else", arguments: 0...40)
    func consistency(size: Int) throws {
        let suite = MixingSuite()
        let new = try MemoryLog(size: size, suite: suite)
        let newRoot = new.state.root(suite: suite)
        for oldSize in 0...size {
            let oldRoot = MerkleTree.root(of: Array(new.leafHashes.prefix(oldSize)), suite: suite)
            let proof = try new.consistencyProof(from: UInt64(oldSize))
            func isAccepted(_ old: Int, _ oldRoot: Bytes, _ new: Int, _ newRoot: Bytes, _ proof: [Bytes]) -> Bool {
                (try? MerkleTree.verifyConsistency(
                    from: UInt64(old), oldRoot: oldRoot, to: UInt64(new), newRoot: newRoot, proof: proof, suite: suite))
                    != nil
            }
            #expect(isAccepted(oldSize, oldRoot, size, newRoot, proof))
            #expect(!isAccepted(oldSize, oldRoot.flipped(at: 0), size, newRoot, proof))
            // The empty tree is the beginning of every tree, with any root.
            if oldSize > 0 { #expect(!isAccepted(oldSize, oldRoot, size, newRoot.flipped(at: 0), proof)) }
            #expect(!isAccepted(oldSize, oldRoot, size, newRoot, proof + [newRoot]))
            if oldSize < size {
                #expect(!isAccepted(size, newRoot, oldSize, oldRoot, proof))
                if oldSize > 0 { #expect(!isAccepted(oldSize + 1, oldRoot, size, newRoot, proof)) }
            }
            for step in proof.indices {
                var forged = proof
                forged[step] = proof[step].flipped(at: step)
                #expect(!isAccepted(oldSize, oldRoot, size, newRoot, forged))
                forged.remove(at: step)
                #expect(!isAccepted(oldSize, oldRoot, size, newRoot, forged))
            }
        }
    }

    @Test("a rewritten entry shows in the consistency proof", arguments: [1, 7, 8, 19])
    func rewritten(at index: Int) throws {
        let honest = try MemoryLog(size: 20, suite: suite)
        var rewritten = try MemoryLog(size: 0, suite: suite)
        var entries = honest.entries + [Bytes(text: "next")]
        entries[index] = Bytes(text: "something else")
        try rewritten.append(entries)
        let proof = try rewritten.consistencyProof(from: 20)
        #expect(throws: TransparencyError.invalidProof) {
            try MerkleTree.verifyConsistency(
                from: 20, oldRoot: honest.state.root(suite: suite), to: 21,
                newRoot: rewritten.state.root(suite: suite), proof: proof, suite: suite)
        }
    }

    @Test("sizes that no tree has are refused", arguments: [UInt64(Int64.max) + 1, .max])
    func impossibleSizes(size: UInt64) {
        let hash = Bytes(repeating: 0, count: 32)
        #expect(throws: TransparencyError.outOfRange) {
            try MerkleTree.verifyInclusion(of: hash, at: 0, in: size, root: hash, proof: [], suite: suite)
        }
        #expect(throws: TransparencyError.outOfRange) {
            try MerkleTree.verifyConsistency(
                from: 1, oldRoot: hash, to: size, newRoot: hash, proof: [hash], suite: suite)
        }
        #expect(throws: TransparencyError.outOfRange) { try ProofPlan.inclusion(of: 0, in: size) }
        #expect(throws: TransparencyError.outOfRange) { try ProofPlan.consistency(from: 0, to: size) }
        #expect(throws: TransparencyError.outOfRange) { try ProofPlan.root(of: size) }
    }

    @Test("the largest tree has proofs of 63 hashes")
    func largest() throws {
        let plan = try ProofPlan.inclusion(of: 0, in: MerkleTree.maximumSize)
        #expect(plan.tiles.count >= 8)
        let proof = [Bytes](repeating: Bytes(repeating: 1, count: 32), count: 63)
        #expect(throws: TransparencyError.invalidProof) {
            try MerkleTree.verifyInclusion(
                of: proof[0], at: MerkleTree.maximumSize - 1, in: MerkleTree.maximumSize, root: proof[0], proof: proof,
                suite: suite)
        }
    }

    @Test("the right edge goes on from what was stored", arguments: [0, 1, 7, 13])
    func storedEdge(size: Int) throws {
        let log = try MemoryLog(size: size + 9, suite: suite)
        let first = try MemoryLog(size: size, suite: suite).state.edge
        var edge = try RightEdge(size: first.size, hashes: first.hashes)
        for hash in log.leafHashes.dropFirst(size) { edge.append(hash, suite: suite) }
        #expect(edge == log.state.edge)
        #expect(edge.root(suite: suite) == log.state.root(suite: suite))
        #expect(throws: TransparencyError.malformedEdge) {
            try RightEdge(size: edge.size, hashes: edge.hashes + [edge.hashes[0]])
        }
        #expect(throws: TransparencyError.malformedEdge) {
            try RightEdge(size: edge.size, hashes: edge.hashes.map { Array($0.dropLast()) })
        }
    }
}
