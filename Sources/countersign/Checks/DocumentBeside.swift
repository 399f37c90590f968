import CryptoProvider
import Documents
import Encodings
import Foundation
import Verification

/// A PDF or picture beside the checked file, and whether it is the document that was signed.
struct DocumentBeside {
    /// What the comparison found.
    enum Finding: String {
        /// Byte for byte.
        case same
        /// The file was changed, or it is another one.
        case different
        /// The holder did not show the document, or the check did not get as far.
        case unknown
    }

    /// The file's name.
    let name: String
    /// What it is.
    let finding: Finding
    private let signedName: String

    /// Compares a file with the document that a report found signed.
    init(path: String, report: VerificationReport) throws {
        let bytes = try Files.read(path)
        name = URL(fileURLWithPath: path).lastPathComponent
        guard let document = report.content?.document else {
            (finding, signedName) = (.unknown, "")
            return
        }
        signedName = document.name.shown
        finding = SwiftCryptoSuite().sha256(bytes) == document.digest ? .same : .different
    }

    /// What people read.
    var words: String {
        switch finding {
        case .same: "\(name) is \(signedName) of this file, byte for byte. The answers hold for it too."
        case .different: "\(name) is not the document in this file. Somebody changed it, or it is another one."
        case .unknown: "\(name) cannot be compared: this file shows no document that was signed."
        }
    }

    /// The exit code of the whole check.
    func exitCode(_ verdict: Verdict) -> Int32 {
        switch finding {
        case .same: verdict.exitCode
        case .different: Verdict.notValid.exitCode
        case .unknown: verdict == .notValid ? verdict.exitCode : Verdict.couldNotTell.exitCode
        }
    }

    /// What programs read.
    var json: JSON { .members([("name", .text(name)), ("result", .text(finding.rawValue))]) }
}
