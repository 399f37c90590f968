import HTTPTypes
import Interface

/// Version 1, the original's protocol, for services that an administrator lets speak it.
struct OriginalRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addAdministrators(to: &routes)
        addEnrolments(to: &routes)
        addChallenges(to: &routes)
        let answering = OriginalAnswering(environment: environment)
        routes.signedRaw(
            .post, "/api/authreq/callback", "Version 1: an app replies to a challenge", faults: .badReply,
            takes: "application/json", answers: "application/json"
        ) { call in try await answering.respond(call) }
    }

    private func addAdministrators(to routes: inout RouteTable) {
        let accepting = OriginalAccepting(environment: environment)
        routes.secured(
            .put, "/api/services/{id}/version-1", "Let a service speak version 1, or no longer", .manageServices,
            confirmed: true, takes: OriginalAcceptance.self, answers: ApprovalServiceChange.self,
            problems: [.notFound]
        ) { request, call, principal in try await accepting.set(try call.parameter("id"), request, principal) }
    }

    private func addEnrolments(to routes: inout RouteTable) {
        let enrolling = OriginalEnrolling(environment: environment)
        let keys = ApprovalServiceAuthenticator(environment: environment)
        routes.program(
            .post, "/api/service/authreq/enrolments", "Version 1: begin to enrol a user's app", by: keys,
            takes: NewOriginalEnrolment.self, answers: OriginalEnrolment.self, status: .created,
            problems: [.notFound, .conflict]
        ) { request, _, program in try await enrolling.begin(request, program) }
        routes.program(
            .get, "/api/service/authreq/enrolments/{id}", "Version 1: where an enrolment stands", by: keys,
            answers: OriginalEnrolment.self, problems: [.notFound]
        ) { call, program in try await enrolling.find(try call.parameter("id"), program) }
        routes.program(
            .post, "/api/service/authreq/enrolments/{id}/ask",
            "Version 1: ask the user's wallet whether the app may answer, too", by: keys,
            takes: ApprovalEnrolmentEnd.self, answers: OriginalEnrolment.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, program in try await enrolling.ask(try call.parameter("id"), request, program) }
        routes.program(
            .post, "/api/service/authreq/enrolments/{id}/end", "Version 1: end an enrolment", by: keys,
            takes: ApprovalEnrolmentEnd.self, answers: OriginalEnrolment.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, program in try await enrolling.end(try call.parameter("id"), request, program) }
    }

    private func addChallenges(to routes: inout RouteTable) {
        let asking = OriginalAsking(environment: environment)
        let keys = ApprovalServiceAuthenticator(environment: environment)
        routes.program(
            .post, "/api/service/authreq/challenges", "Version 1: ask a user's app", by: keys,
            takes: NewOriginalChallenge.self, answers: OriginalRequest.self, status: .created,
            problems: [.notFound, .conflict]
        ) { request, _, program in try await asking.ask(request, program) }
        routes.program(
            .get, "/api/service/authreq/challenges/{id}", "Version 1: where a challenge stands", by: keys,
            answers: OriginalRequest.self, problems: [.notFound, .invalidMember]
        ) { call, program in try await asking.find(try call.parameter("id"), program) }
        routes.program(
            .post, "/api/service/authreq/challenges/{id}/cancel", "Version 1: no longer ask", by: keys,
            answers: OriginalRequest.self, problems: [.notFound, .conflict, .gone, .invalidMember]
        ) { call, program in try await asking.cancel(try call.parameter("id"), program) }
        routes.program(
            .get, "/api/authreq/isSigned", "Version 1: whether a challenge was allowed", by: keys,
            query: [
                QueryParameter("message_id", "The number of the challenge."),
                QueryParameter("user", "Whom the service believes to have asked; another user's is not signed."),
            ], answers: OriginalSigned.self, problems: [.invalidMember]
        ) { call, program in
            try await asking.isSigned(call.query("message_id") ?? "", user: call.query("user"), program)
        }
    }
}
