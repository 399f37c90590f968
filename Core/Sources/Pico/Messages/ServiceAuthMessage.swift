import EllipticCurves
import Encodings

/// The second message, from the service: its ephemeral key in clear, its identity sealed (section 4.3).
///
/// The name of the first member is spelt differently from that in Start; so it is in the originals.
struct ServiceAuthMessage {
    /// The service's ephemeral key, of this run alone.
    let ephemeral: ECPublicKey
    /// The service's nonce.
    let nonce: Bytes
    /// The service's identity, sealed under its encryption key.
    let sealed: SealedMessage

    /// - Throws: `malformed`, `tooLarge`, `unsupportedCurve` or `invalidKey`.
    static func parse(_ message: Bytes, curves: PicoCurves) throws(PicoError) -> ServiceAuthMessage {
        let members = try PicoMembers(message, maximumLength: PicoLimits.message)
        let nonce = try members.base64("serviceNonce", PicoLimits.nonce)
        let sealed = try SealedMessage(members)
        let spki = try members.base64("serviceEphemPublicKey", 0...PicoLimits.publicKey)
        return ServiceAuthMessage(ephemeral: try curves.publicKey(spki: spki), nonce: nonce, sealed: sealed)
    }

    func encoded() -> Bytes {
        JSON.members(
            [
                ("serviceEphemPublicKey", PicoJSON.base64(ephemeral.spki)), ("serviceNonce", PicoJSON.base64(nonce)),
            ] + sealed.members
        ).serialized()
    }
}
