import Synchronization

/// What this process has under way at the moment, by whom it is for: somebody for whom it takes long takes nobody else's
/// place.
final class UnderWay: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// How much there is for somebody.
    func count(of receiver: String) -> Int { counts.withLock { $0[receiver] ?? 0 } }

    /// How many there are together.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    func begin(_ receiver: String) { counts.withLock { $0[receiver, default: 0] += 1 } }

    /// Begins, if there is room.
    ///
    /// - Parameters:
    ///   - ofEach: how many there may be for somebody.
    ///   - together: how many there may be for all.
    func begin(_ receiver: String, ofEach: Int, together: Int) -> Bool {
        counts.withLock { counts in
            guard counts[receiver, default: 0] < ofEach, counts.values.reduce(0, +) < together else { return false }
            counts[receiver, default: 0] += 1
            return true
        }
    }

    func end(_ receiver: String) {
        counts.withLock { counts in
            let left = (counts[receiver] ?? 1) - 1
            counts[receiver] = left > 0 ? left : nil
        }
    }
}
