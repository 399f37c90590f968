public import Approvals
internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation

/// The public-key checks of approvals, answered by swift-crypto.
extension SwiftCryptoSuite: ApprovalCryptoSuite {
    public func isOnP256(_ publicKey: Bytes) -> Bool {
        publicKey.count == 65 && (try? P256.Signing.PublicKey(x963Representation: publicKey)) != nil
    }

    public func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard publicKey.count == 65, let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(parsed, for: SHA384.hash(data: message))
    }

    public func isValidRSAWithSHA384(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes
    ) -> Bool {
        guard (256...512).contains(modulus.count), modulus.first != 0, exponent.first != 0,
            signature.count == modulus.count, let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA384.hash(data: message),
            padding: .insecurePKCS1v1_5)
    }
}
