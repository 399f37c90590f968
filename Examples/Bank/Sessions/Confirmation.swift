import CountersignService

/// Something that waits for a second factor: of one session and one customer, and done once.
struct Confirmation: Sendable {
    /// What is done then.
    enum Act: Sendable {
        case signIn
        case transfer(Transfer)
        /// Another factor is to be set up.
        case change(Factor)
    }

    /// How the person shows that it is them.
    enum Challenge: Sendable {
        case approval(Approval, Question)
        case sms(String)
        case card(Card.Input)
        case totp
        case nothing

        /// Whether somebody could guess at it.
        var isCode: Bool {
            switch self {
            case .sms, .card, .totp: true
            case .approval, .nothing: false
            }
        }
    }

    let id: String
    let username: String
    let act: Act
    let factor: Factor
    /// How often the customer had changed the factor: what an older one confirms counts no more.
    let changes: Int
    let challenge: Challenge
    /// Seconds since 1970.
    let expires: Int64
    /// When the person began: before they typed anything.
    let begun: ContinuousClock.Instant
    var wrongTries = 0

    /// Wrong codes until it is over.
    static let tries = 3
}

/// How long sign-ins and transfers took.
struct Timing: Sendable {
    let factor: Factor
    let isSignIn: Bool
    let duration: Duration
}
