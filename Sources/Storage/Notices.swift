/// Short messages between the processes that share a database.
///
/// For news that is welcome early and found out in time anyway. A process that is cut off from the database hears
/// nothing until it is connected again, and is then told that it may have missed something.
package protocol Notices: Sendable {
    /// Tells all other processes, in the order of the calls, without waiting for them.
    ///
    /// - Parameter message: at most `NoticeLimits.message` bytes; a longer one is not sent.
    func send(_ message: String)

    /// The notices that the others send from now on, until the stream is released.
    func arrivals() -> AsyncStream<NoticeArrival>
}

/// What comes from the other processes.
package enum NoticeArrival: Sendable, Equatable {
    /// One of them sent this.
    case message(String)
    /// Something may have been missed.
    case interrupted
}

/// What a message may be.
package enum NoticeLimits {
    /// Bytes: PostgreSQL takes 8,000, with the sender's name.
    package static let message = 7_900
}
