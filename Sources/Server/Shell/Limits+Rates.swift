// How often things may be done.
extension Limits {
    /// A token bucket: `burst` at once, then `perMinute`.
    package struct Rate: Sendable, Equatable {
        /// Names the bucket in keys and metrics.
        package let name: String
        /// How many at once.
        package let burst: Double
        /// How many in each further minute.
        package let perMinute: Double

        /// Reading what is public.
        package static let reading = Rate(name: "reading", burst: 300, perMinute: 1_200)
        /// Pages and the many small files that each loads: a whole office may be behind one address.
        package static let page = Rate(name: "page", burst: 6_000, perMinute: 24_000)
        /// Errors shown as pages.
        package static let problemPage = Rate(name: "problem-page", burst: 60, perMinute: 120)
        /// Looking something up on another server: one of ours asks it.
        package static let lookup = Rate(name: "lookup", burst: 20, perMinute: 20)
        /// A challenge, a share link's code, set-up: cheap to ask, worth guessing at.
        package static let asking = Rate(name: "asking", burst: 60, perMinute: 120)
        /// Signing in, by address: a household or a small office behind one.
        package static let signIn = Rate(name: "sign-in", burst: 30, perMinute: 20)
        /// Signing in without the proof of a registered device, by account name and network, whether or not it exists.
        package static let signInByAccount = Rate(name: "sign-in-account", burst: 10, perMinute: 5)
        /// The same from all networks together.
        package static let signInByName = Rate(name: "sign-in-name", burst: 100, perMinute: 20)
        /// Signing in with the proof of a registered device, by device: no stranger can use it up.
        package static let signInByDevice = Rate(name: "sign-in-device", burst: 10, perMinute: 5)
        /// Confirming that the person is there, by account.
        package static let confirming = Rate(name: "confirming", burst: 60, perMinute: 60)
        /// Wrong characters of a check, by the administrator who typed them: after ten, one in the life of a code.
        package static let typedCode = Rate(name: "typed-code", burst: 10, perMinute: 0.2)
        /// The same by address: an office of administrators behind one.
        package static let typedCodeByAddress = Rate(name: "typed-code-address", burst: 30, perMinute: 1)
        /// Devices that ask to be added, by address.
        package static let pairing = Rate(name: "pairing", burst: 20, perMinute: 10)
        /// Devices that ask to be added, by account name, whether or not it exists.
        package static let pairingByAccount = Rate(name: "pairing-account", burst: 10, perMinute: 5)
        /// New accounts by one address.
        package static let signUp = Rate(name: "sign-up", burst: 60, perMinute: 20)
        /// Session tokens that were not accepted.
        package static let badToken = Rate(name: "bad-token", burst: 60, perMinute: 60)
        /// Codes that are sent to e-mail addresses for one account, confirmed and removed or not: three, and then one in
        /// eight hours.
        package static let codesForAccount = Rate(
            name: "codes-for-account", burst: Double(emailCodes), perMinute: Double(emailCodes) / 1_440)
        /// Codes that are sent to one e-mail address, anyone who asks: three, and then one in eight hours.
        package static let codesToAddress = Rate(
            name: "codes-to-address", burst: Double(emailCodes), perMinute: Double(emailCodes) / 1_440)
        /// Codes that are sent to all e-mail addresses: so many in an hour.
        package static let codesByServer = Rate(name: "codes-by-server", burst: 300, perMinute: 5)
        /// Changes of how often services may ask, by account: each is an entry of the log for ever.
        package static let budgetChange = Rate(name: "budget-change", burst: 20, perMinute: 1)
        /// Ends of a freeze, by account: so each freeze counts too, and none is ever refused.
        package static let unfreezing = Rate(name: "unfreezing", burst: 20, perMinute: 1)
        /// Recovery codes made and waits begun, by account: so each end of a wait counts too, and none is refused.
        package static let recoveryChange = Rate(name: "recovery-change", burst: 20, perMinute: 1)
        /// Requests of new devices for an older one's word, by account: each is told on every way.
        package static let handoverRequest = Rate(name: "handover-request", burst: 20, perMinute: 1)
        /// KiB of long questions, by service, each kept for 90 days: 32 MiB at once, and then 84 MiB a day.
        package static let longQuestions = Rate(name: "long-questions", burst: 32_768, perMinute: 60)
        /// Answers to questions that were malformed or not validly signed, by address.
        package static let badAnswer = Rate(name: "bad-answer", burst: 60, perMinute: 120)
        /// The same of version 1.
        package static let badReply = Rate(name: "bad-reply", burst: 60, perMinute: 120)
        /// Everything at channels of the rendezvous, by address: a run takes eight requests, and waiting one in 40 seconds.
        package static let rendezvous = Rate(name: "rendezvous", burst: 600, perMinute: 3_000)
        /// Codes to sign in with, by address.
        package static let picoSignIn = Rate(name: "pico-sign-in", burst: 60, perMinute: 60)
        /// Tries at PINs of vaults, by device, or by session without one: each vault's guard counts beside this.
        package static let vaultTry = Rate(name: "vault-try", burst: 32, perMinute: 4)
        /// The same by address: an office behind one.
        package static let vaultTryByAddress = Rate(name: "vault-try-address", burst: 120, perMinute: 30)
        /// Looking somebody up who has a vault, by account.
        package static let vaultRecipient = Rate(name: "vault-recipient", burst: 20, perMinute: 2)
        /// Feedback, by account: five messages, and then one in twelve minutes.
        package static let feedback = Rate(name: "feedback", burst: 5, perMinute: 5.0 / 60)
        /// Everything that another program does with its API key.
        package static let program = Rate(name: "program", burst: 1_200, perMinute: 12_000)
        /// Everything that an account does with a session.
        package static let account = Rate(name: "account", burst: 600, perMinute: 3_000)
    }
}
