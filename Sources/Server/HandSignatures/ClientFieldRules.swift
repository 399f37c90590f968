import Encodings
import Foundation
import HandSignatures
import Interface

/// The rules for fields of clients and their values.
enum ClientFieldRules {
    /// Checks the fields that are to be asked.
    ///
    /// - Parameter known: all that there ever were.
    static func check(_ fields: [ClientField], known: [ClientField]) throws(HandSignatureError) -> [ClientField] {
        guard fields.count <= Limits.clientFields else {
            throw .invalid("fields: at most \(Limits.clientFields).")
        }
        var checked: [ClientField] = []
        for (number, given) in fields.enumerated() {
            let member = "fields: number \(number + 1)"
            var field = given
            field.label = try label(given.label, "\(member): label")
            field.choices = try choices(given, member)
            if let id = given.id {
                guard let old = known.first(where: { $0.id == id }) else {
                    throw .invalid("\(member): nobody knows its id. Leave it out for a new field.")
                }
                guard old.kind == given.kind else {
                    throw .invalid("\(member): its kind cannot change. Remove it and add another.")
                }
            }
            guard !checked.contains(where: { $0.id != nil && $0.id == field.id }) else {
                throw .invalid("\(member): it is there twice.")
            }
            guard !checked.contains(where: { $0.label == field.label }) else {
                throw .invalid("\(member): another field has this label.")
            }
            checked.append(field)
        }
        return checked
    }

    private static func label(_ text: String, _ member: String) throws(HandSignatureError) -> String {
        let label = try DeskRules.name(text, member)
        guard Limits.fieldLabel.contains(label.utf8.count) else { throw .invalid("\(member): 1 to 100 bytes.") }
        return label
    }

    private static func choices(_ field: ClientField, _ member: String) throws(HandSignatureError) -> [String]? {
        guard field.kind == .choice else {
            guard field.choices == nil else { throw .invalid("\(member): only a choice has choices.") }
            return nil
        }
        var choices: [String] = []
        for choice in field.choices ?? [] { choices.append(try label(choice, "\(member): choice")) }
        guard Limits.fieldChoices.contains(choices.count), Set(choices).count == choices.count else {
            throw .invalid("\(member): 2 to 20 different choices.")
        }
        return choices
    }

    /// Checks what a client is to have, by the field's id.
    ///
    /// An empty value counts as none; a required one may not be empty.
    static func check(
        _ values: [ClientFieldValue], of fields: [ClientField]
    ) throws(HandSignatureError) -> [String: String] {
        var checked: [String: String] = [:]
        var seen: Set<String> = []
        for given in values {
            guard let field = fields.first(where: { $0.id == given.field }), seen.insert(given.field).inserted else {
                throw .invalid("fields: each is one that the organisation asks, and named once.")
            }
            let trimmed = given.value.trimmingCharacters(in: .whitespacesAndNewlines)
            if !trimmed.isEmpty { checked[given.field] = try value(trimmed, of: field) }
        }
        for field in fields where field.isRequired {
            guard let id = field.id, checked[id] != nil else { throw .invalid("fields: \(field.label) is required.") }
        }
        return checked
    }

    /// The words of the refusal name the field, and never what was written.
    private static func value(_ text: String, of field: ClientField) throws(HandSignatureError) -> String {
        switch field.kind {
        case .text:
            guard text.utf8.count <= Limits.fieldValue, DeskRules.isVisible(text) else {
                throw .invalid("fields: \(field.label): at most 500 bytes of visible text.")
            }
            return text
        case .number:
            guard let number = FieldValue.number(Bytes(text: text)) else {
                throw .invalid("fields: \(field.label): a number, such as 12 or 3.5.")
            }
            return String(decoding: number, as: UTF8.self)
        case .date:
            guard FieldValue.date(Bytes(text: text)) != nil else {
                throw .invalid("fields: \(field.label): a day, such as 2026-11-24.")
            }
            return text
        case .choice:
            guard field.choices?.contains(text) == true else {
                throw .invalid("fields: \(field.label): one of its choices.")
            }
            return text
        }
    }
}
