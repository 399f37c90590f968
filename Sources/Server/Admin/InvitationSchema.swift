import Storage

extension Schema {
    /// Whom an invitation is for.
    static let invitationRecipients = Migration(
        name: "accounts-invitation-recipients",
        statements: ["ALTER TABLE invitations ADD COLUMN recipient TEXT NOT NULL DEFAULT ''"])

    /// The index along which the list of invitations is walked, page by page.
    static let invitationLists = Migration(
        name: "accounts-invitation-lists",
        statements: ["CREATE INDEX invitations_list ON invitations (created, id)"])
}
