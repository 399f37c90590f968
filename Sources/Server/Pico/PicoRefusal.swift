/// Why an act on wallets that sign in is refused.
enum PicoRefusal: Error, Equatable {
    /// No wallet of this account, no code that counts, or not the secret of it.
    case notFound
    case tooManyWallets
    /// The passkey that began the session is gone, so nothing would end a wallet that it pairs.
    case passkeyRemoved
}

extension PicoRefusal: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound)
        case .tooManyWallets:
            Problem(
                .conflict, "An account has at most \(Limits.picoWallets) wallets that sign it in. Remove one first.")
        case .passkeyRemoved:
            Problem(.conflict, "The passkey that began this session was removed. Sign in again to pair a wallet.")
        }
    }
}
