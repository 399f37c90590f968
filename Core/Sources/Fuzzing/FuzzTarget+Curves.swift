import EllipticCurves
import Encodings

extension FuzzTarget {
    static let curves = [
        FuzzTarget("p256", maximumLength: 192, p256),
        FuzzTarget("ed25519", maximumLength: 128, ed25519),
    ]

    private static func p256(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let key = parts.take(65)
        let signature = parts.take(64)
        let isOnCurve = P256.isOnCurve(publicKey: key)
        let isValid = P256.isValidSignature(signature, over: parts.rest(), publicKey: key)
        try expect(isOnCurve || !isValid, "only a point of the curve has signatures")
    }

    private static func ed25519(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let key = parts.take(32)
        let signature = parts.take(64)
        let isValid = Ed25519.isValidSignature(signature, over: parts.rest(), publicKey: key)
        try expect(!isValid || signature.count == 64 && key.count == 32, "no shorter signature is valid")
    }
}
