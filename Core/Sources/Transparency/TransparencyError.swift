/// Why something about the log was refused.
public enum TransparencyError: Error, Equatable, Sendable {
    /// A tile path that is not spelled exactly as the tlog-tiles document asks.
    case malformedPath
    /// An entry bundle whose lengths do not add up, or that has not as many entries as its path promises.
    case malformedBundle
    /// A tile that has not exactly 32 bytes for each of its hashes.
    case malformedTile
    /// A list of hashes that cannot be the right edge of a tree of that size.
    case malformedEdge
    /// A signed note that is not UTF-8, has a control character, or a signature line out of form.
    case malformedNote
    /// A verifier key that is out of form, or whose key ID does not belong to its name and key.
    case malformedKey
    /// A verifier key of a signature type other than Ed25519 and Ed25519 cosignature.
    case unsupportedKey
    /// A policy that is out of form, or that names what it has not defined.
    case malformedPolicy
    /// A note whose text is not a checkpoint.
    case malformedCheckpoint
    /// A tlog-proof that is out of form.
    case malformedProof
    /// An entry that is not the canonical JSON of our entry format.
    case malformedEntry
    /// A receipt whose extra data is not the canonical JSON of our receipt format.
    case malformedReceipt
    /// Something is longer, larger or more than allowed.
    case tooLarge
    /// An index or a size lies outside the tree.
    case outOfRange
    /// No trusted key has signed the note.
    case unsigned
    /// The log has signed, but fewer witnesses than the policy asks for.
    case unwitnessed
    /// A signature in the name of a trusted key is wrong.
    case invalidSignature
    /// The checkpoint belongs to another log than the key that signed it.
    case wrongOrigin
    /// A proof does not lead to the signed root.
    case invalidProof
    /// The opening and the record do not give the commitment in the entry.
    case wrongCommitment
    /// The source does not have this tile or entry bundle.
    case missing(Tile)
    /// A tile holds something else than the entries hash to.
    case wrongTile(Tile)
    /// The entries hash to another root than the checkpoint signed.
    case wrongRoot
    /// The log of an earlier checkpoint is not the beginning of this log.
    case inconsistent
}
