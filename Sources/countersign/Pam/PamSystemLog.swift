import Encodings
import Glibc

/// Lines of a helper that stays, in the log of sign-ins.
enum PamSystemLog {
    /// `LOG_AUTHPRIV | LOG_NOTICE`.
    private static let priority: Int32 = 10 << 3 | 5

    static func write(_ text: String) {
        unsafe ("countersign pam: " + Bytes(text: text).shown).withCString { text in
            unsafe withVaList([text]) { unsafe vsyslog(priority, "%s", $0) }
        }
    }
}
