/// Why a key is refused or cannot be used.
public enum KeyError: Error, Equatable, Sendable {
    /// The bytes are no key of this kind: a wrong length, zero, or beyond the group's order.
    case malformed
    /// A public key that is not a point on the curve.
    case notOnCurve
    /// The library could not sign or agree.
    case failed
}
