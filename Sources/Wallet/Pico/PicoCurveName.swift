package import EllipticCurves
package import Pico

/// A curve by the name that files and the command line have for it.
package enum PicoCurveName: String, Codable, Sendable, CaseIterable {
    case p192, p256, p384, p521, secp192k1

    /// The name of a curve.
    package init(_ curve: EllipticCurve) {
        self =
            switch curve {
            case .p192: .p192
            case .p256: .p256
            case .p384: .p384
            case .p521: .p521
            case .secp192k1: .secp192k1
            }
    }

    /// The curve.
    package var curve: EllipticCurve {
        switch self {
        case .p192: .p192
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .secp192k1: .secp192k1
        }
    }

    /// What a service with this curve may use: another one than P-256 is the mark of an old service.
    package var curves: PicoCurves { self == .p256 ? .current : .oldService(on: curve) }
}
