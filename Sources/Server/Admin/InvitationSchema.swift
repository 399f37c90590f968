import Storage

extension Schema {
    /// Whom an invitation is for.
    static let invitationRecipients = Migration(
        name: "accounts-invitation-recipients",
        statements: ["ALTER TABLE invitations ADD COLUMN recipient TEXT NOT NULL DEFAULT ''"])
}
