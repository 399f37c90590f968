public import EllipticCurves
public import Encodings

/// What a Pico has proved, and what it brought: it holds an identity key.
///
/// Whether that key may come in is still to be decided: look it up by its commitment.
public struct PicoClaim: Sendable {
    /// The Pico's identity key.
    public let identity: ECPublicKey
    /// The commitment of that key.
    public let commitment: PicoCommitment
    /// What it brought, kept apart so that no description shows it.
    private let extra: SecretBytes

    init(identity: ECPublicKey, commitment: PicoCommitment, extraData: Bytes) {
        self.identity = identity
        self.commitment = commitment
        extra = SecretBytes(extraData)
    }

    /// The extra data, at most 4,096 bytes (section 4.6).
    ///
    /// Of a pairing it is a Bluetooth address or nothing, of an authentication what was given out at the pairing. It may be
    /// a password's sealed form: a secret.
    public var extraData: Bytes { extra.bytes }
}
