import Encodings
import Wallet

/// What all attacks begin with: two users of the service, each with an app of version 1.
struct AttackStage: Sendable {
    let site: AttackSite
    let member: AttackMember?
    let alice: String
    let mallory: String
    /// Alice's app, and mallory's.
    let app: AttackApp
    let other: AttackApp
    /// Whether a wallet had to agree to each app.
    let asksWallet: Bool

    /// - Parameter alice: a user for whom the member's wallet is enrolled.
    /// - Throws: `AttackTrouble` when the installation enrols no app, or none without a wallet; `originalOff` when the
    ///   service does not speak version 1.
    static func prepare(_ site: AttackSite, _ member: AttackMember?, alice: String) async throws -> AttackStage {
        let mallory = "mallory-\(AttackSite.randomText())"
        let (app, other) = (try AttackApp(), try AttackApp())
        _ = try await enrol(app, alice, site, member)
        if let member { try await member.enrol(mallory, at: site) }
        let asksWallet = try await enrol(other, mallory, site, member)
        return AttackStage(
            site: site, member: member, alice: alice, mallory: mallory, app: app, other: other, asksWallet: asksWallet)
    }

    /// Enrols an app as a person would, with as many steps as the server asks for.
    ///
    /// - Returns: whether a wallet had to agree.
    static func enrol(
        _ app: AttackApp, _ user: String, _ site: AttackSite, _ member: AttackMember?
    ) async throws -> Bool {
        let begun = try await site.begin(user)
        try await answer(begun.challenge, app, site)
        var state = try await site.enrolment(begun.id)
        if state.state == "taken" {
            try await answer(try AttackSite.Challenge(link: state.link), app, site)
            state = try await site.enrolment(begun.id)
        }
        guard state.state == "proven" else {
            guard state.state == "completed" else {
                throw AttackTrouble(words: "a valid enrolment ends as \(state.state)")
            }
            return false
        }
        guard let member else { throw AttackTrouble(words: "a wallet has to agree: name one with --wallet") }
        try await member.agree(to: begun.id, at: site)
        state = try await site.enrolment(begun.id)
        guard state.state == "completed" else {
            throw AttackTrouble(words: "an enrolment to which the wallet agreed ends as \(state.state)")
        }
        return true
    }

    private static func answer(
        _ challenge: AttackSite.Challenge, _ app: AttackApp, _ site: AttackSite
    ) async throws {
        let answer = try await site.callback(try app.reply(challenge.fields))
        guard answer.isSuccess else { throw answer.trouble("refuses a valid enrolment") }
    }
}
