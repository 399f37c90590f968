import CryptoProvider
import Encodings
import Foundation
import Interface

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
            // Names in Persian and in scripts of India are written with these two between letters.
            case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
            case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard isVisible, limit.contains(trimmed.utf8.count) else { throw AccountError.invalidName }
        return trimmed
    }

    /// A name in its parts, at least one of them not empty.
    static func name(_ parts: PersonName) throws -> PersonName {
        func part(_ text: String) throws -> String {
            guard !text.allSatisfy(\.isWhitespace) else { return "" }
            // A letter that people see may be of many code points, each with up to four bytes.
            let part = try name(text, limit: 1...(Limits.namePart * 8))
            guard part.count <= Limits.namePart, part.unicodeScalars.count <= Limits.namePart * 2 else {
                throw AccountError.invalidNamePart
            }
            return part
        }
        let parts = PersonName(givenName: try part(parts.givenName), familyName: try part(parts.familyName))
        guard !parts.whole.isEmpty else { throw AccountError.invalidNamePart }
        return parts
    }

    /// An organisation's name.
    static func organisation(_ text: String) throws -> String {
        // A character has at most four bytes, and some have marks beside it.
        let visible = try name(text, limit: 1...(Limits.organisation * 8))
        guard visible.count <= Limits.organisation, visible.unicodeScalars.count <= Limits.organisation * 2 else {
            throw AccountError.invalidOrganisation
        }
        return visible
    }

    /// The person an invitation is for; `nil` when nothing is written there.
    static func recipient(_ text: String?) throws -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
        // Visible text, as a name; a character has at most four bytes.
        guard let visible = try? name(text, limit: 1...(Limits.recipient * 4)),
            visible.unicodeScalars.count <= Limits.recipient
        else { throw AccountError.invalidRecipient }
        return visible
    }

    /// A language tag (RFC 5646), or empty: whether there are pages in it is asked when one is shown.
    static func check(language: String) throws {
        let parts = language.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                }
        }
        guard language.isEmpty || (isTag && language.utf8.count <= 35) else { throw AccountError.invalidLanguage }
    }

    /// A new passphrase as it is hashed, if it is long enough.
    static func passphrase(_ text: String) throws -> Bytes {
        let bytes = PassphraseHash.bytes(of: text)
        guard Limits.passphrase.contains(bytes.count) else { throw AccountError.weakPassphrase }
        return bytes
    }
}
