import Synchronization

/// The values last found under keys, remembered until anything at all is stored.
///
/// Most requests ask for the same few rows again: whose session it is, and that account. A commit invalidates
/// everything that was remembered before its caller hears of it, so nobody reads an old value after a write was
/// answered.
final class PointReads: Sendable {
    private struct State {
        var version = 0
        var values: [String: any Sendable] = [:]
    }

    private static let limit = 10_000
    private let state = Mutex(State())

    /// - Parameter version: the database's, as it is now.
    /// - Returns: `nil` when nothing is remembered; what is remembered may itself be that there is no such row.
    func find<T>(_ key: String, version: Int) -> T? {
        state.withLock { state in
            // First whether there is one: no value at all would be cast to the optional `T` that means no row.
            guard state.version == version, let value = state.values[key] else { return nil }
            return value as? T
        }
    }

    /// - Parameter version: the database's, as it was before the value was read.
    func insert(_ value: some Sendable, _ key: String, version: Int) {
        state.withLock { state in
            guard version >= state.version else { return }
            if version > state.version || state.values.count >= Self.limit { state.values = [:] }
            state.version = version
            state.values[key] = value
        }
    }
}
