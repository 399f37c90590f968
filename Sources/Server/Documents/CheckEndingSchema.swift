import Storage

extension Schema {
    /// Who ended a face-to-face check: the words on both sides depend on it.
    static let checkEndings = Migration(
        name: "documents-check-endings", statements: ["ALTER TABLE enrolments ADD COLUMN ended_by TEXT"])
}
