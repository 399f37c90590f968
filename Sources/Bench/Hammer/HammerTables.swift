/// The rows of a server's database that the hammer's rules check.
struct HammerTables: Sendable {
    struct Account: Sendable {
        let id: String
        let username: String
        let isVerified: Bool
    }

    struct Device: Sendable {
        let id: String
        let account: String
        let signingKey: String
        let isRevoked: Bool
    }

    struct Delegation: Sendable {
        let id: String
        let state: String
        /// base64url.
        let certificate: String
        let status: StatusPlace
    }

    struct Enrolment: Sendable {
        let id: String
        let state: String
        let holder: String
        let status: StatusPlace?
    }

    struct Request: Sendable {
        let id: String
        let state: String
        let member: String
        let administrator: String?
        let document: String?
    }

    struct Document: Sendable {
        let id: String
        let type: String
        let holder: String
        let credential: String
        let status: StatusPlace
        let blob: String
        let size: Int64
        let entry: Int64
        let isRevoked: Bool
        let isDeleted: Bool
    }

    struct Share: Sendable {
        let id: String
        let blob: String
        let views: Int64
        let isStopped: Bool
        /// Whether it can still be opened, apart from the time.
        let isOpen: Bool
    }

    /// A service that asks for approvals.
    struct Service: Sendable {
        let id: String
        let publicKey: String
        /// The digest of its API key; empty if it has none any more.
        let keyHash: String
        let isRotated: Bool
        let isRemoved: Bool
    }

    /// A place in a status list.
    struct StatusPlace: Hashable, Sendable {
        let list: Int64
        let position: Int64
    }

    /// An entry of the log, with what opens it.
    struct Entry: Sendable {
        let position: Int64
        let type: String
        /// Canonical JSON.
        let entry: String
        let record: String
    }

    var accounts: [Account] = []
    var devices: [Device] = []
    var invitations: Set<String> = []
    var delegations: [Delegation] = []
    var enrolments: [Enrolment] = []
    var requests: [Request] = []
    var documents: [Document] = []
    var shares: [Share] = []
    /// By their domains.
    var services: [String: Service] = [:]
    /// The accounts that have switched a kind of notice off.
    var muted: Set<String> = []
    /// The wallets that sign in with a scan.
    var wallets: Set<String> = []
    /// Vaults and what is in them.
    var vault = HammerVaultTables()
    /// The places that say revoked.
    var revokedPlaces: Set<StatusPlace> = []
    /// In the log's order.
    var entries: [Entry] = []
    /// How many of them are under the newest checkpoint.
    var sealed: Int64 = 0
    var desk = HammerDeskTables()
    var approvals = HammerApprovalTables()
}
