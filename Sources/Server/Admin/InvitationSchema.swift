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

    /// The indexes of the list's parts: without the time in it, each that nobody used would be looked at to be counted.
    static let invitationParts = Migration(
        name: "accounts-invitation-parts",
        statements: [
            "CREATE INDEX invitations_list_unused ON invitations (created, id, expires) WHERE used IS NULL",
            "CREATE INDEX invitations_list_used ON invitations (created, id) WHERE used IS NOT NULL",
        ])
}
