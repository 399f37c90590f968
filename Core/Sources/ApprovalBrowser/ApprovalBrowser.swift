import BrowserCalls
public import Encodings

/// The WebAssembly interface of `Approvals`, a module of its own: only pages about approvals load it.
///
/// It signs nothing. A page gets the bytes to sign, opens its key, and brings the signature back, which is checked before
/// it goes into a message.
public enum ApprovalBrowser {
    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    static let functions = messages + challenges + enrolment + receipts
}
