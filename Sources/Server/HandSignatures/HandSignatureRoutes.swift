import HTTPTypes
import Hummingbird
import Interface

/// The desk: clients, documents, transactions, operators.
struct HandSignatureRoutes {
    let environment: Environment
    let judge: SignatureJudge

    func add(to routes: inout RouteTable) {
        addClients(to: &routes)
        addWorkspace(to: &routes)
        addSignings(to: &routes)
        addCopies(to: &routes)
        addReports(to: &routes)
        addDesk(to: &routes)
        addOperators(to: &routes)
        addHandovers(to: &routes)
    }

    private var signings: SigningService { SigningService(environment: environment, judge: judge) }

    private func addClients(to routes: inout RouteTable) {
        let clients = ClientService(environment: environment, judge: judge)
        routes.secured(
            .post, "/api/clients/lookup", "Find a client by identity number", .readDesk, takes: ClientNumber.self,
            answers: Client.self, problems: [.notFound]
        ) { request, _, _ in try await clients.lookup(request) }
        routes.list(
            "/api/clients", "The clients", .readDesk,
            file: "clients", of: Client.self, parts: ClientListStore.Part.names, sorts: [.name],
            more: { try await clients.fieldColumns() }
        ) { request, call, _ in
            try await clients.list(
                try call.listPart(ClientListStore.Part.self) ?? .all, request,
                withFields: try call.choice("format") == ListFormat.csv)
        }
        routes.secured(
            .get, "/api/clients/{id}", "A client, with identity number and paper", .readDesk, answers: Client.self,
            problems: [.notFound]
        ) { call, _ in try await clients.find(try call.parameter("id")) }
        routes.secured(
            .post, "/api/clients", "Register a client with five signatures and a check", .enrolClients,
            takes: NewClient.self, limit: .document, answers: ClientAct.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await clients.register(request, principal) }
        routes.secured(
            .patch, "/api/clients/{id}", "Change a client's name; the number stays", .enrolClients,
            takes: ClientChange.self, answers: ClientAct.self, problems: [.notFound]
        ) { request, call, principal in
            try await clients.change(try call.parameter("id"), request, principal)
        }
        routes.secured(
            .put, "/api/clients/{id}/fields", "Change what a client has in the organisation's fields", .enrolClients,
            takes: ClientFieldValues.self, answers: ClientAct.self, problems: [.notFound]
        ) { request, call, principal in
            try await clients.setFields(try call.parameter("id"), request, principal)
        }
        routes.secured(
            .post, "/api/clients/{id}/enrolment", "Replace a client's template with a new one",
            .enrolClients, confirmed: true, takes: Reenrolment.self, limit: .document, answers: ClientAct.self,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await clients.reenrol(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/clients/{id}/sitting", "Take the signatures of a second visit", .enrolClients,
            takes: SecondSitting.self, limit: .document, answers: ClientAct.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await clients.addSitting(try call.parameter("id"), request, principal) }
        let history = ClientHistoryService(environment: environment)
        routes.list(
            "/api/clients/{id}/acts", "The history of a client: who did what, newest first", .readDesk,
            file: "history", of: ClientHistory.Act.self, parts: ClientActListStore.Part.names, isSearched: false,
            problems: [.notFound]
        ) { request, call, _ in
            try await history.acts(
                try call.parameter("id"), try call.listPart(ClientActListStore.Part.self) ?? .all, request)
        }
        routes.list(
            "/api/desk/attempts", "Failed tries at all desks, newest first", .readDesk, file: "tries",
            of: DeskAttempt.self, parts: AttemptListStore.Part.names,
            filters: [QueryParameter("client", "The id of a client: only the tries on that person.")],
            problems: [.notFound]
        ) { request, call, _ in
            try await history.attempts(
                on: call.query("client"), try call.listPart(AttemptListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .post, "/api/clients/{id}/erasure", "Forget a client, and what proves their transactions", .eraseClients,
            confirmed: true, takes: Reason.self, answers: Acknowledgement.self, problems: [.notFound]
        ) { request, call, principal in try await clients.erase(try call.parameter("id"), request, principal) }
    }

    private func addWorkspace(to routes: inout RouteTable) {
        let workspace = WorkspaceService(environment: environment)
        let signings = signings
        routes.list(
            "/api/workspace", "The desk's document templates, the last changed first", .readDesk,
            file: "workspace", of: WorkspaceDocument.self, parts: WorkspaceService.Part.names
        ) { request, call, _ in
            try await workspace.list(try call.listPart(WorkspaceService.Part.self) ?? .all, request)
        }
        routes.secured(
            .post, "/api/workspace", "Add a text or a PDF", .keepWorkspace, takes: WorkspaceContent.self,
            limit: .document, answers: WorkspaceDocument.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await workspace.create(request, principal) }
        routes.secured(
            .get, "/api/workspace/{id}", "A document, with its text", .readDesk, answers: WorkspaceDocument.self,
            problems: [.notFound]
        ) { call, _ in try await workspace.find(try call.parameter("id")) }
        routes.securedRaw(
            .get, "/api/workspace/{id}/content", "The PDF of a document that is one", .readDesk,
            answers: "application/pdf", problems: [.notFound]
        ) { call, _ in
            .attachment(try await workspace.pdf(try call.parameter("id")), mediaType: "application/pdf")
        }
        routes.secured(
            .put, "/api/workspace/{id}", "Make the next version of a document", .keepWorkspace,
            takes: WorkspaceContent.self, limit: .document, answers: WorkspaceDocument.self,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await workspace.change(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/workspace/{id}", "Delete a document template; signed documents stay", .keepWorkspace,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await workspace.delete(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.secured(
            .post, "/api/workspace/{id}/rendering", "A document exactly as a client would sign it", .takeSignatures,
            takes: RenderingRequest.self, answers: Rendering.self, problems: [.notFound]
        ) { request, call, principal in try await signings.render(try call.parameter("id"), request, principal) }
    }

    private func addSignings(to routes: inout RouteTable) {
        let signings = signings
        routes.secured(
            .post, "/api/signings", "Compare a signature on a document; a mismatch is refused at once",
            .takeSignatures, takes: NewSigning.self, limit: .document, answers: Signing.self, status: .created,
            problems: [.notFound, .forbidden, .conflict]
        ) { request, _, principal in try await signings.open(request, principal) }
        routes.secured(
            .post, "/api/signings/{id}/confirm", "Confirm a signature that matches", .takeSignatures, confirmed: true,
            answers: Signing.self, problems: [.notFound, .forbidden, .conflict, .gone]
        ) { call, principal in
            try await signings.decide(try call.parameter("id"), refusing: Interface.Reason?.none, principal)
        }
        routes.secured(
            .post, "/api/signings/{id}/refuse", "Refuse a signature, with a reason", .takeSignatures,
            takes: Reason.self, answers: Signing.self, problems: [.notFound, .forbidden, .conflict, .gone]
        ) { request, call, principal in
            try await signings.decide(try call.parameter("id"), refusing: request, principal)
        }
        routes.list(
            "/api/signings", "Transactions, newest first", .readDesk,
            file: "transactions", of: Signing.self, parts: SigningListStore.Part.names,
            filters: [
                QueryParameter("client", "The id of a client."), QueryParameter("operator", "The id of an account."),
                QueryParameter("document", "The id of a document template."),
                QueryParameter("from", "The first second, since 1970."),
                QueryParameter("to", "The last second, since 1970."),
            ]
        ) { request, call, _ in
            try await signings.list(
                try call.listPart(SigningListStore.Part.self) ?? .all, try Self.filter(call), request)
        }
        routes.secured(
            .get, "/api/signings/{id}", "A transaction, with figures, picture and receipt", .readDesk,
            answers: Signing.self, problems: [.notFound]
        ) { call, _ in try await signings.find(try call.parameter("id")) }
        routes.securedRaw(
            .get, "/api/signings/{id}/document", "The bytes that were signed", .readDesk,
            answers: "application/octet-stream", problems: [.notFound, .gone]
        ) { call, _ in
            let (bytes, mediaType) = try await signings.document(try call.parameter("id"))
            return .attachment(bytes, mediaType: mediaType)
        }
    }

    private func addCopies(to routes: inout RouteTable) {
        let copies = SigningCopyService(environment: environment)
        routes.secured(
            .post, "/api/signings/{id}/copies",
            "Make a link to the client's encrypted copy; its code is shown this once", .takeSignatures,
            takes: NewSigningCopy.self, limit: .document, answers: SigningCopy.self, status: .created,
            problems: [.notFound, .conflict, .gone]
        ) { request, call, principal in try await copies.create(try call.parameter("id"), request, principal) }
        routes.secured(
            .get, "/api/signings/{id}/copies", "The links to the client's copy", .readDesk,
            answers: Listing<SigningCopy>.self, problems: [.notFound]
        ) { call, principal in Listing(try await copies.list(try call.parameter("id"), principal)) }
        routes.secured(
            .delete, "/api/signings/{id}/copies/{copy}", "Stop a link to the client's copy", .readDesk,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await copies.stop(try call.parameter("copy"), of: try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addReports(to routes: inout RouteTable) {
        let reports = ReportService(environment: environment, signings: signings)
        routes.securedRaw(
            .get, "/api/signings/{id}/report", "The report of a decided transaction, signed", .readReports,
            answers: "application/json", problems: [.notFound, .conflict, .gone]
        ) { call, _ in
            .attachment(try await reports.json(try call.parameter("id")), mediaType: "application/json")
        }
        routes.securedRaw(
            .get, "/api/signings/{id}/report.html", "The report as a page", .readReports, answers: "text/html",
            query: [Self.language], problems: [.notFound, .conflict, .gone]
        ) { call, _ in
            let catalogue = try LanguageChoice.catalogue(for: call, among: try environment.catalogues())
            var response = Response.bytes(
                try await reports.page(try call.parameter("id"), in: catalogue),
                mediaType: "text/html; charset=utf-8")
            response.headers[.contentLanguage] = catalogue.code
            response.headers[.vary] = LanguageChoice.varying
            // Shown as it is: a client's name or a document can neither run nor load anything.
            response.headers[.contentSecurityPolicy] =
                "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
            return response
        }
        routes.securedRaw(
            .get, "/api/signings/{id}/report.html.jws", "The detached signature of that page", .readReports,
            answers: "application/jose", query: [Self.language], problems: [.notFound, .conflict, .gone]
        ) { call, _ in
            let catalogue = try LanguageChoice.catalogue(for: call, among: try environment.catalogues())
            let signature = try await reports.pageSignature(try call.parameter("id"), in: catalogue)
            var response = Response.attachment(Array(signature.utf8), mediaType: "application/jose")
            response.headers[.vary] = LanguageChoice.varying
            return response
        }
        routes.secured(
            .post, "/api/signings/{id}/movement", "Hand out the raw movement, sealed to the forensic key",
            .releaseMovements, confirmed: true, takes: Reason.self, answers: SealedMovement.self,
            problems: [.notFound, .gone]
        ) { request, call, principal in try await reports.release(try call.parameter("id"), request, principal) }
    }

    private func addDesk(to routes: inout RouteTable) {
        let desk = DeskService(environment: environment)
        routes.secured(.get, "/api/desk", "The desk at a glance", .readDesk, answers: DeskOverview.self) { _, _ in
            try await desk.overview()
        }
        routes.secured(
            .get, "/api/desk/settings", "What the organisation allows at its desks", .readDesk,
            answers: DeskSettings.self
        ) { _, _ in try await desk.settings() }
        routes.secured(
            .put, "/api/desk/settings", "Change what the organisation allows at its desks", .changeDesk,
            confirmed: true, takes: DeskSettings.self, answers: DeskSettings.self
        ) { request, _, principal in try await desk.change(request, principal) }
        let fields = ClientFieldService(environment: environment)
        routes.secured(
            .get, "/api/desk/fields", "What the organisation asks of its clients, beyond name and number", .readDesk,
            answers: ClientFields.self
        ) { _, _ in try await fields.fields() }
        routes.secured(
            .put, "/api/desk/fields", "Change what the organisation asks of its clients", .changeDesk,
            confirmed: true, takes: ClientFields.self, limit: .medium, answers: ClientFields.self, problems: [.conflict]
        ) { request, _, principal in try await fields.change(request, principal) }
        routes.secured(
            .put, "/api/desk/forensic-key", "Set the key that raw movements are sealed to", .changeDesk,
            confirmed: true, takes: ForensicKey.self, answers: Acknowledgement.self
        ) { request, _, principal in try await desk.setForensicKey(request, principal) }
    }

    private func addOperators(to routes: inout RouteTable) {
        let operators = OperatorService(environment: environment)
        routes.list(
            "/api/operators", "Operators and administrators", .manageOperators,
            file: "operators", of: Operator.self, parts: OperatorListStore.Part.names, sorts: [.name]
        ) { request, call, _ in
            try await operators.list(try call.listPart(OperatorListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .get, "/api/operators/{id}", "An operator or administrator", .manageOperators, answers: Operator.self,
            problems: [.notFound]
        ) { call, _ in try await operators.find(try call.parameter("id")) }
        routes.secured(
            .post, "/api/accounts/{id}/block", "Block an operator or administrator, with a reason",
            .manageOperators, confirmed: true, takes: Reason.self, answers: Operator.self,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await operators.block(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/accounts/{id}/unblock", "Unblock an account", .manageOperators, confirmed: true,
            answers: Operator.self, problems: [.notFound, .conflict]
        ) { call, principal in try await operators.unblock(try call.parameter("id"), principal) }
    }

    private func addHandovers(to routes: inout RouteTable) {
        let handovers = HandoverService(environment: environment, judge: judge)
        routes.secured(
            .post, "/api/handovers", "Have signatures written on another device", .takeSignatures,
            takes: NewHandover.self, answers: Handover.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await handovers.open(request, principal) }
        routes.secured(
            .get, "/api/handovers/{id}", "The state of a hand-over, and the signatures written", .takeSignatures,
            answers: Handover.self, problems: [.notFound]
        ) { call, principal in try await handovers.find(try call.parameter("id"), principal) }
        routes.secured(
            .delete, "/api/handovers/{id}", "Forget a hand-over, given up or finished", .takeSignatures,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await handovers.cancel(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.open(
            .post, "/api/handover", "What to sign on this device", rate: .asking, takes: HandoverCode.self,
            answers: HandoverTask.self, problems: [.notFound, .gone]
        ) { request, _ in try await handovers.task(request) }
        routes.open(
            .post, "/api/handover/document", "The document that is signed on this device", rate: .asking,
            takes: HandoverCode.self, answers: HandoverDocument.self, problems: [.notFound, .gone, .conflict]
        ) { request, _ in try await handovers.document(request) }
        routes.open(
            .post, "/api/handover/captures", "Send the signatures made on this device", rate: .asking,
            takes: HandoverResult.self, limit: .medium, answers: NoContent.self, status: .noContent,
            problems: [.notFound, .gone]
        ) { request, _ in
            try await handovers.finish(request)
            return NoContent()
        }
    }

    /// Each language is a page of its own, with a signature of its own.
    private static let language = QueryParameter(
        "language", "The tag of a language; without it the one that pages come in.")

    private static func filter(_ call: Call) throws -> SigningListStore.Filter {
        func time(_ name: String) throws -> Int64? {
            try call.query(name).map { text in
                guard let time = Int64(text) else { throw Problem(.badRequest, "\(name): seconds since 1970.") }
                return time
            }
        }
        return SigningListStore.Filter(
            client: call.query("client"), operatorID: call.query("operator"), document: call.query("document"),
            from: try time("from"), to: try time("to"))
    }
}

extension Response {
    /// Bytes that a browser saves rather than shows: nothing that a client or a document brings runs here.
    fileprivate static func attachment(_ bytes: [UInt8], mediaType: String) -> Response {
        var response = Response.bytes(bytes, mediaType: mediaType)
        response.headers[.contentDisposition] = "attachment"
        return response
    }
}
