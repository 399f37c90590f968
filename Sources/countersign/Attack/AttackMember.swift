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

    /// What the member had before the attack.
    struct Before: Sendable {
        let settings: ApprovalSettings
        /// The ids of the devices.
        let devices: Set<String>
    }

    /// Makes room in the budget, and says what there was.
    func prepare() async throws -> Before {
        let before = Before(
            settings: try await client.approvalSettings(), devices: Set(try await client.approvalDevices().map(\.id)))
        _ = try await client.setApprovalBudget(ApprovalBudget(perService: 60, together: 240))
        return before
    }

    /// Removes what the attack has enrolled, and sets the budget back.
    func tidy(_ before: Before) async throws {
        // A server that lists a device twice is left clean, too.
        var kept = before.devices
        for device in try await client.approvalDevices() where kept.insert(device.id).inserted {
            guard device.name == "countersign attack" || device.confirmation.isEmpty else { continue }
            _ = try await client.removeApprovalDevice(device)
        }
        _ = try await client.setApprovalBudget(
            ApprovalBudget(perService: before.settings.perService, together: before.settings.together))
    }
}
