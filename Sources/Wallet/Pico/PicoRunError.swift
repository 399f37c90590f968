package import Pico

/// Why a run of Pico ended without success.
///
/// Nothing here holds a secret. The other side is never told which one it was.
package enum PicoRunError: Error, Equatable, Sendable {
    /// The other side's message is refused, or it refused us.
    case refused(PicoError)
    /// The other side did not answer in time.
    case noAnswer
    /// Somebody else reads or writes on the channel already.
    case channelTaken
    /// Somebody closed the channel.
    case channelClosed
    /// The rendezvous point does not answer; its host.
    case unreachable(String)
    /// The host answers something that no rendezvous point does.
    case noRendezvous(String)
    /// The task was cancelled.
    case cancelled
}
