/// The rows of approvals in a server's database that the hammer's rules check.
struct HammerApprovalTables: Sendable {
    struct Device: Sendable {
        let publicKey: String
        let isRemoved: Bool
    }

    struct Question: Sendable {
        let state: String
        /// Whether the time of the decision and the service's signature over it are there.
        let isDecided: Bool
        /// How many have to allow, as its signed words say; 0 if they cannot be read.
        let need: Int
    }

    /// A question of version 1.
    struct Original: Sendable {
        let state: String
        /// Of the app that allowed.
        let publicKey: String?
        let entry: Int64?
    }

    /// What an account answered.
    struct Answer: Sendable {
        let question: String
        /// `allow` or `deny`.
        let decision: String
        /// What a denial ends: `request`, `service-for-an-hour` or `account`.
        let scope: String?
        let device: String
        /// Whose answer it is.
        let account: String
        let entry: Int64
    }

    /// A service's offer to enrol a device.
    struct Offer: Sendable {
        let state: String
        /// The key of the device that took it, as its message says.
        let key: String?
        /// The key of the older device whose word that message has.
        let voucher: String?
        let handover: Handover
    }

    /// What a new device asks of an older one before it takes an offer; nothing if it does not ask.
    struct Handover: Sendable {
        var state: String?
        /// The new device's key.
        var key: String?
        /// The older one's key, once it looks at it.
        var by: String?
        /// Its signature.
        var word: String?
    }

    /// The wait of an account whose approvers are said to be lost.
    struct Wait: Sendable {
        let account: String
        /// The account's device that began it.
        let device: String
        let started: Int64
        let opens: Int64
        let closes: Int64
    }

    /// By their ids.
    var devices: [String: Device] = [:]
    /// By their ids.
    var offers: [String: Offer] = [:]
    /// By their ids.
    var questions: [String: Question] = [:]
    var answers: [Answer] = []
    /// What was asked in version 1, by its number.
    var originals: [String: Original] = [:]
    /// The apps of version 1 that answer, by their keys, and whether they were removed.
    var apps: [String: Bool] = [:]
    /// The questions about apps that were enrolled, with the keys of these.
    var enrolled: [String: String] = [:]
    /// The ids of services that may speak version 1.
    var speaking: Set<String> = []
    /// From when on each recovery code works, by account.
    var codes: [String: [Int64]] = [:]
    var waits: [Wait] = []
    /// The types of the entries about waits, in the log's order, by account.
    var waitEntries: [String: [String]] = [:]
    /// The accounts that no service may ask.
    var frozen: Set<String> = []
}
