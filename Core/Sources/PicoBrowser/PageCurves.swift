import BrowserCalls
import EllipticCurves
import Encodings
import Pico

extension EllipticCurve {
    /// The name of the curve in calls, which is that of backups (`BackedUpAccount.Curve`).
    var pageName: StaticString {
        switch self {
        case .p256: "p256"
        #if !ONLY_P256
            case .p192: "p192"
            case .p384: "p384"
            case .p521: "p521"
            case .secp192k1: "secp192k1"
        #endif
        }
    }

    /// The curve of a name, if this module has it.
    static func named(_ name: Bytes) -> EllipticCurve? {
        for curve in allCases where name.equals(curve.pageName) { return curve }
        return nil
    }

    /// Whether WebCrypto holds the secrets on this curve, so that nothing is computed with one here.
    var isOfWebCrypto: Bool {
        switch self {
        case .p256: true
        #if !ONLY_P256
            case .p384, .p521: true
            case .p192, .secp192k1: false
        #endif
        }
    }

    /// The curves that keys of a service may be on whose pairing has this one: this one alone.
    var allowed: PicoCurves { self == .p256 ? .current : .oldService(on: self) }

    /// r and s, each as long as the order, in the DER form of the protocol.
    ///
    /// - Returns: `nil` if one of them is zero, which no signature has.
    func der(fromRaw raw: Bytes) -> Bytes? {
        let r = Array(raw.prefix(byteCount))
        let s = Array(raw.dropFirst(byteCount))
        guard r.contains(where: { $0 != 0 }), s.contains(where: { $0 != 0 }) else { return nil }
        return DERWriter.sequence(DERWriter.unsignedInteger(r) + DERWriter.unsignedInteger(s))
    }
}

extension Call {
    /// The curve of a run or of a key: P-256 unless the member `curve` names another one.
    func curve() throws(BrowserError) -> EllipticCurve {
        guard optional("curve") != nil else { return .p256 }
        guard let curve = EllipticCurve.named(try text("curve", maximum: 16)) else {
            throw BrowserError("old_curve", member: "curve", "is none that this module has.")
        }
        return curve
    }

    /// A public key on the curve: an uncompressed point, base64url.
    func publicKey(_ name: StaticString, on curve: EllipticCurve) throws(BrowserError) -> ECPublicKey {
        let point = try bytes(name, count: 1 + 2 * curve.byteCount)
        guard let key = try? ECPublicKey(curve, x963: point) else {
            throw BrowserError("bad_key", member: name, "is not a public key of the curve.")
        }
        return key
    }
}
