import Encodings
import Foundation

/// Where SMS go, as an operator sets it.
package enum SMSPlace: Sendable, Equatable, CustomStringConvertible {
    /// A gateway that speaks HTTP.
    case gateway(EgressAddress)
    /// A folder, for another program that sends what is in it.
    case folder(String)

    /// Reads `https://HOST/PATH`, `http://` with this machine, or `folder:/PATH`.
    ///
    /// - Returns: `nil` for anything else; a user or password in it would be in the list of processes.
    package init?(_ text: String) {
        if text.hasPrefix("folder:") {
            let path = String(text.dropFirst("folder:".count))
            guard path.hasPrefix("/") else { return nil }
            self = .folder(path)
            return
        }
        // Number and text are nobody else's business on the way.
        guard let address = EgressAddress(text, allowsPrivate: true),
            text.hasPrefix("https://") || ["localhost", "127.0.0.1"].contains(address.host)
        else { return nil }
        self = .gateway(address)
    }

    /// As it was set.
    package var description: String {
        switch self {
        case .gateway(let address): address.text
        case .folder(let path): "folder:\(path)"
        }
    }
}

/// By what the gateway knows this server.
///
/// Printed, it shows none of it.
package struct SMSCredentials: Sendable, Equatable, CustomStringConvertible {
    /// The value of the `Authorization` field.
    let field: String

    /// Takes one line: a bearer token (RFC 6750 section 2.1), or a user and a password with a colon between (RFC 7617).
    ///
    /// - Returns: `nil` when it is empty, has a control character or a space in a token, or there is a second line.
    package init?(_ text: String) {
        // CR LF is one character of Swift's.
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard lines.count == 1, !lines[0].isEmpty, lines[0].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        if lines[0].contains(":") {
            guard !lines[0].hasPrefix(":") else { return nil }
            field = "Basic \(String(decoding: Base64.encode(Bytes(text: lines[0]), .standard), as: UTF8.self))"
        } else {
            guard lines[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            field = "Bearer \(lines[0])"
        }
    }

    /// Reads a file that only its owner may read.
    ///
    /// - Throws: `NotificationSetUpError`.
    init(file path: String) throws {
        let text = try SecretFile.read(path, "SMS credentials")
        guard let read = Self(text) else {
            throw NotificationSetUpError(
                description: "\(path) must have one line: a token, or a user and a password with a colon between")
        }
        self = read
    }

    /// Nothing of it.
    package var description: String { "the SMS gateway's token or password" }
}
