import HTTPTypes
import Interface

/// Services that ask for approvals, for administrators.
struct ApprovalServiceRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let registry = ApprovalServiceRegistry(environment: environment)
        routes.secured(
            .get, "/api/services", "The services that ask members for approvals", .manageServices,
            answers: Listing<ApprovalServiceInfo>.self
        ) { _, _ in Listing(try await registry.list()) }
        routes.secured(
            .post, "/api/services", "Add a service; its API key is shown this once", .manageServices, confirmed: true,
            takes: NewApprovalService.self, answers: ApprovalServiceKey.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await registry.add(request, principal) }
        routes.secured(
            .post, "/api/services/{id}/key", "Replace a service's API key; the old one ends at once", .manageServices,
            confirmed: true, answers: ApprovalServiceKey.self, problems: [.notFound]
        ) { call, principal in try await registry.rotate(try call.parameter("id"), principal) }
        routes.secured(
            .put, "/api/services/{id}/webhook", "Change where a service is told that something is over",
            .manageServices, confirmed: true, takes: ApprovalWebhook.self, answers: ApprovalServiceChange.self,
            problems: [.notFound]
        ) { request, call, principal in
            try await registry.setWebhook(try call.parameter("id"), request.url, principal)
        }
        routes.secured(
            .delete, "/api/services/{id}/webhook", "A service is told nothing any more", .manageServices,
            confirmed: true, answers: ApprovalServiceChange.self, problems: [.notFound]
        ) { call, principal in try await registry.setWebhook(try call.parameter("id"), nil, principal) }
        let quorum = ApprovalQuorumSetting(environment: environment)
        routes.secured(
            .put, "/api/services/{id}/quorum", "Say how many people have to approve what a service asks, by amount",
            .manageServices, confirmed: true, takes: ApprovalQuorum.self, answers: ApprovalServiceChange.self,
            problems: [.notFound]
        ) { request, call, principal in try await quorum.set(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/services/{id}/quorum", "Let a service decide how many people have to approve",
            .manageServices, confirmed: true, answers: ApprovalServiceChange.self, problems: [.notFound]
        ) { call, principal in try await quorum.set(try call.parameter("id"), nil, principal) }
        routes.secured(
            .delete, "/api/services/{id}", "Remove a service; it asks nothing any more", .manageServices,
            confirmed: true, answers: Acknowledgement.self, problems: [.notFound]
        ) { call, principal in try await registry.remove(try call.parameter("id"), principal) }
        routes.program(
            .get, "/api/service", "The service whose API key this is",
            by: ApprovalServiceAuthenticator(environment: environment), answers: ApprovalServiceInfo.self
        ) { _, program in try await registry.find(program) }
    }
}
