import BrowserCalls
import EllipticCurves
import Encodings

extension Call {
    /// A public key: an uncompressed point, base64url.
    func key(_ name: StaticString) throws(BrowserError) -> P256PublicKey {
        guard let key = P256PublicKey(x963: try bytes(name)), P256.isOnCurve(publicKey: key.x963) else {
            throw BrowserError("bad_key", member: name, "is not a P-256 public key.")
        }
        return key
    }
}
