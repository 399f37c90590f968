import Encodings
import Foundation

/// All texts of one language: what the files `Web/<slice>/words/<code>.json` hold together.
struct WordCatalogue: Sendable {
    /// The language's tag, as in `lang`.
    let code: String
    /// Its name in the language itself.
    var name: String
    /// `ltr` or `rtl`.
    var direction = "ltr"
    /// The categories of numbers that its plurals need, of `Intl.PluralRules`.
    var categories = ["one", "other"]
    /// By the English text.
    var texts: [String: String] = [:]
    /// By the English text for many: a translation for each category.
    var plurals: [String: [String: String]] = [:]

    /// The language of the source: its texts are where they are used.
    static let english = WordCatalogue(code: "en", name: "English")

    /// A text of the server in this language; the English where there is none.
    func callAsFunction(_ text: String) -> String { texts[text] ?? text }

    private init(code: String, name: String) { (self.code, self.name) = (code, name) }

    /// The catalogue of a language from all its files.
    ///
    /// - Returns: nil if a file is not a JSON object of texts.
    init?(code: String, files: [Data]) {
        self.init(code: code, name: code)
        for file in files {
            guard let members = try? JSONSerialization.jsonObject(with: file) as? [String: Any] else { return nil }
            for (key, value) in members {
                if let text = value as? String {
                    texts[key] = text
                } else if let forms = value as? [String: String], key == "@language" {
                    name = forms["name"] ?? code
                    direction = forms["direction"] ?? "ltr"
                    categories = (forms["categories"] ?? "one other").split(separator: " ").map(String.init)
                } else if let forms = value as? [String: String] {
                    plurals[key] = forms
                } else {
                    return nil
                }
            }
        }
    }

    /// Whether it has a text for `key`.
    func has(_ key: ModuleTexts.Key) -> Bool { key.isPlural ? plurals[key.text] != nil : texts[key.text] != nil }

    /// A module that gives pages the texts of some modules, before those run.
    func module(_ keys: Set<ModuleTexts.Key>) -> Bytes {
        let members: [(String, JSON)] = keys.filter(has).sorted { $0.text < $1.text }.map { key in
            guard key.isPlural, let forms = plurals[key.text] else { return (key.text, .text(self(key.text))) }
            return (key.text, .members(forms.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }))
        }
        return Bytes(text: "Object.assign(globalThis.countersignWords ??= {}, ")
            + JSON.members(members).serialized() + Bytes(text: ");\n")
    }
}
