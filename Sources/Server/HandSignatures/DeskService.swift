import CryptoProvider
import Encodings
import Interface
import Storage

/// The desk at a glance, and what the organisation allows there.
struct DeskService {
    let environment: Environment

    /// Days that the overview counts.
    private static let days: Int64 = 30
    private static let day: Int64 = 86_400

    /// What is counted over all there ever was.
    private struct Totals: Sendable {
        let clients: Int64
        let signings: Int64
    }
    private let recent = RecentFigures<Totals>()

    /// Today, the last days and the latest transactions; totals may be as old as a minute where there are very many.
    func overview() async throws -> DeskOverview {
        let now = environment.now()
        let today = now / Self.day
        let first = (today - Self.days + 1) * Self.day
        let totals = try await recent.get(now: now, rows: { max($0.clients, $0.signings) }) {
            try await environment.database.read { transaction in
                Totals(
                    clients: try ClientStore(transaction: transaction).count(),
                    signings: try SigningStore(transaction: transaction).count(since: 0))
            }
        }
        return try await environment.database.read { transaction in
            let store = SigningStore(transaction: transaction)
            let counts = try store.days(since: first)
            let days = (today - Self.days + 1...today).map { day in
                DeskOverview.Day(
                    day: day * Self.day, confirmed: counts[day]?.confirmed ?? 0, refused: counts[day]?.refused ?? 0)
            }
            let latest = try SigningListStore(transaction: transaction).page(
                .all, .init(), ListRequest(limit: 10), now: now
            ).rows
            return DeskOverview(
                clients: totals.clients,
                documents: try WorkspaceStore(transaction: transaction).count(),
                operators: try OperatorListStore(transaction: transaction).countOperators(),
                signings: totals.signings, today: try store.count(since: today * Self.day), days: days,
                latest: latest.map { Signing($0, now: now) })
        }
    }

    func settings() async throws -> DeskSettings {
        Self.describe(try await environment.database.read { try DeskStore(transaction: $0).settings() })
    }

    /// Changes what desks may do; who allowed what, and when, is in the log.
    func change(_ request: DeskSettings, _ principal: Principal) async throws -> DeskSettings {
        let now = environment.now()
        let (settings, index) = try await environment.database.write { transaction in
            let store = DeskStore(transaction: transaction)
            var settings = try store.settings()
            settings.learns = request.learns
            settings.takesPlace = request.takesPlace
            settings.takesPhotographs = request.takesPhotographs
            try store.set(settings)
            let index = try environment.log.record(
                TrustEvent(
                    .deskChanged, account: principal.account,
                    [
                        ("by", .text(principal.account)), ("learns", .bool(settings.learns)),
                        ("takes_photographs", .bool(settings.takesPhotographs)),
                        ("takes_place", .bool(settings.takesPlace)),
                    ]),
                in: transaction, now: now)
            return (settings, index)
        }
        var changed = Self.describe(settings)
        changed.receipt = try await environment.log.receipt(index)
        return changed
    }

    /// Takes the public half of a forensic key: later movements are sealed to it, earlier ones stay as they are.
    func setForensicKey(_ request: ForensicKey, _ principal: Principal) async throws -> Acknowledgement {
        guard let key = DeviceProof.key(request.key) else {
            throw HandSignatureError.invalid("key: a P-256 point, as 'countersign admin forensic make' prints it.")
        }
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let store = DeskStore(transaction: transaction)
            var settings = try store.settings()
            settings.forensicKey = request.key
            try store.set(settings)
            return try environment.log.record(
                TrustEvent(
                    .forensicKeySet, account: principal.account, [("key", .text(key.thumbprint.base64URL))]),
                in: transaction, now: now)
        }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    private static func describe(_ settings: DeskStore.Settings) -> DeskSettings {
        DeskSettings(
            learns: settings.learns, takesPlace: settings.takesPlace, takesPhotographs: settings.takesPhotographs,
            hasForensicKey: settings.forensicKey != nil)
    }
}
