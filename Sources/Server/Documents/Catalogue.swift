import Documents
import Interface

/// The catalogue of `Core` as the interface shows it.
enum Catalogue {
    static func isRequestable(_ type: String) -> Bool {
        DocumentCatalogue.types.contains { $0.name == type && $0.isIssuedOnRequest }
    }

    static var types: [DocumentType] {
        DocumentCatalogue.types.filter(\.isIssuedOnRequest).map { type in
            DocumentType(
                id: type.name, title: type.title,
                fields: type.fields.map {
                    DocumentType.Field(
                        name: $0.name, label: $0.label, kind: DocumentType.Field.Kind($0.kind),
                        isMandatory: $0.isMandatory, labels: $0.labels.map(DocumentType.Label.init))
                }, titles: type.titles.map(DocumentType.Label.init))
        }
    }
}

extension DocumentType.Label {
    init(_ label: CatalogueLabel) { self.init(language: label.language, text: label.text) }
}

extension DocumentType.Field.Kind {
    init(_ kind: CatalogueField.Kind) {
        switch kind {
        case .text: self = .text
        case .number: self = .number
        case .date: self = .date
        case .list: self = .list
        }
    }
}
