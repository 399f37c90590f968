import Synchronization

/// So many places: each is free again when nobody holds it any more.
final class Places: Sendable {
    /// One of them.
    final class Place: Sendable {
        private let places: Places

        fileprivate init(_ places: Places) { self.places = places }

        deinit { places.giveBack() }
    }

    private let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// A place, or `nil` when all are taken.
    func take() -> Place? {
        let isFree = taken.withLock { taken -> Bool in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(self) : nil
    }

    private func giveBack() { taken.withLock { $0 -= 1 } }
}
