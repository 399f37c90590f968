internal import Crypto
public import Encodings
internal import Foundation
public import Vault

/// What the vault asks of its surroundings, answered by swift-crypto; `sharedSecret`, `hmacSHA256` and `randomBytes` are
/// those of Pico's suite.
extension SwiftCryptoSuite: VaultCryptoSuite {
    public func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == 32, let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                plaintext, using: SymmetricKey(data: key), nonce: nonce, authenticating: additionalData)
        else { return false }
        output.append(contentsOf: box.ciphertext)
        output.append(contentsOf: box.tag)
        return true
    }

    public func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == 32, sealed.count >= 16, let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
            let plaintext = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: additionalData)
        else { return false }
        output.append(contentsOf: plaintext)
        return true
    }

    public func hmacSHA512(_ message: Bytes, key: Bytes) -> Bytes {
        Bytes(HMAC<Crypto.SHA512>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
