import EllipticCurves
public import Encodings

/// The end of a run for a Pico that the service accepted (section 4.5).
public struct PicoOutcome: Sendable {
    /// What continuous authentication needs, if the service wants it: status 1.
    public let session: PicoSession?
    /// The secret of the service, kept apart so that no description shows it.
    private let extra: SecretBytes

    init(session: PicoSession?, extraData: Bytes) {
        self.session = session
        extra = SecretBytes(extraData)
    }

    /// The extra data, at most 4,096 bytes: of a pairing its secret, which `PairingSecret` reads (section 4.6).
    ///
    /// After an authentication it is free text and replaces nothing that is stored.
    public var extraData: Bytes { extra.bytes }
}
