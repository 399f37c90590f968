import Storage

extension Schema {
    /// These indexes tell whether a row names a given blob.
    static let deskBlobs = Migration(
        name: "0013-desk-blobs",
        statements: [
            "CREATE INDEX signed_files_blob ON signed_files (blob)",
            "CREATE INDEX workspace_documents_blob ON workspace_documents (content) WHERE kind = 'pdf'",
        ])
}
