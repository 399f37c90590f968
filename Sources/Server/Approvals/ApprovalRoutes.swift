import HTTPTypes
import Interface

/// Questions and answers: the service's side, the member's, and the device's.
struct ApprovalRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        let memory = ApprovalMemory()
        addServices(to: &routes, memory)
        addMembers(to: &routes)
        let answering = ApprovalAnswering(environment: environment, memory: memory)
        routes.signed(
            .post, "/api/approvals/answers", "A device answers: its signature is all that is needed",
            faults: .badAnswer, takes: ApprovalMessage.self, answers: AnsweredChallenge.self,
            problems: [.notFound, .conflict, .gone, .wrongCode]
        ) { request, _ in try await answering.answer(request) }
    }

    private func addServices(to routes: inout RouteTable, _ memory: ApprovalMemory) {
        let asking = ApprovalAsking(environment: environment, memory: memory)
        let waiting = ApprovalWaiting(environment: environment)
        let keys = ApprovalServiceAuthenticator(environment: environment)
        routes.program(
            .post, "/api/service/challenges", "Ask for an approval, once for each idempotency key", by: keys,
            takes: NewApprovalChallenge.self, limit: .medium, answers: ServiceChallenge.self, status: .created,
            problems: [.conflict]
        ) { request, _, program in try await asking.ask(request, program) }
        routes.program(
            .get, "/api/service/challenges/{id}", "Where a request for approval stands", by: keys,
            query: [
                QueryParameter("wait", "Seconds to wait while it is pending, 0 to \(Limits.approvalWait)."),
                QueryParameter("user", "Whom the service believes to have asked; a request to others is not found."),
            ], answers: ServiceChallenge.self, problems: [.notFound]
        ) { call, program in
            let seconds = call.query("wait").map { Int64($0) } ?? 0
            guard let seconds, (0...Limits.approvalWait).contains(seconds) else {
                throw Problem(.badRequest, "wait: 0 to \(Limits.approvalWait) seconds.")
            }
            return try await waiting.find(
                try call.parameter("id"), user: call.query("user"), program, seconds: seconds)
        }
        routes.program(
            .post, "/api/service/challenges/{id}/cancel", "No longer ask", by: keys, answers: ServiceChallenge.self,
            problems: [.notFound, .conflict, .gone]
        ) { call, program in try await asking.cancel(try call.parameter("id"), program) }
        routes.program(
            .get, "/api/service/challenges/{id}/receipt", "What proves the decision to anybody", by: keys,
            answers: ApprovalReceiptFile.self, problems: [.notFound]
        ) { call, program in try await asking.receipt(try call.parameter("id"), program) }
    }

    private func addMembers(to routes: inout RouteTable) {
        let inbox = ApprovalInbox(environment: environment)
        routes.secured(
            .get, "/api/approvals/challenges", "What waits for your answer", .answerServices,
            answers: Listing<MemberChallenge>.self
        ) { _, principal in Listing(try await inbox.pending(principal)) }
        routes.secured(
            .get, "/api/approvals/challenges/{id}", "What you are or were asked, with its signed words",
            .answerServices, answers: MemberChallenge.self, problems: [.notFound]
        ) { call, principal in try await inbox.find(try call.parameter("id"), principal) }
        routes.secured(
            .put, "/api/approvals/challenges/{id}/discard",
            "Put a question aside unanswered; the service learns nothing",
            .answerServices, answers: MemberChallenge.self, problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await inbox.discard(try call.parameter("id"), true, principal) }
        routes.secured(
            .delete, "/api/approvals/challenges/{id}/discard", "Bring back a question that you have put aside",
            .answerServices, answers: MemberChallenge.self, problems: [.notFound, .conflict, .gone]
        ) { call, principal in try await inbox.discard(try call.parameter("id"), false, principal) }
        routes.secured(
            .get, "/api/approvals/challenges/{id}/receipt", "What proves the decision to anybody", .answerServices,
            answers: ApprovalReceiptFile.self, problems: [.notFound]
        ) { call, principal in try await inbox.receipt(try call.parameter("id"), principal) }
        routes.secured(
            .get, "/api/approvals/settings", "How often services may ask you", .answerServices,
            answers: ApprovalSettings.self
        ) { _, principal in try await inbox.settings(principal) }
        routes.secured(
            .put, "/api/approvals/settings", "Change how often services may ask you; to raise it takes a confirmation",
            .answerServices, takes: ApprovalBudget.self, answers: ApprovalSettings.self,
            problems: [.confirmationRequired]
        ) { request, _, principal in try await inbox.setBudget(request, principal) }
        routes.list(
            "/api/approvals/history", "What services asked you, newest first", .answerServices, file: "approvals",
            of: MemberChallenge.self, parts: ApprovalHistoryStore.Part.names
        ) { request, call, principal in
            try await inbox.history(principal, try call.listPart(ApprovalHistoryStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .put, "/api/approvals/freeze", "Let no service ask you; what waits is ended", .answerServices,
            answers: ApprovalSettings.self
        ) { _, principal in try await inbox.freeze(principal) }
        routes.secured(
            .delete, "/api/approvals/freeze", "Let services ask you again", .answerServices, confirmed: true,
            answers: ApprovalSettings.self
        ) { _, principal in try await inbox.unfreeze(principal) }
    }
}
