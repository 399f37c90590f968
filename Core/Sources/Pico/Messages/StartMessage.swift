import EllipticCurves
import Encodings

/// The first message, from the Pico and in clear (section 4.1).
struct StartMessage: Equatable {
    /// The only version that there is.
    static let version: Int32 = 2

    /// The Pico's ephemeral key, of this run alone.
    let ephemeral: ECPublicKey
    /// The Pico's nonce.
    let nonce: Bytes

    /// - Throws: `unsupportedVersion`, `malformed`, `tooLarge`, `unsupportedCurve` or `invalidKey`.
    static func parse(_ message: Bytes, curves: PicoCurves) throws(PicoError) -> StartMessage {
        let members = try PicoMembers(message, maximumLength: PicoLimits.message)
        guard try members.int32("picoVersion") == version else { throw .unsupportedVersion }
        let nonce = try members.base64("picoNonce", PicoLimits.nonce)
        let spki = try members.base64("picoEphemeralPublicKey", 0...PicoLimits.publicKey)
        return StartMessage(ephemeral: try curves.publicKey(spki: spki), nonce: nonce)
    }

    func encoded() -> Bytes {
        JSON.members([
            ("picoVersion", .integer(Int64(Self.version))),
            ("picoEphemeralPublicKey", PicoJSON.base64(ephemeral.spki)),
            ("picoNonce", PicoJSON.base64(nonce)),
        ]).serialized()
    }
}
