import Storage

extension Schema {
    /// Identity credentials are counted apart from the documents that members ask for.
    static let documentTypes = Migration(
        name: "documents-types", statements: ["CREATE INDEX documents_type ON documents (type)"])
}
