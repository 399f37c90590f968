internal import Crypto
public import Encodings

extension SwiftCryptoSuite {
    /// Whether the key is a point of the curve P-256 (SP 800-56A section 5.6.2.3.3).
    public func isOnCurve(_ key: P256PublicKey) -> Bool {
        (try? P256.KeyAgreement.PublicKey(x963Representation: key.x963)) != nil
    }
}
