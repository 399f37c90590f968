public import Encodings

/// A text by which anyone can check offline that an entry is in a log (C2SP tlog-proof).
public struct LogProof: Sendable, Equatable {
    /// The longest text that is read, in bytes.
    public static let maximumLength = 1 << 19
    /// The most hashes of a proof: the height of the largest tree.
    public static let maximumHashes = 63

    /// What the application added.
    ///
    /// The log does not vouch for it.
    public let extra: Bytes?
    /// The number of the entry, from zero.
    public let index: UInt64
    /// The inclusion proof, lowest hash first.
    public let hashes: [Bytes]
    /// The signed checkpoint, verbatim.
    public let checkpoint: Bytes

    /// A proof of these parts.
    ///
    /// - Throws: `malformedProof` when `extra` is there but empty or a hash is not 32 bytes; `tooLarge`.
    public init(
        extra: Bytes?, index: UInt64, hashes: [Bytes], checkpoint: Bytes
    ) throws(TransparencyError) {
        guard hashes.count <= Self.maximumHashes, checkpoint.count <= SignedNote.maximumLength else { throw .tooLarge }
        guard extra?.isEmpty != true, index <= MerkleTree.maximumSize,
            hashes.allSatisfy({ $0.count == MerkleTree.hashLength })
        else { throw .malformedProof }
        self.extra = extra
        self.index = index
        self.hashes = hashes
        self.checkpoint = checkpoint
    }

    /// Reads the text of a proof; its checkpoint must be one in form, its signatures are not checked yet.
    ///
    /// - Throws: `malformedProof`, `tooLarge`, or what is wrong with the checkpoint.
    public static func parse(_ text: Bytes) throws(TransparencyError) -> LogProof {
        guard text.count <= maximumLength else { throw .tooLarge }
        var blank = 1
        while blank < text.count, text[blank] != 0x0A || text[blank - 1] != 0x0A { blank += 1 }
        guard blank < text.count else { throw .malformedProof }
        var lines = Array(text[..<(blank - 1)]).split(at: 0x0A)
        guard lines.removeFirst().equals(header) else { throw .malformedProof }
        var extra: Bytes?
        if let first = lines.first, let value = first.droppingPrefix(extraPrefix) {
            guard let bytes = Base64.decode(value, .standard) else { throw .malformedProof }
            extra = bytes
            lines.removeFirst()
        }
        guard let first = lines.first, let value = first.droppingPrefix(indexPrefix),
            let index = parseDecimal(value)
        else { throw .malformedProof }
        var hashes: [Bytes] = []
        for line in lines.dropFirst() {
            guard let hash = Base64.decode(line, .standard) else { throw .malformedProof }
            hashes.append(hash)
        }
        let proof = try LogProof(extra: extra, index: index, hashes: hashes, checkpoint: Array(text[(blank + 1)...]))
        _ = try Checkpoint.parse(try SignedNote.parse(proof.checkpoint).text)
        return proof
    }

    /// The text of the proof.
    public func encoded() -> Bytes {
        var text = Bytes(text: "c2sp.org/tlog-proof@v1\n")
        if let extra {
            text.append(contentsOf: Self.extraPrefix)
            text.append(contentsOf: Base64.encode(extra, .standard))
            text.append(0x0A)
        }
        text.append(contentsOf: Self.indexPrefix)
        text.append(contentsOf: decimalBytes(index))
        text.append(0x0A)
        for hash in hashes {
            text.append(contentsOf: Base64.encode(hash, .standard))
            text.append(0x0A)
        }
        text.append(0x0A)
        text.append(contentsOf: checkpoint)
        return text
    }

    /// Checks the whole proof for an entry: signatures that the policy asks for, origin, and the way up to the signed root.
    ///
    /// - Throws: what is wrong first.
    public func verify(
        entry: Bytes, policy: LogPolicy, suite: some CryptoSuite
    ) throws(TransparencyError) -> VerifiedCheckpoint {
        let verified = try VerifiedCheckpoint.verify(checkpoint, policy: policy, suite: suite)
        try MerkleTree.verifyInclusion(
            of: MerkleTree.leafHash(entry, suite: suite), at: index, in: verified.checkpoint.size,
            root: verified.checkpoint.root, proof: hashes, suite: suite)
        return verified
    }

    private static let header: StaticString = "c2sp.org/tlog-proof@v1"
    private static let extraPrefix: Bytes = [0x65, 0x78, 0x74, 0x72, 0x61, 0x20]
    private static let indexPrefix: Bytes = [0x69, 0x6E, 0x64, 0x65, 0x78, 0x20]
}

extension Array where Element == UInt8 {
    /// The bytes after `prefix`, or `nil` when the array does not begin with it.
    fileprivate func droppingPrefix(_ prefix: Bytes) -> Bytes? {
        starts(with: prefix) ? Array(dropFirst(prefix.count)) : nil
    }
}
