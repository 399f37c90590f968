/// The rows of vaults in a server's database that the hammer's rules check.
struct HammerVaultTables: Sendable {
    /// A file or folder.
    struct File: Sendable {
        let compartment: String
        let isRemoved: Bool
    }

    /// A way in that is stored: what a recovery key opens.
    struct Slot: Sendable {
        let account: String
        let sealed: String
    }

    /// A file in an inbox.
    struct Drop: Sendable {
        /// None once the content is gone.
        let content: String?
    }

    /// What the guard keeps of an account's four PIN slots.
    struct Guard: Sendable {
        /// How many tries stand against each; `nil` for one that is destroyed.
        let counts: [Int?]
        /// What is sealed in each; `nil` for one that is destroyed.
        let sealed: [String?]
    }

    /// The accounts that have one.
    var vaults: Set<String> = []
    /// What compartments say that they have: bytes, and items that are not removed.
    var compartments: [String: (bytes: Int64, nodes: Int64)] = [:]
    /// By their ids.
    var files: [String: File] = [:]
    /// Bytes of metadata and of contents, uploads under way included, by compartment.
    var bytes: [String: Int64] = [:]
    /// What lies in inboxes, by its ids.
    var drops: [String: Drop] = [:]
    /// The accounts that may do something in a compartment of somebody else.
    var members: [String: Set<String>] = [:]
    /// Contents that a version or an inbox has, and how many bytes of each are missing.
    var missing: [String: Int64] = [:]
    /// Contents that a version has, and that lie elsewhere or wait for one; and those that have none and do not wait.
    var astray: [String] = []
    /// The sizes of parts, by their blobs.
    var blobs: [String: Int64] = [:]
    /// By their ids.
    var slots: [String: Slot] = [:]
    /// By account; none where the guard has no file, or one that cannot be read.
    var guards: [String: Guard] = [:]
}
