import Encodings

/// A small sealed value: a random nonce of 12 bytes, the ciphertext and a tag of 16 bytes (AES-256-GCM).
enum VaultBox {
    static var nonce: Int { 12 }
    /// By how much a box is longer than its plaintext.
    static var overhead: Int { 28 }

    /// Seals under a key; label and binding say what the box is and where it belongs.
    static func seal<Suite: VaultCryptoSuite>(
        _ plaintext: Bytes, key: Bytes, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        let nonce = try suite.fresh(nonce)
        var box = nonce
        let isSealed = suite.sealAES256GCM(
            plaintext[...], key: key, nonce: nonce, additionalData: label.bytes + binding, appendingTo: &box)
        guard isSealed, box.count == plaintext.count + overhead else { throw .suiteFailed }
        return box
    }

    /// Opens a box.
    ///
    /// - Throws: `cannotOpen` for another key, label or binding, or a changed box.
    static func open<Suite: VaultCryptoSuite>(
        _ box: Bytes, key: Bytes, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        guard box.count >= overhead else { throw .malformed }
        var plaintext: Bytes = []
        let isOpen = suite.openAES256GCM(
            box[nonce...], key: key, nonce: Array(box[..<nonce]), additionalData: label.bytes + binding,
            appendingTo: &plaintext)
        guard isOpen, plaintext.count == box.count - overhead else { throw .cannotOpen }
        return plaintext
    }
}
