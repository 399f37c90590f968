import BrowserCalls
public import Encodings

/// The WebAssembly interface of `Vault`, a module of its own: pages of the vault load it when a PIN, words or shares come.
///
/// WebCrypto has no Argon2, no hashing to a curve, and no P-384 points that could be multiplied; those are here. All that
/// is AES, HKDF, HMAC and P-256 the page's own modules do with WebCrypto (`Web/vault/sealing.js`). No call keeps anything.
public enum VaultBrowser {
    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    static let functions = pins + recovery + stretching
}
