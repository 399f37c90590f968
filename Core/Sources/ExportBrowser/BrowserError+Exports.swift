import Age
import Archives
import BrowserCalls

/// Why an export or import is refused, under names that pages know.
extension BrowserError {
    /// Nothing was begun, or it has ended.
    static var nothingUnderWay: BrowserError {
        BrowserError("nothing_under_way", "No file is written or read now.")
    }

    init(_ error: AgeError) {
        switch error {
        case .notAge: self.init("not_age", "This is no age file.")
        case .unsupportedVersion: self.init("unsupported", "The version of the age file is not known here.")
        case .malformedHeader, .headerTooLong, .malformedArmour:
            self.init("malformed", "The file breaks the rules of its format.")
        case .truncatedHeader, .truncatedPayload: self.init("truncated", "The file ends too early.")
        case .tooMuchWork: self.init("too_much_work", "The passphrase would take more memory than a page may have.")
        case .noMatch: self.init("no_match", "The passphrase or key does not open the file.")
        case .wrongMAC, .corruptPayload, .trailingBytes: self.init("corrupt", "The file was changed.")
        case .invalidIdentity: self.init("invalid_key", "This is no private key of age.")
        case .unsupported: self.init("unsupported", "Keys of this kind do not work in a page.")
        case .noRecipients: self.init("passphrase", "The passphrase is empty or too long.")
        case .invalidRecipient, .mixedRecipients, .invalidWorkFactor:
            self.init("out_of_range", "A value is beyond its limit.")
        case .suiteFailed: self.init("suite_failed", "There are too few random bytes.")
        case .finished: self.init("finished", "The file is over.")
        }
    }

    init(_ error: ArchiveError) {
        switch error {
        case .malformed: self.init("no_archive", "What is in the file is no tar archive.")
        case .truncated: self.init("truncated", "The archive ends too early.")
        case .trailingBytes: self.init("no_archive", "Something follows the end of the archive.")
        case .link: self.init("link", "There is a link in the archive.")
        case .unsupported: self.init("not_a_file", "The archive has something that is neither file nor folder.")
        case .unsafePath: self.init("unsafe_path", "A path in the archive is not safe.")
        case .pathTooLong: self.init("path_too_long", "A path in the archive is too long.")
        case .outOfRange: self.init("out_of_range", "A length or time is beyond its limit.")
        case .wrongLength: self.init("wrong_length", "A file is not as long as it was said to be.")
        case .finished: self.init("finished", "The archive is over.")
        }
    }
}
