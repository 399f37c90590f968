import Encodings
import Foundation
import Interface

/// What a face may say.
enum FaceRules {
    static func check(_ accent: String) throws -> AccentCheck {
        guard let colour = AccentColour(Bytes(text: accent)) else { throw FaceError.notAColour }
        return colour.check
    }

    static func name(_ text: String) throws -> String {
        do { return try AccountRules.organisation(text) } catch { throw FaceError.name }
    }

    /// The imprint without what is only white space.
    @discardableResult
    static func check(_ imprint: Imprint) throws -> Imprint {
        Imprint(
            legalNotice: try text(imprint.legalNotice, "imprint.legal_notice"),
            privacy: try text(imprint.privacy, "imprint.privacy"),
            contact: try text(imprint.contact, "imprint.contact"))
    }

    private static func text(_ text: String?, _ member: String) throws -> String? {
        guard let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines), !trimmed.isEmpty else { return nil }
        let isVisible = trimmed.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\r" || scalar == "\t"
            case .surrogate, .privateUse, .unassigned: false
            // Marks that turn the direction of what follows could make a text say something else.
            case .format: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
            default: true
            }
        }
        guard isVisible, trimmed.utf8.count <= Limits.imprint else { throw FaceError.imprint(member) }
        // A text that looks like an address is one, or is refused: only these two kinds ever become links.
        guard !trimmed.contains("://") || trimmed.contains(where: \.isWhitespace) || isLink(trimmed) else {
            throw FaceError.imprint(member)
        }
        return trimmed
    }

    /// Whether a part of the imprint is an address, and so becomes a link.
    static func isLink(_ text: String) -> Bool {
        guard !text.contains(where: \.isWhitespace), text.utf8.count <= 2_000 else { return false }
        if text.hasPrefix("mailto:") { return text.contains("@") }
        guard text.hasPrefix("https://"), let host = URL(string: text)?.host() else { return false }
        return !host.isEmpty
    }

    /// Whether it begins as XML does.
    static func looksLikeSVG(_ file: Bytes) -> Bool {
        let begin = String(decoding: file.prefix(256), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return ["<?xml", "<svg", "<!--", "<!DOCTYPE svg"].contains { begin.hasPrefix($0) }
    }
}
