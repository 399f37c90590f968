public import EllipticCurves
public import Encodings

/// What stands for a long-term public key: SHA-256 of its SubjectPublicKeyInfo (section 1).
///
/// It also covers the curve, so a service that changes its curve is another service (section 13, number 2).
public struct PicoCommitment: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: Bytes

    /// Takes a commitment as it was stored or sent.
    ///
    /// - Returns: `nil` unless there are 32 bytes.
    public init?(bytes: Bytes) {
        guard bytes.count == PicoLimits.digest else { return nil }
        self.bytes = bytes
    }

    /// The commitment of a key.
    public init<Suite: PicoCryptoSuite>(of key: ECPublicKey, suite: Suite) {
        self.init(spki: key.spki, suite: suite)
    }

    /// The commitment of a key that has not been read yet.
    init<Suite: PicoCryptoSuite>(spki: Bytes, suite: Suite) { bytes = suite.sha256(spki) }

    /// The commitment as codes and files have it: base64, 44 characters.
    public var base64: Bytes { Base64.encode(bytes, .standard) }

    /// The beginning of the commitment for people to compare, four groups of five characters.
    ///
    /// A pairing code is signed with the key printed in it. So only this tells a swapped code (section 13, number 3).
    public var fingerprint: Bytes { FingerprintGroups.text(bytes) }
}
