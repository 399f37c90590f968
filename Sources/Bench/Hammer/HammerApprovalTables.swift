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

    /// By their ids.
    var devices: [String: Device] = [:]
    /// By their ids.
    var questions: [String: Question] = [:]
    var answers: [Answer] = []
    /// From when on each recovery code works, by account.
    var codes: [String: [Int64]] = [:]
    /// The accounts that no service may ask.
    var frozen: Set<String> = []
}
