import HTTPTypes
import Interface

/// Documents, their status, and shared links.
struct DocumentRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        EnrolmentRoutes(environment: environment).add(to: &routes)
        RequestRoutes(environment: environment).add(to: &routes)
        addDocuments(to: &routes)
        addShares(to: &routes)
    }

    private func addDocuments(to routes: inout RouteTable) {
        let documents = DocumentService(environment: environment)
        routes.list(
            "/api/documents", "Your own documents, the last issued first", .ownAccount,
            file: "documents", of: DocumentInfo.self, parts: DocumentListStore.Part.names,
            filters: [
                QueryParameter("issued", "`true`: everybody's, for administrators.", values: ["true", "false"]),
                QueryParameter("holder", "The id of an account: only its documents."),
            ]
        ) { request, call, principal in
            try await documents.list(
                principal, issued: call.query("issued") == "true", holder: call.query("holder"),
                try call.listPart(DocumentListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .get, "/api/documents/{id}", "A document: your own, or any for administrators", .ownAccount,
            answers: DocumentInfo.self, problems: [.notFound]
        ) { call, principal in try await documents.find(try call.parameter("id"), principal) }
        routes.securedRaw(
            .get, "/api/documents/{id}/content", "The sealed package of your own document", .holdDocuments,
            answers: "application/jose", problems: [.notFound]
        ) { call, principal in
            .bytes(try await documents.content(try call.parameter("id"), principal), mediaType: "application/jose")
        }
        routes.secured(
            .delete, "/api/documents/{id}", "Delete your own document here, for ever", .holdDocuments,
            answers: Acknowledgement.self, problems: [.notFound]
        ) { call, principal in try await documents.delete(try call.parameter("id"), principal) }
        routes.secured(
            .post, "/api/documents/{id}/revoke", "Revoke a document, for ever", .revokeDocuments, confirmed: true,
            takes: Reason.self,
            answers: Acknowledgement.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await documents.revoke(try call.parameter("id"), request, principal) }
        routes.openRaw(
            .get, "/status/{list}", "A status list token", answers: "application/statuslist+jwt",
            problems: [.notFound]
        ) { [statusLists = environment.statusLists] call in
            guard let list = Int64(try call.parameter("list")) else { throw Problem(.notFound) }
            return .text(try await statusLists.token(list: list), mediaType: "application/statuslist+jwt")
        }
    }

    private func addShares(to routes: inout RouteTable) {
        let shares = ShareService(environment: environment)
        routes.secured(
            .post, "/api/shares", "Make a link to an encrypted presentation; its code is shown this once",
            .shareDocuments, device: true, takes: NewShare.self, limit: .document, answers: Share.self,
            status: .created,
            problems: [.notFound]
        ) { request, _, principal in try await shares.create(request, principal) }
        routes.list(
            "/api/shares", "Your own links to documents, newest first", .shareDocuments, file: "links",
            of: Share.self, parts: ShareListStore.Part.names,
            filters: [QueryParameter("document", "The id of a document: only the links to it.")], isSearched: false
        ) { request, call, principal in
            try await shares.list(
                principal, document: call.query("document"), try call.listPart(ShareListStore.Part.self) ?? .all,
                request)
        }
        routes.secured(
            .delete, "/api/shares/{id}", "Stop a link", .shareDocuments, answers: NoContent.self, status: .noContent,
            problems: [.notFound]
        ) { call, principal in
            try await shares.stop(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.open(
            .post, "/api/shares/{id}/open", "Open a link with its code", rate: .asking, takes: ShareOpening.self,
            answers: SharedPresentation.self, problems: [.notFound, .wrongCode, .gone, .conflict]
        ) { request, call in try await shares.open(try call.parameter("id"), request) }
        routes.open(
            .post, "/api/shares/{id}/return", "Give an opening back whose page could show nothing", rate: .asking,
            takes: ShareAttempt.self, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { request, call in
            try await shares.giveBack(try call.parameter("id"), request)
            return NoContent()
        }
    }
}
