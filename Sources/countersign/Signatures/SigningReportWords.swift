import Verification

extension SigningReportError {
    /// What is wrong, and what it means.
    var words: String {
        switch self {
        case .malformed: "it is not a report of a transaction"
        case .certificate(let error):
            "a signature in it is not by a key that this organisation's root has certified for hand signatures (\(error))"
        case .signature(let error): "a signature in it is not by the certified key, or for something else (\(error))"
        case .changed: "it was changed after it was signed"
        case .foreign: "it is of another organisation"
        case .otherDrawing: "the picture is not the one that the record names"
        case .otherPhotograph: "the photograph is not the one that the record names"
        case .otherDocument: "the document is not the one that was signed: its SHA-256 differs"
        case .receiptMissing: "it has no receipt of the log"
        case .receipt(let error): "its receipt does not hold (\(error))"
        case .otherReceipt: "its receipt is of another transaction"
        case .fromTheFuture: "it was made later than now: check this machine's clock"
        }
    }
}

extension SigningReportError {
    /// The same of a page and its detached signature.
    var pageWords: String {
        switch self {
        case .malformed: "the file given as its signature is not a detached signature of a page"
        case .changed: "its SHA-256 is not the signed one: it was changed, or the signature is another page's"
        default: words
        }
    }
}
