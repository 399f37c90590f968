import Encodings
import Interface
import Wallet

/// The wallet of a test member, which does what a person would do.
struct AttackMember: Sendable {
    let client: WalletClient

    /// Enrols the wallet for a user of the service.
    func enrol(_ user: String, at site: AttackSite) async throws {
        let begun = try await site.call(
            "POST", "/api/service/enrolments",
            .members([("user", .text(user)), ("session", .text(site.session))]))
        guard let link = begun.json?.text("link"), let id = begun.json?.text("id") else {
            throw begun.trouble("begins no enrolment of version 2")
        }
        let taken = try await client.takeOffer(link, name: "countersign attack")
        let confirmed = try await site.call(
            "POST", "/api/service/enrolments/\(id)/confirm",
            .members([("session", .text(site.session)), ("code", .text(taken.code))]))
        guard confirmed.status == 200 else { throw confirmed.trouble("confirms no enrolment") }
        _ = try await client.waitForConfirmation(taken)
    }

    /// Agrees to an app of version 1.
    func agree(to id: String, at site: AttackSite) async throws {
        let (question, code) = try await site.askWallet(id)
        _ = try await client.allow(try await client.question(question), code: code)
    }

    /// Makes room in the budget, and says what it was.
    func widenBudget() async throws -> ApprovalSettings {
        let settings = try await client.approvalSettings()
        _ = try await client.setApprovalBudget(ApprovalBudget(perService: 60, together: 240))
        return settings
    }

    /// Removes what the attack has enrolled, and sets the budget back.
    func tidy(since time: Int64, _ settings: ApprovalSettings?) async throws {
        // A server that lists a device twice is left clean, too.
        var removed: Set<String> = []
        for device in try await client.approvalDevices() where device.created >= time {
            guard device.name == "countersign attack" || device.confirmation.isEmpty,
                removed.insert(device.id).inserted
            else { continue }
            _ = try await client.removeApprovalDevice(device)
        }
        if let settings {
            _ = try await client.setApprovalBudget(
                ApprovalBudget(perService: settings.perService, together: settings.together))
        }
    }
}
