/// What confirms a sign-in or a transfer besides the password.
enum Factor: String, CaseIterable, Sendable {
    case approval, sms, card, totp, none

    var words: String {
        switch self {
        case .approval: "Approval in your wallet"
        case .sms: "Code by SMS"
        case .card: "Card reader"
        case .totp: "Authenticator app"
        case .none: "Nothing"
        }
    }
}
