public import EllipticCurves
public import Encodings

/// What a Pico keeps of a service to sign in with it again (sections 5 and 8.1).
public struct PicoPairing: Sendable, Equatable {
    /// The commitment of the service's identity key.
    public let service: PicoCommitment
    /// The service's name, as it was in its pairing code.
    public let name: Bytes
    /// The Pico's own identity key for this pairing, and for no other.
    public let identity: ECPublicKey
    /// Old curves only if the service was marked as old.
    public let curves: PicoCurves

    /// A pairing as it was stored, or a new one.
    public init(service: PicoCommitment, name: Bytes, identity: ECPublicKey, curves: PicoCurves = .current) {
        self.service = service
        self.name = name
        self.identity = identity
        self.curves = curves
    }
}
