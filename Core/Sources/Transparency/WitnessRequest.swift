public import Encodings

/// A log's request to a witness: a new checkpoint, and the proof that it goes on from the last (C2SP tlog-witness,
/// add-checkpoint).
public struct WitnessRequest: Sendable, Equatable {
    /// The longest request that is read, in bytes.
    public static let maximumLength = SignedNote.maximumLength + 1 << 13

    /// The size of the tree that the witness cosigned last.
    public let oldSize: UInt64
    /// The consistency proof, lowest hash first.
    public let proof: [Bytes]
    /// The signed checkpoint, verbatim.
    public let note: Bytes
    /// Its contents; nobody has checked the signature yet.
    public let checkpoint: Checkpoint

    /// A request of these parts.
    ///
    /// - Throws: `malformedProof` when a hash is not 32 bytes or there are more than 63, or what is wrong with the note.
    public init(oldSize: UInt64, proof: [Bytes], note: Bytes) throws(TransparencyError) {
        guard proof.count <= LogProof.maximumHashes, oldSize <= MerkleTree.maximumSize,
            proof.allSatisfy({ $0.count == MerkleTree.hashLength })
        else { throw .malformedProof }
        self.oldSize = oldSize
        self.proof = proof
        self.note = note
        checkpoint = try Checkpoint.parse(try SignedNote.parse(note).text)
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `malformedProof`, `tooLarge`, or what is wrong with the checkpoint.
    public static func parse(_ body: Bytes) throws(TransparencyError) -> WitnessRequest {
        guard body.count <= maximumLength else { throw .tooLarge }
        var blank = 1
        while blank < body.count, body[blank] != 0x0A || body[blank - 1] != 0x0A { blank += 1 }
        guard blank < body.count else { throw .malformedProof }
        let lines = Array(body[..<(blank - 1)]).split(at: 0x0A)
        guard lines[0].starts(with: Self.old), let size = parseDecimal(Array(lines[0].dropFirst(Self.old.count)))
        else { throw .malformedProof }
        var proof: [Bytes] = []
        for line in lines.dropFirst() {
            guard let hash = Base64.decode(line, .standard) else { throw .malformedProof }
            proof.append(hash)
        }
        return try WitnessRequest(oldSize: size, proof: proof, note: Array(body[(blank + 1)...]))
    }

    /// The body of the request.
    public func encoded() -> Bytes {
        var body = Self.old + decimalBytes(oldSize) + [0x0A]
        for hash in proof { body += Base64.encode(hash, .standard) + [0x0A] }
        return body + [0x0A] + note
    }

    private static let old: Bytes = [0x6F, 0x6C, 0x64, 0x20]
}
