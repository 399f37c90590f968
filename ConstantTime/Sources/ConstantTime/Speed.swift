import Encodings
import EllipticCurves

/// How long signing, agreeing on secrets and checking take: what the masks cost.
enum Speed {
    /// Prints microseconds for each curve: the best of ten rounds, so that other programs matter little.
    static func measure() throws {
        for curve in EllipticCurve.allCases {
            let scalar = [0] + Bytes(repeating: 0x5A, count: curve.byteCount - 1)
            let key = try ECPrivateKey(curve, scalar: scalar)
            let sign = best { _ = key.rawSignature(over: [1, 2, 3], with: .sha256) }
            let signature = key.rawSignature(over: [1, 2, 3], with: .sha256)
            let hash = SHA256.hash([1, 2, 3])
            let check = best { _ = key.publicKey.isValidRawSignature(signature, digest: hash) }
            let agree = best { _ = try? key.sharedSecret(with: key.publicKey) }
            print("\(curve.name): sign \(sign) µs, agree \(agree) µs, check a signature \(check) µs")
        }
    }

    private static func best(_ operation: () -> Void) -> Int {
        let clock = ContinuousClock()
        let count = 100
        var best = Duration.seconds(3600)
        for _ in 0..<10 { best = min(best, clock.measure { for _ in 0..<count { operation() } }) }
        return Int(best / .microseconds(count))
    }
}
