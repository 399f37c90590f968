import Synchronization

/// Lets one request at a time wait for a wallet.
final class PicoPlace: Sendable {
    private let taken = Atomic(false)

    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// - Throws: `Problem` `conflict`.
    func take() throws(Problem) {
        guard !taken.exchange(true, ordering: .acquiringAndReleasing) else {
            throw Problem(.conflict, "Another request waits for this already.")
        }
    }

    func leave() { taken.store(false, ordering: .releasing) }
}
