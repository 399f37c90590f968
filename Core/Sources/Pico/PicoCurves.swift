public import EllipticCurves
import Encodings

/// The curves that keys of one service may be on.
///
/// The protocol negotiates no curve: each public key names its own (section 1.1). So this is decided before a run, from
/// what is known of the service, and nothing falls back during it (section 13, numbers 1 and 2).
public struct PicoCurves: Sendable, Equatable {
    private let allowed: [EllipticCurve]

    /// P-256 alone: for every service that nobody has marked as old.
    public static let current = PicoCurves(allowed: [.p256])

    /// All five: for a service that its administrator, or the person who pairs, has explicitly marked as old.
    public static let old = PicoCurves(allowed: EllipticCurve.allCases)

    /// One curve: for an old service that is known to have only this one, as each build of libpico has.
    public static func oldService(on curve: EllipticCurve) -> PicoCurves { PicoCurves(allowed: [curve]) }

    /// Whether keys may be on this curve.
    public func allows(_ curve: EllipticCurve) -> Bool {
        for each in allowed where each == curve { return true }
        return false
    }

    /// Reads a SubjectPublicKeyInfo in its one spelling, before anything is computed with it.
    ///
    /// - Throws: `unsupportedCurve`, or `invalidKey` for anything else: trailing bytes, a compressed point, explicit
    ///   parameters, a point that is not on the curve or is at infinity.
    func publicKey(spki: Bytes) throws(PicoError) -> ECPublicKey {
        guard spki.count <= PicoLimits.publicKey else { throw .invalidKey }
        let key: ECPublicKey
        do { key = try ECPublicKey(spki: spki) } catch {
            throw error == .unsupportedCurve ? .unsupportedCurve : .invalidKey
        }
        guard allows(key.curve) else { throw .unsupportedCurve }
        return key
    }
}
