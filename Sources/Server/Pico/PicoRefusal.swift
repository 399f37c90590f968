/// Why an act on wallets that sign in is refused.
enum PicoRefusal: Error, Equatable {
    /// No wallet of this account, no code that counts, or not the secret of it.
    case notFound
    case tooManyWallets
}

extension PicoRefusal: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound)
        case .tooManyWallets:
            Problem(
                .conflict, "An account has at most \(Limits.picoWallets) wallets that sign it in. Remove one first.")
        }
    }
}
