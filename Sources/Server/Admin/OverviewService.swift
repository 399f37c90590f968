import Interface
import Storage

/// What administrators see of the organisation as a whole.
struct OverviewService {
    let environment: Environment
    private let recent = RecentFigures<Statistics>()

    /// How many there are of each kind: exact, or as old as a minute where there are very many.
    func statistics() async throws -> Statistics {
        try await recent.get(now: environment.now(), rows: { max($0.members, $0.issuedDocuments) }) {
            try await environment.database.read { try OverviewStore(transaction: $0).statistics() }
        }
    }

    /// The devices of one account, revoked ones too: how an administrator finds the one that was lost.
    func devices(of account: String) async throws -> [Device] {
        try await environment.database.read { transaction in
            guard try AccountStore(transaction: transaction).find(id: account) != nil else {
                throw AccountError.accountNotFound
            }
            return try DeviceStore(transaction: transaction).list(account: account)
        }
    }
}
