public import Encodings

/// What people call something in one language.
public struct CatalogueLabel: Sendable {
    /// A language tag such as `de`.
    public let language: String
    /// The words.
    public let text: String

    /// Words in a language.
    public init(language: String, text: String) {
        self.language = language
        self.text = text
    }
}

extension CatalogueType {
    /// What people call it in a language: in English where the type has no words in that.
    public func title(in language: Bytes) -> String { titles.first(in: language) ?? title }
}

extension CatalogueField {
    /// What people call it in a language: in English where the type has no words in that.
    public func label(in language: Bytes) -> String { labels.first(in: language) ?? label }
}

extension [CatalogueLabel] {
    /// German and Arabic, the languages beside English that the types of this program are in.
    static func words(_ german: String, _ arabic: String) -> [CatalogueLabel] {
        [CatalogueLabel(language: "ar", text: arabic), CatalogueLabel(language: "de", text: german)]
    }

    fileprivate func first(in language: Bytes) -> String? {
        first { language.equals(text: $0.language) }?.text
    }
}
