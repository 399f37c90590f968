/// So many places, of all and of each: one that nobody holds any more is free again.
final class Places: Sendable {
    /// One of them.
    final class Place: Sendable {
        private let taken: UnderWay
        private let owner: String

        fileprivate init(_ taken: UnderWay, _ owner: String) { (self.taken, self.owner) = (taken, owner) }

        deinit { taken.end(owner) }
    }

    private let together: Int
    private let ofEach: Int
    private let taken = UnderWay()

    init(_ together: Int, ofEach: Int) { (self.together, self.ofEach) = (together, ofEach) }

    /// A place, or `nil` when all are taken, or as many as one may have.
    func take(for owner: String) -> Place? {
        taken.begin(owner, ofEach: ofEach, together: together) ? Place(taken, owner) : nil
    }
}
