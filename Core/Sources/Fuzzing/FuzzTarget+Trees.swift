import Encodings
import Transparency

extension FuzzTarget {
    static let trees = [
        FuzzTarget("tree-proof", maximumLength: 800, treeProof),
        FuzzTarget("tree-files", maximumLength: 4096, treeFiles),
        FuzzTarget("tree-audit", maximumLength: 1024, treeAudit),
    ]

    /// Two numbers and hashes: as a proof of either kind, and as a plan for fetching its tiles.
    private static func treeProof(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let (small, large) = (parts.number(8), parts.number(8))
        let (leaf, root) = (parts.take(32), parts.take(32))
        var hashes: [Bytes] = []
        while hashes.count < 70 {
            let hash = parts.take(32)
            if hash.isEmpty { break }
            hashes.append(hash)
        }
        // Real hashes would lead nowhere: what a fuzzer makes up proves nothing under them.
        let toy = LenientSuite.toy
        _ = try? MerkleTree.verifyInclusion(of: leaf, at: small, in: large, root: root, proof: hashes, suite: toy)
        _ = try? MerkleTree.verifyConsistency(
            from: small, oldRoot: leaf, to: large, newRoot: root, proof: hashes, suite: toy)
        let plans = [
            try? ProofPlan.inclusion(of: small, in: large), try? ProofPlan.consistency(from: small, to: large),
            try? ProofPlan.root(of: large),
        ]
        for plan in plans.compactMap({ $0 }) {
            for tile in plan.tiles {
                try expect((try? Tile.parse(tile.pathBytes)) == tile, "a planned tile has a name")
                try expect(Tile(tile.kind, index: tile.index, inTreeOf: large) == tile, "a planned tile is in the tree")
            }
        }
        for tile in Tile.partial(inTreeOf: large) where large <= MerkleTree.maximumSize {
            try expect(Tile(tile.kind, index: tile.index, inTreeOf: large) == tile, "a partial tile is in the tree")
        }
    }

    /// The files of a log of some size, as a log reads them at start: the partial tile of level 0, and entries.
    private static func treeFiles(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let size = parts.number(2)
        var source = FetchedTiles()
        let leaves = parts.take(Int(size & 255) * 32)
        let upper = parts.take(Int(size >> 8) * 32)
        _ = try? TileNodes(tile: leaves, suite: LenientSuite.toy)
        for (level, bytes) in [leaves, upper].enumerated() where !bytes.isEmpty {
            guard let tile = Tile(.hashes(level: level), index: level == 0 ? size >> 8 : 0, width: bytes.count / 32)
            else { continue }
            _ = try? source.add(tile, bytes)
        }
        let entries = parts.rest()
        for suite in LenientSuite.both {
            guard var state = try? TreeState(size: size, source: source, entries: entries, suite: suite) else {
                continue
            }
            try expect(state.edge.size == size, "the edge is that of the tree")
            guard (try? state.append([[1], [2]], suite: suite)) != nil else { continue }
            try expect(state.size == size + 2, "a log that was read goes on")
        }
    }

    /// A bundle of entries, audited in two steps, and the proofs of the tree that it makes.
    private static func treeAudit(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let (first, width) = (Int(parts.number(1)), Int(parts.number(1)))
        let bundle = parts.rest()
        let suite = LenientSuite.real
        guard let tile = Tile(.entries, index: 0, width: width),
            let entries = try? EntryBundle.parse(bundle, width: width)
        else { return }
        var state = TreeState()
        guard (try? state.append(entries, suite: suite)) != nil else { return }
        var auditor = TreeAuditor()
        if first < width, let begin = Tile(.entries, index: 0, width: first),
            let known = try? EntryBundle.encode(Array(entries[..<first]))
        {
            try expect((try? auditor.add(begin, known, suite: suite)) != nil, "a partial bundle is audited")
        }
        try expect((try? auditor.add(tile, bundle, suite: suite)) != nil, "a bundle that went on is audited")
        let hashes = entries.map { MerkleTree.leafHash($0, suite: suite) }
        let root = MerkleTree.root(of: hashes, suite: suite)
        try expect(state.root(suite: suite) == root, "both ways to the root agree")
        guard let head = try? Checkpoint(origin: [0x6C], size: UInt64(width), root: root) else { return }
        try expect((try? auditor.finish(head, suite: suite)) != nil, "the audit ends at the root")
        guard first < width else { return }
        var files = FetchedTiles()
        guard let leaves = Tile(.hashes(level: 0), index: 0, width: width),
            (try? files.add(leaves, hashes.flatMap { $0 })) != nil
        else { return }
        let plan = try? ProofPlan.inclusion(of: UInt64(first), in: UInt64(width))
        guard let proof = try? plan?.hashes(from: files, suite: suite) else {
            throw BrokenPromise(promise: "a tree proves what it holds")
        }
        let isProved =
            (try? MerkleTree.verifyInclusion(
                of: hashes[first], at: UInt64(first), in: UInt64(width), root: root, proof: proof, suite: suite)) != nil
        try expect(isProved, "the proof holds")
    }
}
