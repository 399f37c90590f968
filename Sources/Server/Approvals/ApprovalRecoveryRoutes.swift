import HTTPTypes
import Interface

/// The way back for members who have lost their devices.
struct ApprovalRecoveryRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let recovering = ApprovalRecovering(environment: environment)
        routes.secured(
            .get, "/api/approvals/recovery", "Your recovery codes that are left, and the waiting time that was begun",
            .answerServices, answers: ApprovalRecovery.self
        ) { _, principal in try await recovering.find(principal) }
        routes.secured(
            .post, "/api/approvals/recovery/codes", "Make recovery codes; those before end", .answerServices,
            confirmed: true, answers: ApprovalRecoveryCodes.self, status: .created
        ) { _, principal in try await recovering.makeCodes(principal) }
        routes.secured(
            .post, "/api/approvals/recovery", "You have lost your devices: begin to wait", .answerServices,
            confirmed: true, device: true, answers: ApprovalRecovery.self, status: .created, problems: [.conflict]
        ) { _, principal in try await recovering.begin(principal) }
        routes.secured(
            .delete, "/api/approvals/recovery", "End the waiting: any of your devices can", .answerServices,
            answers: ApprovalRecovery.self, problems: [.notFound]
        ) { _, principal in try await recovering.end(principal) }
    }
}
