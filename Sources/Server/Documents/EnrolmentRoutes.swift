import HTTPTypes
import Interface

/// The face-to-face check, step by step.
struct EnrolmentRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let enrolments = EnrolmentService(environment: environment)
        let codes = TypedCodeService(environment: environment)
        routes.secured(
            .post, "/api/enrolments", "Open a face-to-face check", .proveIdentity, device: true,
            takes: EnrolmentRequest.self,
            answers: Enrolment.self, status: .created
        ) { request, _, principal in try await enrolments.open(request, principal) }
        routes.secured(
            .get, "/api/enrolments/{id}", "A face-to-face check, for its holder and administrators", .ownAccount,
            answers: Enrolment.self, problems: [.notFound]
        ) { call, principal in try await enrolments.find(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/enrolments/{id}/typed-code",
            "Eight characters that find your check, once, for five minutes; older ones end", .proveIdentity,
            device: true, answers: TypedCode.self, status: .created, problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await codes.make(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/typed-codes", "The check that a member's eight characters find", .identifyMembers,
            device: true, takes: TypedCodeEntry.self, answers: FoundCheck.self, problems: [.wrongCode]
        ) { request, call, principal in
            try await codes.find(
                request, principal, TypedCodeService.Limit(rates: call.shell.rates, address: call.address))
        }
        routes.secured(
            .post, "/api/enrolments/{id}/claim", "Take the member's code", .identifyMembers,
            device: true, takes: EnrolmentClaim.self, answers: Enrolment.self, problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await enrolments.claim(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/enrolments/{id}/answer", "Answer the administrator's nonce", .proveIdentity,
            device: true, takes: EnrolmentAnswer.self, answers: Enrolment.self, problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await enrolments.answer(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/enrolments/{id}/complete", "Vouch for the member and send the identity credential",
            .identifyMembers, device: true, takes: EnrolmentCompletion.self, limit: .document,
            answers: DocumentInfo.self,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await enrolments.complete(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/enrolments/{id}/abandon", "Give a check up", .ownAccount, answers: Enrolment.self,
            problems: [.notFound, .conflict]
        ) { call, principal in try await enrolments.abandon(try call.parameter("id"), principal) }
    }
}
