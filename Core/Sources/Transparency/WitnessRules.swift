public import Encodings

/// Why a witness does not sign (C2SP tlog-witness).
public enum WitnessRefusal: Error, Equatable, Sendable {
    /// None of the log's keys has signed, or not rightly.
    case unsigned
    /// The request says it goes on from a tree larger than the new one.
    case olderThanOld
    /// The request goes on from another tree than the one cosigned last, which has `size` entries.
    case otherSize(UInt64)
    /// The log signed two different trees of one size: proof that it shows two histories.
    case forked(size: UInt64)
    /// The new tree does not begin with the old one, as far as the proof says.
    case inconsistent
}

/// The checks of a witness before it signs: for each log, one history that only grows.
public enum WitnessRules {
    /// Decides about a request.
    ///
    /// The caller must decide and store the answer in one step, so that of two requests at a time one sees the other.
    ///
    /// - Parameters:
    ///   - last: what was cosigned last for this origin, `nil` the first time.
    ///   - keys: of the log that the request's origin names.
    /// - Returns: what to store and then to sign.
    /// - Throws: why not.
    public static func decide(
        _ request: WitnessRequest, last: Checkpoint?, keys: [NoteVerifierKey], suite: some CryptoSuite
    ) throws(WitnessRefusal) -> Checkpoint {
        let checkpoint = request.checkpoint
        let trusted = keys.filter { $0.name == checkpoint.origin && $0.algorithm == .ed25519 }
        guard let note = try? SignedNote.parse(request.note),
            (try? note.verify(trusting: trusted, suite: suite)) != nil
        else { throw .unsigned }
        guard request.oldSize <= checkpoint.size else { throw .olderThanOld }
        let lastSize = last?.size ?? 0
        guard request.oldSize == lastSize else { throw .otherSize(lastSize) }
        if let last, last.size == checkpoint.size, last.root != checkpoint.root { throw .forked(size: lastSize) }
        do {
            try MerkleTree.verifyConsistency(
                from: lastSize, oldRoot: last?.root ?? suite.sha256([]), to: checkpoint.size,
                newRoot: checkpoint.root, proof: request.proof, suite: suite)
        } catch {
            throw .inconsistent
        }
        return checkpoint
    }
}

/// What a witness answers: signature lines (C2SP tlog-witness).
public enum WitnessAnswer {
    /// The longest answer that is read, in bytes.
    public static let maximumLength = 1 << 14

    /// Finds the cosignature of a key in the answer and checks it over the text that was sent.
    ///
    /// Lines of other keys are left alone.
    /// - Throws: `unsigned` when there is none, `invalidSignature`, `malformedNote`, `tooLarge`.
    public static func cosignature(
        in answer: Bytes, by key: NoteVerifierKey, over text: Bytes, suite: some CryptoSuite
    ) throws(TransparencyError) -> (line: NoteSignature, time: Int64) {
        guard answer.count <= maximumLength else { throw .tooLarge }
        let note = try SignedNote.parse(text + [0x0A] + answer)
        guard note.text == text else { throw .malformedNote }
        let verified = try note.verify(trusting: [key], suite: suite)
        guard let time = verified.signers.first?.time,
            let line = note.signatures.first(where: { $0.keyID == key.keyID && $0.name == key.name })
        else { throw .unsigned }
        return (line, time)
    }
}
