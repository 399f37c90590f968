import Encodings
import Foundation
import Interface

/// What words at the desk may look like.
enum DeskRules {
    /// A name of a person or thing, 1 to 200 bytes of visible text.
    static func name(_ text: String, _ member: String) throws(HandSignatureError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Limits.name.contains(trimmed.utf8.count), isVisible(trimmed) else {
            throw .invalid("\(member): 1 to 200 bytes of visible text.")
        }
        return trimmed
    }

    /// A client's name in its parts: one of them may be empty, of people who have one name.
    static func names(_ givenName: String, _ familyName: String) throws(HandSignatureError) -> PersonName {
        func part(_ text: String, _ member: String) throws(HandSignatureError) -> String {
            text.allSatisfy(\.isWhitespace) ? "" : try name(text, member)
        }
        let names = PersonName(
            givenName: try part(givenName, "given_name"), familyName: try part(familyName, "family_name"))
        guard !names.whole.isEmpty else {
            throw .invalid("family_name: write the name; one of the two may be empty, of people who have one name.")
        }
        guard names != .erased else { throw .invalid("family_name: this word stands for people who were erased.") }
        return names
    }

    static func reason(_ text: String) throws(HandSignatureError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Limits.reason.contains(trimmed.utf8.count) else { throw .invalid("reason: say why, in 500 bytes.") }
        return trimmed
    }

    /// An identity number as it was written; ``IdentityNumber/key(_:)`` finds it however it is typed.
    static func number(_ text: String) throws(HandSignatureError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= 200, isVisible(trimmed), (1...64).contains(IdentityNumber.key(trimmed).utf8.count)
        else { throw .invalid("number: 1 to 64 letters and digits.") }
        return trimmed
    }

    /// A page's description of its device; it may be empty.
    static func device(_ text: String) throws(HandSignatureError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.count <= 300, isVisible(trimmed) else { throw .invalid("device: at most 300 bytes.") }
        return trimmed
    }

    /// The operator's account of the moment; the place only where the organisation allows it.
    static func circumstances(
        _ said: Circumstances, _ settings: DeskStore.Settings
    ) throws(HandSignatureError) -> Circumstances {
        try identified(said.identified)
        if let place = said.place { try check(place, settings) }
        return Circumstances(identified: true, device: try device(said.device), place: said.place)
    }

    /// Nobody is enrolled, and nobody signs, whom the operator has not identified.
    static func identified(_ isSure: Bool) throws(HandSignatureError) {
        guard isSure else { throw .invalid("identified: check the client's identity, then confirm it.") }
    }

    static func check(_ place: DevicePlace, _ settings: DeskStore.Settings) throws(HandSignatureError) {
        guard settings.takesPlace else { throw .notAllowed("place: this organisation does not take it.") }
        guard (-90_000_000...90_000_000).contains(place.latitude),
            (-180_000_000...180_000_000).contains(place.longitude), (0...50_000_000).contains(place.accuracy)
        else { throw .invalid("place: the coordinates are out of range.") }
    }

    static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
            default: true
            }
        }
    }
}

extension PersonName {
    /// The name in rows of a client who was erased.
    static let erased = PersonName(givenName: "", familyName: "(erased)")
}
