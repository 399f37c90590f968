import Interface

/// One kind of way: how a notice gets there.
protocol NotificationSender: Sendable {
    /// Sends one notice; whatever goes wrong is an outcome.
    func send(_ notice: OutgoingNotice) async -> NotificationOutcome
}

/// A notice with everything that sending it needs.
struct OutgoingNotice: Sendable {
    let item: NotificationOutboxStore.Stored
    let kind: NotificationKind
    /// The language of the account.
    let words: NotificationWords
    let now: Int64
}

/// What came of a notice.
enum NotificationOutcome: Sendable, Equatable {
    /// It was taken.
    case delivered
    /// The way is no more: nobody will ever take anything there.
    case gone
    /// It was refused for good.
    case refused(String)
    /// It may be taken later, not before so many seconds if the other side has said so.
    case later(String, after: Int64?)
}
