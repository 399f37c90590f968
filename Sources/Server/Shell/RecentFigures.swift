import Synchronization

/// Figures that are counted at each look, or once a minute where there is so much that counting takes long.
final class RecentFigures<Figures: Sendable>: Sendable {
    /// Rows up to which counting is quick.
    private static var few: Int64 { 100_000 }
    /// Seconds for which figures about more rows than that are shown.
    private static var lifetime: Int64 { 60 }

    private let kept = Mutex<(figures: Figures, since: Int64)?>(nil)

    /// The figures, as old as a minute where they are about many rows.
    ///
    /// - Parameter rows: how many rows were counted for them.
    func get(
        now: Int64, rows: (Figures) -> Int64, count: () async throws -> Figures
    ) async throws -> Figures {
        if let kept = kept.withLock({ $0 }), (kept.since..<kept.since + Self.lifetime).contains(now) {
            return kept.figures
        }
        let figures = try await count()
        if rows(figures) > Self.few { kept.withLock { $0 = (figures, now) } }
        return figures
    }
}
