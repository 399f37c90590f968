import Synchronization

/// Places for requests with a body of up to 16 MiB, so that a few of them cannot fill the memory.
///
/// A request takes its place as soon as so much has come that other bodies may not hold, and gives it back when it is
/// answered. A place for what is only announced could be kept from others without sending anything.
package final class LargeBodies: Sendable {
    /// What is held of a body.
    enum Kind: Sendable {
        /// All of it.
        case whole
        /// A piece, which is stored before the next one is read.
        case inPieces
    }

    private let whole = UnderWay()
    private let inPieces = UnderWay()

    /// All places free.
    package init() {}

    /// How many places are taken.
    func count(_ kind: Kind) -> Int { kind == .whole ? whole.count : inPieces.count }

    /// The place of one request, not taken yet.
    func place(_ kind: Kind, for account: String) -> Place {
        switch kind {
        case .whole:
            Place(whole, account, ofEach: Limits.largeBodiesPerAccount, together: Limits.largeBodies)
        case .inPieces:
            Place(inPieces, account, ofEach: Limits.streamedBodiesPerAccount, together: Limits.streamedBodies)
        }
    }

    /// The place of one request.
    final class Place: Sendable {
        private let underWay: UnderWay
        private let account: String
        private let ofEach: Int
        private let together: Int
        private let isTaken = Mutex(false)

        fileprivate init(_ underWay: UnderWay, _ account: String, ofEach: Int, together: Int) {
            (self.underWay, self.account) = (underWay, account)
            (self.ofEach, self.together) = (ofEach, together)
        }

        /// Takes it, if it is not taken yet.
        ///
        /// - Throws: `Problem` `busy` when the account or everybody together has too many under way.
        func take() throws {
            let isOurs = isTaken.withLock { isTaken -> Bool in
                if !isTaken { isTaken = underWay.begin(account, ofEach: ofEach, together: together) }
                return isTaken
            }
            guard isOurs else {
                throw Problem(
                    .busy, "Too many documents are being sent at once. Try again in a moment.", retryAfter: 2)
            }
        }

        /// Gives it back, if it is taken.
        func giveBack() {
            let wasTaken = isTaken.withLock { isTaken -> Bool in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { underWay.end(account) }
        }
    }
}
