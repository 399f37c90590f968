/// The rows of the desk in a server's database that the hammer's rules check.
struct HammerDeskTables: Sendable {
    struct Client: Sendable {
        let id: String
        let familyName: String
        let isErased: Bool
        /// Whether there are sealed details.
        let hasDetails: Bool
    }

    /// What was done with a client.
    struct Act: Sendable {
        let client: String
        let kind: String
        let template: String
        let entry: Int64
    }

    struct Signing: Sendable {
        let id: String
        let client: String
        let state: String
        let digest: String
        let hasEvidence: Bool
        let hasDecision: Bool
        let entry: Int64?
    }

    /// A document of the workspace.
    struct Text: Sendable {
        let id: String
        let version: Int64
        let isDeleted: Bool
    }

    var clients: [Client] = []
    /// The template's id by the client's.
    var templates: [String: String] = [:]
    var acts: [Act] = []
    var signings: [Signing] = []
    /// The sealed blobs of signed documents by their digests.
    var files: [String: String] = [:]
    var texts: [Text] = []
    /// Usernames of those who may not sign in.
    var blocked: Set<String> = []
}
