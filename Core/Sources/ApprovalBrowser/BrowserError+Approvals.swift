import Approvals
import BrowserCalls
import EllipticCurves
import Encodings

/// The refusals of the protocol, under their names on the wire.
extension BrowserError {
    init(_ error: ApprovalError) {
        self.init(error.name, error.words)
    }

    init(_ error: ApprovalReceiptError) {
        self.init(error.name, error.words)
    }
}

extension Call {
    /// A public key: an uncompressed point, base64url.
    func approvalKey(_ name: StaticString) throws(BrowserError) -> P256PublicKey {
        guard let key = P256PublicKey(x963: try bytes(name)), P256.isOnCurve(publicKey: key.x963) else {
            throw BrowserError("bad_key", member: name, "is not a P-256 public key.")
        }
        return key
    }
}
