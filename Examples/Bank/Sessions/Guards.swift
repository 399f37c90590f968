/// Bounds guessing: how often a password or a code may be wrong, and how many messages a phone gets.
///
/// Only customers are remembered: names that nobody has push out nothing. Wrong passwords count for the address that they
/// come from: a stranger elsewhere keeps no customer out. What such a stranger finds out has a second factor behind it.
struct Guards: Sendable {
    /// Wrong ones in a row, and until when no further one is looked at.
    private struct Misses: Sendable { var (count, until) = (0, Int64.min) }

    private var passwords: [Place: Misses] = [:]
    private var codes: [String: Misses] = [:]
    private var messages: [String: [Int64]] = [:]

    /// Where a password is tried.
    struct Place: Hashable, Sendable {
        let username: String
        let address: String
    }

    /// How many places are remembered; beyond it a pause that is over is forgotten first, then all.
    static let mostPlaces = 10_000
    /// Wrong passwords until there is a pause, and its seconds.
    static let password = (misses: 5, pause: Int64(60))
    /// Wrong codes in all sessions together until there is a pause; each is twice as long as the one before, up to a day.
    static let code = (misses: 10, pause: Int64(900), longest: Int64(86_400))
    /// Messages to one customer in so many seconds.
    static let message = (most: 5, seconds: Int64(900))

    func checkPassword(_ place: Place, at now: Int64) throws(BankError) {
        guard (passwords[place]?.until ?? now) <= now else {
            throw .refused("Too many wrong passwords. Try again in a minute.")
        }
    }

    mutating func notePassword(_ place: Place, isRight: Bool, at now: Int64) {
        guard !isRight else { return passwords[place] = nil }
        if passwords.count >= Self.mostPlaces { passwords = passwords.filter { $0.value.until > now } }
        if passwords.count >= Self.mostPlaces { passwords = [:] }
        var misses = passwords[place] ?? Misses()
        misses.count += 1
        if misses.count.isMultiple(of: Self.password.misses) { misses.until = now + Self.password.pause }
        passwords[place] = misses
    }

    func checkCode(_ username: String, at now: Int64) throws(BankError) {
        guard let until = codes[username]?.until, until > now else { return }
        throw .refused("Too many wrong codes. Try again in \((until - now + 59) / 60) minutes.")
    }

    mutating func noteCode(_ username: String, isRight: Bool, at now: Int64) {
        guard !isRight else { return codes[username] = nil }
        var misses = codes[username] ?? Misses()
        misses.count += 1
        if misses.count.isMultiple(of: Self.code.misses) {
            let pauses = misses.count / Self.code.misses
            misses.until = now + min(Self.code.pause << min(pauses - 1, 16), Self.code.longest)
        }
        codes[username] = misses
    }

    /// Another message is to be sent.
    mutating func takeMessage(_ username: String, at now: Int64) throws(BankError) {
        let sent = (messages[username] ?? []).filter { now - $0 < Self.message.seconds }
        guard sent.count < Self.message.most else {
            throw .refused(
                "\(Self.message.most) codes were sent to your phone lately. Try again in a quarter of an hour.")
        }
        messages[username] = sent + [now]
    }
}
