import HTTPTypes
import Interface

/// Enrolment of devices at services: the service's side, and the member's.
struct ApprovalEnrolmentRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addServices(to: &routes)
        addMembers(to: &routes)
    }

    private func addServices(to routes: inout RouteTable) {
        let offering = ApprovalOffering(environment: environment)
        let keys = ApprovalServiceAuthenticator(environment: environment)
        routes.program(
            .post, "/api/service/enrolments", "Begin to enrol a device of one of the service's users", by: keys,
            takes: NewApprovalEnrolment.self, answers: ApprovalEnrolment.self, status: .created, problems: [.conflict]
        ) { request, _, program in try await offering.begin(request, program) }
        routes.program(
            .get, "/api/service/enrolments/{id}", "Where an enrolment stands, and its code", by: keys,
            answers: ApprovalEnrolment.self, problems: [.notFound]
        ) { call, program in try await offering.find(try call.parameter("id"), program) }
        routes.program(
            .post, "/api/service/enrolments/{id}/confirm", "Both screens showed the same code: the device is enrolled",
            by: keys, takes: ApprovalEnrolmentConfirmation.self, answers: ApprovalEnrolment.self,
            problems: [.notFound, .conflict, .gone, .wrongCode]
        ) { request, call, program in try await offering.confirm(try call.parameter("id"), request, program) }
        routes.program(
            .post, "/api/service/enrolments/{id}/end", "End an enrolment: the codes differ", by: keys,
            takes: ApprovalEnrolmentEnd.self, answers: ApprovalEnrolment.self, problems: [.notFound, .conflict, .gone]
        ) { request, call, program in try await offering.end(try call.parameter("id"), request, program) }
    }

    private func addMembers(to routes: inout RouteTable) {
        let taking = ApprovalTaking(environment: environment)
        routes.secured(
            .post, "/api/approvals/enrolments/{id}", "This device takes a service's offer", .answerServices,
            device: true, takes: TakenApprovalOffer.self, answers: MemberEnrolment.self,
            problems: [.notFound, .conflict, .gone, .wrongCode]
        ) { request, call, principal in try await taking.take(try call.parameter("id"), request, principal) }
        routes.secured(
            .get, "/api/approvals/enrolments/{id}", "Where an enrolment of your device stands", .answerServices,
            answers: MemberEnrolment.self, problems: [.notFound]
        ) { call, principal in try await taking.find(try call.parameter("id"), principal) }
        routes.secured(
            .get, "/api/approvals/devices", "Your devices that answer services", .answerServices,
            answers: Listing<ApprovalDevice>.self
        ) { _, principal in Listing(try await taking.devices(principal)) }
        routes.secured(
            .delete, "/api/approvals/devices/{id}", "Remove a device: its answers count no more", .answerServices,
            confirmed: true, answers: Acknowledgement.self, problems: [.notFound]
        ) { call, principal in try await taking.remove(try call.parameter("id"), principal) }
    }
}
