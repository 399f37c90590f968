import HTTPTypes
import Interface

/// A new device asks the account's others for their word, and they answer.
struct ApprovalHandoverRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let handing = ApprovalHandingOver(environment: environment)
        routes.secured(
            .put, "/api/approvals/enrolments/{id}/handover", "This new device asks your others for their word",
            .answerServices, device: true, takes: NewApprovalHandover.self, answers: MemberEnrolment.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await handing.ask(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/approvals/enrolments/{id}/handover", "This new device asks no more", .answerServices,
            device: true, answers: MemberEnrolment.self, problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await handing.giveUp(try call.parameter("id"), principal) }
        routes.secured(
            .get, "/api/approvals/handovers", "New devices that wait for the word of one of your others",
            .answerServices, answers: Listing<ApprovalHandover>.self
        ) { _, principal in Listing(try await handing.waiting(principal)) }
        routes.secured(
            .post, "/api/approvals/handovers/{id}/claim", "This device is about to compare the digits",
            .answerServices, device: true, takes: ApprovalHandoverClaim.self, answers: ApprovalHandover.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await handing.claim(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/approvals/handovers/{id}/agree", "This device gives its word for the new one",
            .answerServices, device: true, takes: ApprovalHandoverWord.self, answers: ApprovalHandover.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await handing.agree(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/approvals/handovers/{id}/deny", "The new device is not to answer: any of your devices can",
            .answerServices, answers: ApprovalHandover.self, problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await handing.deny(try call.parameter("id"), principal) }
    }
}
