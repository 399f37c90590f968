import HTTPTypes
import Interface

/// Requests for documents, from asking to the signed answer.
struct RequestRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addAsking(to: &routes)
        addHandling(to: &routes)
    }

    private func addAsking(to routes: inout RouteTable) {
        let requests = RequestService(environment: environment)
        routes.open(
            .get, "/api/catalogue", "The types of document that can be asked for", answers: Listing<DocumentType>.self
        ) { _ in Listing(Catalogue.types) }
        routes.secured(
            .post, "/api/requests", "Ask for a document", .requestDocuments, takes: NewDocumentRequest.self,
            answers: DocumentRequest.self, status: .created, problems: [.forbidden, .conflict]
        ) { request, _, principal in try await requests.open(request, principal) }
        routes.list(
            "/api/requests", "Requests, newest first: your own, or everybody's for administrators", .ownAccount,
            file: "requests", of: DocumentRequest.self, parts: RequestListStore.Part.names
        ) { request, call, principal in
            try await requests.list(principal, try call.listPart(RequestListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .get, "/api/requests/{id}", "A request", .ownAccount, answers: DocumentRequest.self, problems: [.notFound]
        ) { call, principal in try await requests.find(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/requests/{id}/cancel", "Withdraw or decline a request, with a reason", .ownAccount,
            takes: Reason.self, answers: DocumentRequest.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await requests.cancel(try call.parameter("id"), request, principal) }
    }

    private func addHandling(to routes: inout RouteTable) {
        let requests = RequestService(environment: environment)
        routes.secured(
            .post, "/api/requests/{id}/accept", "Take a request", .handleRequests, answers: DocumentRequest.self,
            problems: [.notFound, .conflict]
        ) { call, principal in try await requests.accept(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/requests/{id}/assign", "Hand a request to an administrator", .handleRequests,
            takes: Assignment.self, answers: DocumentRequest.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await requests.assign(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/requests/{id}/prepare", "Get what is needed to sign the answer", .signDocuments,
            device: true, answers: IssuancePlan.self, problems: [.notFound, .conflict]
        ) { call, principal in try await requests.prepare(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/requests/{id}/issue", "Send the signed and sealed document", .signDocuments,
            device: true, takes: Issuance.self, limit: .document, answers: DocumentInfo.self,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await requests.issue(try call.parameter("id"), request, principal) }
    }
}
