import CryptoProvider
import Encodings
import Foundation

/// What names and passphrases may look like.
enum AccountRules {
    /// The one spelling of a username: lower case, ASCII letters, digits and `. _ - + @`.
    static func username(_ text: String) throws -> String {
        let lowered = text.lowercased()
        let allowed = lowered.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-_+@".utf8.contains(byte)
        }
        guard allowed, Limits.username.contains(lowered.utf8.count) else { throw AccountError.invalidUsername }
        return lowered
    }

    /// A person's, device's or organisation's name: nothing invisible in it.
    static func name(_ text: String, limit: ClosedRange<Int> = Limits.name) throws -> String {
        let trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        let isVisible = trimmed.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard isVisible, limit.contains(trimmed.utf8.count) else { throw AccountError.invalidName }
        return trimmed
    }

    /// Whom an invitation is for; `nil` when nothing is written there.
    static func recipient(_ text: String?) throws -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
        // Visible text, as a name; a character has at most four bytes.
        guard let visible = try? name(text, limit: 1...(Limits.recipient * 4)),
            visible.unicodeScalars.count <= Limits.recipient
        else { throw AccountError.invalidRecipient }
        return visible
    }

    /// A new passphrase as it is hashed, if it is long enough.
    static func passphrase(_ text: String) throws -> Bytes {
        let bytes = PassphraseHash.bytes(of: text)
        guard Limits.passphrase.contains(bytes.count) else { throw AccountError.weakPassphrase }
        return bytes
    }
}
