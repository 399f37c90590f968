/// The rows of vaults in a server's database that the hammer's rules check.
struct HammerVaultTables: Sendable {
    /// A file or folder.
    struct File: Sendable {
        let compartment: String
        let isRemoved: Bool
    }

    /// The accounts that have one.
    var vaults: Set<String> = []
    /// What compartments say that they have: bytes, and items that are not removed.
    var compartments: [String: (bytes: Int64, nodes: Int64)] = [:]
    /// By their ids.
    var files: [String: File] = [:]
    /// Bytes of metadata and of contents, uploads under way included, by compartment.
    var bytes: [String: Int64] = [:]
    /// Contents that a version has, and how many bytes of each are missing.
    var missing: [String: Int64] = [:]
    /// The sizes of parts, by their blobs.
    var blobs: [String: Int64] = [:]
}
