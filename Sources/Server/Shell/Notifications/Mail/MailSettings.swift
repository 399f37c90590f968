import Encodings
import Interface

/// Where messages go, as an operator sets it.
package enum MailPlace: Sendable, Equatable, CustomStringConvertible {
    /// A mail server.
    case server(SMTPPlace)
    /// A folder, for another program that sends what is in it.
    case folder(String)

    /// Reads `smtps://HOST[:PORT]`, `smtp://HOST[:PORT]` or `folder:PATH`.
    ///
    /// - Returns: `nil` for anything else; a user or password in it would be in the list of processes.
    package init?(_ text: String) {
        if text.hasPrefix("folder:") {
            let path = String(text.dropFirst("folder:".count))
            guard path.hasPrefix("/") else { return nil }
            self = .folder(path)
            return
        }
        guard let place = SMTPPlace(text) else { return nil }
        self = .server(place)
    }

    /// As it was set.
    package var description: String {
        switch self {
        case .server(let place): place.description
        case .folder(let path): "folder:\(path)"
        }
    }
}

/// A mail server, and how it is spoken to.
package struct SMTPPlace: Sendable, Equatable, CustomStringConvertible {
    /// TLS from the first byte, or after `STARTTLS` (RFC 8314 section 3).
    package enum Security: Sendable, Equatable { case implicit, startTLS }

    package let host: String
    package let port: Int
    package let security: Security

    /// A server at a port.
    package init(host: String, port: Int, security: Security) {
        (self.host, self.port, self.security) = (host, port, security)
    }

    init?(_ text: String) {
        let schemes: [(prefix: String, port: Int, security: Security)] = [
            ("smtps://", 465, .implicit), ("smtp://", 587, .startTLS),
        ]
        guard let scheme = schemes.first(where: { text.hasPrefix($0.prefix) }) else { return nil }
        let parts = text.dropFirst(scheme.prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let host = parts.first.map(String.init),
            Self.own.contains(host) || DomainName(host)?.text == host
        else { return nil }
        var port = scheme.port
        if parts.count == 2 {
            guard let number = parseDecimal(Bytes(text: String(parts[1]))), (1...65_535).contains(number) else {
                return nil
            }
            port = Int(number)
        }
        self.init(host: host, port: port, security: scheme.security)
    }

    private static let own = ["localhost", "127.0.0.1"]

    /// Whether it is this machine: then nobody is on the way, and TLS may be missing.
    var isOwn: Bool { Self.own.contains(host) }

    /// As it was set.
    package var description: String { "\(security == .implicit ? "smtps" : "smtp")://\(host):\(port)" }
}

/// The user and password of a mail server.
///
/// Printed, it shows neither.
package struct MailCredentials: Sendable, Equatable, CustomStringConvertible {
    let user: String
    let password: String

    /// Takes two lines: the user, and the password.
    ///
    /// - Returns: `nil` when one is empty, or there is anything else.
    package init?(_ text: String) {
        // CR LF is one character of Swift's.
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard lines.count == 2, lines.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) }) else { return nil }
        (user, password) = (lines[0], lines[1])
    }

    /// Reads a file that only its owner may read.
    ///
    /// - Throws: `NotificationSetUpError`.
    init(file path: String) throws {
        guard let read = Self(try SecretFile.read(path, "mail credentials")) else {
            throw NotificationSetUpError(description: "\(path) must have two lines: the user, and the password")
        }
        self = read
    }

    /// Neither of the two.
    package var description: String { "the mail server's user and password" }
}
