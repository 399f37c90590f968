import Encodings
import Foundation

/// A message for one person, of plain text (RFC 5322).
struct MailMessage: Sendable, Equatable {
    let to: EmailAddress
    /// One line.
    let subject: String
    let text: String
    let letterhead: Letterhead
    /// Names the message: the same notice has the same on each attempt, so mail programs show it once.
    let id: String
    /// Seconds since 1970.
    let time: Int64

    /// The message as it travels: ASCII, lines of at most 78 characters that end in CR LF.
    ///
    /// Subject and text are base64, so nothing in them can be a header, an end of the message, or too long a line. The
    /// text ends with the letterhead's signature.
    func encoded(from sender: EmailAddress) -> Bytes {
        let domain = sender.text.split(separator: "@").last.map(String.init) ?? "localhost"
        let headers = [
            "Date: \(Self.date(time))", Self.origin(letterhead.name, sender), "To: <\(to.text)>",
            "Message-ID: <\(id)@\(domain)>", "Subject: \(Self.word(subject))", "MIME-Version: 1.0",
            // No auto-replies (RFC 3834).
            "Auto-Submitted: auto-generated", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
        ]
        let body = String(decoding: Base64.encode(Bytes(text: text + letterhead.signature), .standard), as: UTF8.self)
        return Bytes(text: (headers + Self.lines(body, of: 76)).map { $0 + "\r\n" }.joined())
    }

    /// The header of the sender, with a line of its own for the address if both do not fit into one.
    private static func origin(_ name: String, _ sender: EmailAddress) -> String {
        let begin = "From: \(phrase(name))"
        let line = "\(begin) <\(sender.text)>"
        return line.utf8.count <= 76 ? line : "\(begin)\r\n <\(sender.text)>"
    }

    /// A name before an address: a quoted string if it is short and of ASCII that is seen (RFC 5322 section 3.2.4), or
    /// else encoded words, of which nothing can be anything else.
    private static func phrase(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        // Some programs decode an encoded word inside quotes.
        guard isPlain, !name.contains("=?") else { return word(name) }
        let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return escaped.utf8.count <= 68 ? "\"\(escaped)\"" : word(name)
    }

    /// Encoded words, one to a line of at most 76 characters (RFC 2047 section 2).
    private static func word(_ text: String) -> String {
        var words: [String] = []
        var part = Bytes()
        // Not by what Swift calls a character, whose marks have no end.
        for scalar in text.unicodeScalars {
            let bytes = Bytes(text: String(scalar))
            // With the header's name before the first. An encoded word must not end inside a code point.
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
