public import Encodings

/// The extra data of our receipts: the entry itself, and the opening of its commitment.
public struct ReceiptExtra: Sendable, Equatable {
    /// The longest extra data, in bytes.
    public static let maximumLength = 1 << 14

    /// The entry as it was logged.
    public let entry: Bytes
    /// The random key of the commitment, 32 bytes.
    public let opening: Bytes
    /// The details of the act, an object.
    public let record: JSON

    /// Extra data of these values.
    public init(entry: Bytes, opening: Bytes, record: JSON) {
        self.entry = entry
        self.opening = opening
        self.record = record
    }

    /// Reads canonical JSON with exactly the members `entry`, `opening` and `record`.
    ///
    /// - Throws: `tooLarge` or `malformedReceipt`.
    public static func parse(_ bytes: Bytes) throws(TransparencyError) -> ReceiptExtra {
        guard bytes.count <= maximumLength else { throw .tooLarge }
        guard let json = try? JSON.parse(bytes, maximumLength: maximumLength, maximumDepth: 8),
            let entryText = json["entry"]?.string, let entry = Base64.decode(entryText, .url),
            let openingText = json["opening"]?.string, let opening = Base64.decode(openingText, .url),
            let record = json["record"], record.members != nil
        else { throw .malformedReceipt }
        let extra = ReceiptExtra(entry: entry, opening: opening, record: record)
        guard try extra.encoded() == bytes else { throw .malformedReceipt }
        return extra
    }

    /// The extra data as canonical JSON.
    ///
    /// - Throws: `malformedReceipt` when the record has a number that is not whole; `tooLarge`.
    public func encoded() throws(TransparencyError) -> Bytes {
        let json = JSON.members([
            ("entry", .string(Base64.encode(entry, .url))),
            ("opening", .string(Base64.encode(opening, .url))),
            ("record", record),
        ])
        guard let bytes = try? json.canonical() else { throw .malformedReceipt }
        guard bytes.count <= Self.maximumLength else { throw .tooLarge }
        return bytes
    }

    /// Checks that the opening and the record give the commitment in the entry.
    ///
    /// - Returns: the entry.
    /// - Throws: `wrongCommitment`, or what is wrong with the entry.
    public func open() throws(TransparencyError) -> LogEntry {
        let parsed = try LogEntry.parse(entry)
        try Self.compare(parsed.commitment, try LogEntry.commitment(record: record, opening: opening))
        return parsed
    }

    /// The same with a suite's SHA-256.
    func open(suite: some CryptoSuite) throws(TransparencyError) -> LogEntry {
        let parsed = try LogEntry.parse(entry)
        try Self.compare(parsed.commitment, try LogEntry.commitment(record: record, opening: opening, suite: suite))
        return parsed
    }

    private static func compare(_ logged: Bytes, _ opened: Bytes) throws(TransparencyError) {
        guard opened.equalsInConstantTime(logged) else { throw .wrongCommitment }
    }
}

/// Proof for a third party that an act was logged: a tlog-proof whose extra data holds the entry and its details.
public enum Receipt {
    /// Makes the text of a receipt.
    ///
    /// - Parameters:
    ///   - index: of the entry in the log.
    ///   - hashes: the inclusion proof in the tree of the checkpoint.
    ///   - checkpoint: the signed note.
    /// - Throws: `wrongCommitment` when the parts do not belong together, or what is wrong with one of them.
    public static func build(
        extra: ReceiptExtra, index: UInt64, hashes: [Bytes], checkpoint: Bytes
    ) throws(TransparencyError) -> Bytes {
        _ = try extra.open()
        return try LogProof(extra: extra.encoded(), index: index, hashes: hashes, checkpoint: checkpoint).encoded()
    }

    /// The same with a suite's SHA-256, for a log that gives many.
    public static func build(
        extra: ReceiptExtra, index: UInt64, hashes: [Bytes], checkpoint: Bytes, suite: some CryptoSuite
    ) throws(TransparencyError) -> Bytes {
        _ = try extra.open(suite: suite)
        return try LogProof(extra: extra.encoded(), index: index, hashes: hashes, checkpoint: checkpoint).encoded()
    }

    /// Checks a receipt completely, offline.
    ///
    /// - Parameters:
    ///   - text: the tlog-proof.
    ///   - policy: the pinned one.
    /// - Throws: what is wrong first: form, commitment, signature, origin, inclusion.
    public static func verify(
        _ text: Bytes, policy: LogPolicy, suite: some CryptoSuite
    ) throws(TransparencyError) -> VerifiedReceipt {
        let proof = try LogProof.parse(text)
        guard let bytes = proof.extra else { throw .malformedReceipt }
        let extra = try ReceiptExtra.parse(bytes)
        let entry = try extra.open()
        let checkpoint = try proof.verify(entry: extra.entry, policy: policy, suite: suite)
        return VerifiedReceipt(entry: entry, record: extra.record, index: proof.index, checkpoint: checkpoint)
    }
}

/// A receipt whose entry is proved to be in the log and to commit to the record.
public struct VerifiedReceipt: Sendable, Equatable {
    /// The entry.
    public let entry: LogEntry
    /// The details that the entry commits to, an object.
    public let record: JSON
    /// The number of the entry in the log.
    public let index: UInt64
    /// The signed checkpoint that includes it.
    public let checkpoint: VerifiedCheckpoint
}
