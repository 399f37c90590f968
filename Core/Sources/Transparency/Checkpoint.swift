public import Encodings

/// The head of a log: how many entries it has and the root of its tree (C2SP tlog-checkpoint).
public struct Checkpoint: Sendable, Equatable {
    /// The name of the log, for ours host, port and `/log`.
    public let origin: Bytes
    /// The number of entries.
    public let size: UInt64
    /// The root of the tree, 32 bytes.
    public let root: Bytes
    /// Lines behind the root, which we never write.
    public let extensions: [Bytes]

    /// A checkpoint of these values.
    ///
    /// - Throws: `malformedCheckpoint` when a line would be empty or have a control character, the root is not 32
    ///   bytes, or the size is 2^63 or more.
    public init(
        origin: Bytes, size: UInt64, root: Bytes, extensions: [Bytes] = []
    ) throws(TransparencyError) {
        guard Self.isLine(origin), extensions.allSatisfy({ Self.isLine($0) }),
            size <= MerkleTree.maximumSize, root.count == MerkleTree.hashLength
        else { throw .malformedCheckpoint }
        self.origin = origin
        self.size = size
        self.root = root
        self.extensions = extensions
    }

    /// Reads the text of a note.
    ///
    /// - Throws: `malformedCheckpoint`.
    public static func parse(_ text: Bytes) throws(TransparencyError) -> Checkpoint {
        guard text.count <= SignedNote.maximumLength else { throw .tooLarge }
        guard text.last == 0x0A else { throw .malformedCheckpoint }
        let lines = Array(text.dropLast()).split(at: 0x0A)
        guard lines.count >= 3, let size = parseDecimal(lines[1]), let root = Base64.decode(lines[2], .standard)
        else { throw .malformedCheckpoint }
        return try Checkpoint(origin: lines[0], size: size, root: root, extensions: Array(lines.dropFirst(3)))
    }

    /// The text to sign: a line each for origin, size and root, then the extensions.
    public func encoded() -> Bytes {
        var text: Bytes = []
        for line in [origin, decimalBytes(size), Base64.encode(root, .standard)] + extensions {
            text.append(contentsOf: line)
            text.append(0x0A)
        }
        return text
    }

    private static func isLine(_ line: Bytes) -> Bool {
        !line.isEmpty && line.allSatisfy { $0 >= 0x20 } && UTF8Text.isValid(line)
    }
}

/// A checkpoint that a log of a policy has signed, and as many witnesses as the policy asks for.
public struct VerifiedCheckpoint: Sendable, Equatable {
    /// The checkpoint.
    public let checkpoint: Checkpoint
    /// The note as it was read, with all signatures.
    public let note: Bytes
    /// The key of the log that signed.
    public let logKey: NoteVerifierKey
    /// The witnesses of the policy that have signed too, with their times.
    public let witnesses: [VerifiedNote.Signer]

    /// Reads a signed checkpoint and checks it against a pinned policy.
    ///
    /// - Throws: `unsigned` when no log of the policy has signed, `wrongOrigin` when the one that did has another name,
    ///   `unwitnessed`, or what reading throws.
    public static func verify(
        _ note: Bytes, policy: LogPolicy, suite: some CryptoSuite
    ) throws(TransparencyError) -> VerifiedCheckpoint {
        let verified = try SignedNote.parse(note).verify(trusting: policy.keys, suite: suite)
        let logs = verified.signers.filter { $0.key.algorithm == .ed25519 }
        guard !logs.isEmpty else { throw .unsigned }
        let checkpoint = try Checkpoint.parse(verified.text)
        guard let log = logs.first(where: { $0.key.name == checkpoint.origin }) else { throw .wrongOrigin }
        guard policy.isMet(by: verified.signers) else { throw .unwitnessed }
        return VerifiedCheckpoint(
            checkpoint: checkpoint, note: note, logKey: log.key,
            witnesses: verified.signers.filter { $0.key.algorithm == .cosignature })
    }
}

extension Checkpoint {
    /// Checks that this log goes on where an earlier checkpoint of it ended.
    ///
    /// - Parameter proof: from `ProofPlan.consistency(from:to:)`.
    /// - Throws: `wrongOrigin`, `outOfRange` when the other is later, `invalidProof`.
    public func verifyExtends(
        _ earlier: Checkpoint, proof: [Bytes], suite: some CryptoSuite
    ) throws(TransparencyError) {
        guard earlier.origin == origin else { throw .wrongOrigin }
        try MerkleTree.verifyConsistency(
            from: earlier.size, oldRoot: earlier.root, to: size, newRoot: root, proof: proof, suite: suite)
    }
}
