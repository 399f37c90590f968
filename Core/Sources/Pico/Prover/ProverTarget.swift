import EllipticCurves
import Encodings

/// Whom a run is with: what the code and the pairing say about the service.
struct ProverTarget: Sendable {
    /// The service's name, to be shown.
    let name: Bytes
    /// The host of its address, to be shown.
    let host: Bytes
    /// What its identity key must hash to.
    let commitment: PicoCommitment
    /// The curve of our ephemeral key.
    let curve: EllipticCurve
    /// The curves that keys of the service may be on.
    let curves: PicoCurves
    /// Our identity key, if the service knows one.
    let ownIdentity: ECPublicKey?

    /// To pair: the identity key is in the code.
    init<Suite: PicoCryptoSuite>(_ code: PicoPairingCode, curves: PicoCurves, suite: Suite) {
        name = code.name
        host = code.address.host
        commitment = PicoCommitment(of: code.publicKey, suite: suite)
        curve = code.publicKey.curve
        self.curves = curves
        ownIdentity = nil
    }

    /// To sign in: the identity key is known by its commitment, and the curve by our own key for the service.
    init(_ code: PicoAuthenticationCode, _ pairing: PicoPairing) {
        name = pairing.name
        host = code.address.host
        commitment = pairing.service
        curve = pairing.identity.curve
        curves = pairing.curves
        ownIdentity = pairing.identity
    }

    /// The identity key that the service sent, if it is the expected one.
    ///
    /// Equal commitments mean equal bytes, for pairing as well: nobody finds two keys with one SHA-256.
    ///
    /// - Throws: `wrongService`, before anything is computed with the key; `unsupportedCurve` or `invalidKey`.
    func identity<Suite: PicoCryptoSuite>(_ spki: Bytes, suite: Suite) throws(PicoError) -> ECPublicKey {
        guard PicoCommitment(spki: spki, suite: suite) == commitment else { throw .wrongService }
        return try curves.publicKey(spki: spki)
    }
}
