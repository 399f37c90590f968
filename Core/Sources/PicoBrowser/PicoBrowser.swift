import BrowserCalls
public import Encodings

/// The WebAssembly interface of `Pico`, a module of its own: only pages that sign in elsewhere, or pair for it, load it.
///
/// It has no AES, no randomness, no clock and no private key. The page brings all four: WebCrypto computes AES, agrees on
/// secrets and signs, and answers later than Core could wait. So no call keeps anything. Each one gets all that a run has
/// had so far and goes through the run again, up to the first thing that is missing.
///
/// It is built twice. The module that pages load first has P-256 alone (`ONLY_P256`). The other one has all curves, and is
/// loaded when a service uses an old one; there the secrets on P-192 and secp192k1 are ours, since WebCrypto has neither.
public enum PicoBrowser {
    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    #if ONLY_P256
        static let functions = codes + runs + sessions + backups
    #else
        static let functions = codes + runs + sessions + backups + oldKeys
    #endif
}
