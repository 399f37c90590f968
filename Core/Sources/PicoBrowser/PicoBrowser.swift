import BrowserCalls
public import Encodings

/// The WebAssembly interface of `Pico`, a module of its own: only pages that sign in elsewhere, or pair for it, load it.
///
/// It has no AES, no randomness, no clock and no private key. The page brings all four: WebCrypto computes AES and signs,
/// and both answer later than Core could wait. So no call keeps anything. Each one gets all that a run has had so far
/// and goes through the run again, up to the first thing that is missing.
public enum PicoBrowser {
    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    static let functions = codes + runs + sessions + backups
}
