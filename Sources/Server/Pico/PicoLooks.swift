import Synchronization

/// Which codes members have looked at, before their wallets prove anything.
///
/// No message of the protocol says which code the wallet has read. Somebody else who has seen it could read the wallet's
/// messages out of its channel, and hand them on to a code of their own: its owner would look at one screen and sign in
/// another. So a wallet whose owner looks comes in only where they looked. Wallets that do not ask who asks, such as the
/// original's apps, come in as before.
final class PicoLooks: Sendable {
    private struct Look {
        let channel: String
        /// Of the page or wallet that showed it.
        let session: String
        /// In milliseconds, on the clock that is never set back.
        let end: Int64
    }

    /// How many of a session count: the newest.
    ///
    /// None of another session gives way to them.
    private static let most = 16

    /// By accounts.
    private let looks = Mutex<[String: [Look]]>([:])

    /// A member looks at a code.
    ///
    /// - Parameter session: theirs in which it is shown: nobody who has another of their sessions takes the look back by
    ///   looking at many codes.
    func note(_ account: String, _ session: String, at channel: String, uptime: Int64) {
        looks.withLock { looks in
            if looks.count >= Limits.picoRuns {
                looks = looks.filter { entry in entry.value.contains { $0.end > uptime } }
            }
            let known = (looks[account] ?? []).filter { $0.end > uptime }
            let own = known.filter { $0.session == session && $0.channel != channel }
            let look = Look(channel: channel, session: session, end: uptime + Limits.picoLookTime * 1_000)
            looks[account] = known.filter { $0.session != session } + (own + [look]).suffix(Self.most)
        }
    }

    /// A look is over: its member said no, or their wallet has come in.
    func forget(_ account: String, at channel: String) {
        looks.withLock { looks in
            let left = (looks[account] ?? []).filter { $0.channel != channel }
            looks[account] = left.isEmpty ? nil : left
        }
    }

    /// Whether a wallet of an account may come in through a channel: its owner has looked at that one, or lately at none.
    func allow(_ account: String, through channel: String, at uptime: Int64) -> Bool {
        looks.withLock { looks in
            let own = (looks[account] ?? []).filter { $0.end > uptime }
            return own.isEmpty || own.contains { $0.channel == channel }
        }
    }
}
