public import EllipticCurves
public import Encodings

/// A service that has proved, in this run, to be the one that the code or the pairing names.
///
/// Nothing has been told to it yet. Show whom it is about to be told to, verify the person, then sign (section 13, numbers
/// 5, 6 and 24).
public struct VerifiedPicoService: Sendable, Equatable {
    /// The name from the pairing code or the pairing.
    public let name: Bytes
    /// The host of the address that was scanned, to be shown beside the name.
    public let host: Bytes
    /// The identity key that it proved.
    public let publicKey: ECPublicKey
    /// The commitment of that key.
    public let commitment: PicoCommitment
    /// The bytes that the Pico's identity key has to sign: ECDSA with SHA-256, as DER (section 4.4).
    public let bytesToSign: Bytes
}
