import Approvals
import Interface
import Wallet

/// A member of the load who wants no more questions: of any service, and of this one for an hour.
///
/// Nobody says that it was not them: then the service would have to wait, whatever is unfrozen.
struct HammerDenials: Sendable {
    let approvals: HammerApprovals
    let service: LoggedServiceKey
    let approver: HammerApprovals.Approver
    private var hand: HammerHand { approvals.office.hand }
    private var member: HammerPerson { approver.member }

    func live(_ dice: inout HammerDice) async throws {
        if dice.happens(60) { try await freeze(isDenial: dice.happens(50)) }
        // Afterwards the service can ask nothing.
        if dice.happens(60) { try await denyService() }
    }

    private func freeze(isDenial: Bool) async throws {
        let asked = try await approvals.ask("freezing", member, service)
        let waiting = try await approvals.ask("frozen", member, service)
        if isDenial {
            try await approvals.answer(asked, .deny(.mistake, .account), approver, .denyAll)
        } else {
            try await set(isFrozen: true)
        }
        try await demandQuiet(waiting, .freeze, refusal: "not_now")
        try await set(isFrozen: false)
        _ = try await approvals.ask("thawed", member, service)
    }

    private func set(isFrozen: Bool) async throws {
        try await hand.act(isFrozen ? .freeze : .unfreeze, by: member.username, subject: member.username) { server in
            let wallet = member.clients[server]
            let settings = try await (isFrozen ? wallet.freezeApprovals() : wallet.unfreezeApprovals())
            guard (settings.frozen != nil) == isFrozen else { throw WalletError.unexpectedAnswer("other settings") }
            return HammerHand.Done(value: ())
        }
    }

    private func denyService() async throws {
        let asked = try await approvals.ask("unwelcome", member, service)
        let waiting = try await approvals.ask("unwelcome too", member, service)
        try await approvals.answer(asked, .deny(.mistake, .service), approver, .denyService)
        try await demandQuiet(waiting, .denyService, refusal: "denied")
    }

    /// What waited has ended, and nothing more is asked.
    private func demandQuiet(
        _ waiting: SignedApprovalChallenge, _ kind: HammerAct.Kind, refusal: String
    ) async throws {
        try await hand.step(by: member.username, kind) { server in
            try await checkQuiet(waiting.challenge.id.hex, approvals.program(service, member, server), refusal)
        }
    }

    private func checkQuiet(_ waiting: String, _ program: ServerClient, _ refusal: String) async throws {
        let found: ServiceChallenge = try await program.get("/api/service/challenges/\(waiting)")
        guard found.state == .cancelled else { throw WalletError.unexpectedAnswer("a question that still waits") }
        do {
            let _: ServiceChallenge =
                try await program
                .post("/api/service/challenges", approvals.question("unwanted", [member]))
        } catch let problem as ProblemError where problem.problem.error == refusal {
            return
        }
        throw WalletError.unexpectedAnswer("a question that was not refused")
    }
}
