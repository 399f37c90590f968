import Encodings
import Foundation

/// A message for one person, of plain text (RFC 5322).
struct MailMessage: Sendable, Equatable {
    let to: EmailAddress
    /// One line.
    let subject: String
    let text: String
    /// Names the message: the same notice has the same on each attempt, so mail programs show it once.
    let id: String
    /// Seconds since 1970.
    let time: Int64

    /// The message as it travels: ASCII, lines of at most 78 characters that end in CR LF.
    ///
    /// Subject and text are base64, so nothing in them can be a header, an end of the message, or too long a line.
    func encoded(from sender: EmailAddress) -> Bytes {
        let domain = sender.text.split(separator: "@").last.map(String.init) ?? "localhost"
        let headers = [
            "Date: \(Self.date(time))", "From: Countersign <\(sender.text)>", "To: <\(to.text)>",
            "Message-ID: <\(id)@\(domain)>", "Subject: \(Self.word(subject))", "MIME-Version: 1.0",
            // No auto-replies (RFC 3834).
            "Auto-Submitted: auto-generated", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
        ]
        let body = String(decoding: Base64.encode(Bytes(text: text), .standard), as: UTF8.self)
        return Bytes(text: (headers + Self.lines(body, of: 76)).map { $0 + "\r\n" }.joined())
    }

    /// Encoded words, one to a line of at most 76 characters (RFC 2047 section 2).
    private static func word(_ text: String) -> String {
        var words: [String] = []
        var part = Bytes()
        for character in text {
            let bytes = Bytes(text: String(character))
            // With the header's name before the first. An encoded word must not end inside a character.
            if part.count + bytes.count > 39, !part.isEmpty {
                words.append(encodedWord(part))
                part = []
            }
            part += bytes
        }
        words.append(encodedWord(part))
        return words.joined(separator: "\r\n ")
    }

    private static func encodedWord(_ bytes: Bytes) -> String {
        "=?utf-8?B?\(String(decoding: Base64.encode(bytes, .standard), as: UTF8.self))?="
    }

    private static func lines(_ text: String, of length: Int) -> [String] {
        stride(from: 0, to: text.utf8.count, by: length).map { start in
            String(decoding: Array(text.utf8.dropFirst(start).prefix(length)), as: UTF8.self)
        }
    }

    /// A date of RFC 5322 section 3.3, in UTC.
    static func date(_ time: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(time))) + " +0000"
    }
}
