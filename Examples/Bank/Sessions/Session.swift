/// A browser's session, before and after somebody signs in.
struct Session: Sendable {
    /// What every form of its pages carries.
    let csrf = Secret.token()
    /// What the approval server calls this browser: never the cookie.
    let browser = Secret.token()
    /// Who is signed in.
    var username: String?
    var confirmation: Confirmation?
    /// A transfer that was typed, and is shown before it is confirmed.
    var draft: Transfer?
    /// When the page was opened on which the person began.
    var opened = ContinuousClock.now
    /// What the old factor has allowed: setting up another.
    var permission: Permission?
    /// The enrolment of a wallet, once the old factor has allowed it.
    var enrolment: String?
    /// The secret of an authenticator app, until its first code proves that the app has it.
    var authenticator: Authenticator?
    /// Shown once, on the next page.
    var message: String?
    var used: Int64

    init(at time: Int64) { used = time }

    /// Seconds without a request until it is over.
    static let patience: Int64 = 1_800
}

/// The factor that somebody has allows another to be set up: for some minutes, and until it is changed.
struct Permission: Sendable {
    /// How often the customer had changed the factor when it was given.
    let changes: Int
    /// Seconds since 1970.
    let expires: Int64

    /// Seconds for which it holds.
    static let patience: Int64 = 600
}
