/// Why the bank does not do what somebody asks, in words for them.
enum BankError: Error, Equatable {
    case refused(String)
    /// The session has nobody signed in.
    case signedOut
    /// A form came without the word that this session's pages have.
    case forged
}
