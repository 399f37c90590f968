public import Encodings

/// ChaCha20-Poly1305 (RFC 8439 section 2.8), in Swift: for where there is no library.
///
/// Takes the same steps whatever key and message are; only whether a tag holds decides a jump.
public enum ChaCha20Poly1305 {
    /// The length of a tag, in bytes.
    public static let tagLength = 16
    /// The length of a key, in bytes.
    public static let keyLength = 32
    /// The length of a nonce, in bytes.
    public static let nonceLength = 12

    /// Appends ciphertext and tag.
    ///
    /// - Returns: `false`, with nothing appended, for a key or nonce of another length.
    public static func seal(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes = [],
        appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == keyLength, nonce.count == nonceLength else { return false }
        let cipher = ChaCha20(key: key, nonce: nonce)
        append(plaintext, cipher, to: &output)
        let sealed = output[(output.count - plaintext.count)...]
        output.append(contentsOf: tag(of: sealed, additionalData, cipher))
        return true
    }

    /// Checks the tag, then appends the plaintext.
    ///
    /// - Parameter sealed: ciphertext and tag.
    /// - Returns: `false`, with nothing appended, if the tag does not hold or a length is wrong.
    public static func open(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes = [],
        appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == keyLength, nonce.count == nonceLength, sealed.count >= tagLength else { return false }
        let cipher = ChaCha20(key: key, nonce: nonce)
        let ciphertext = sealed.dropLast(tagLength)
        let expected = tag(of: ciphertext, additionalData, cipher)
        guard expected.equalsInConstantTime(Bytes(sealed.suffix(tagLength))) else { return false }
        append(ciphertext, cipher, to: &output)
        return true
    }

    /// Appends input ⊕ keystream from block 1 on.
    private static func append(_ input: ArraySlice<UInt8>, _ cipher: ChaCha20, to output: inout Bytes) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: input.count))
        unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe cipher.apply(
                    to: input, into: UnsafeMutableRawBufferPointer(rebasing: output[start...]), firstBlock: 1)
            }
        }
    }

    private static func tag(of ciphertext: ArraySlice<UInt8>, _ additionalData: Bytes, _ cipher: ChaCha20) -> Bytes {
        var mac = Poly1305(key: cipher.keystream(block: 0, count: keyLength))
        unsafe additionalData.withUnsafeBytes { unsafe mac.updatePadded($0) }
        unsafe ciphertext.withUnsafeBytes { unsafe mac.updatePadded($0) }
        let lengths: [UInt64] = [UInt64(additionalData.count).littleEndian, UInt64(ciphertext.count).littleEndian]
        unsafe lengths.withUnsafeBytes { unsafe mac.updatePadded($0) }
        return mac.finish()
    }
}
