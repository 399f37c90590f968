import Storage

extension Schema {
    /// By these somebody who has a blob's name finds out whether a row names it.
    static let deskBlobs = Migration(
        name: "0013-desk-blobs",
        statements: [
            "CREATE INDEX signed_files_blob ON signed_files (blob)",
            "CREATE INDEX workspace_documents_blob ON workspace_documents (content) WHERE kind = 'pdf'",
        ])
}
