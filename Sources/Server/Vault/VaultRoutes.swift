import HTTPTypes
import Interface

/// Vaults: the ways to open one, its compartments, and the contents in them.
struct VaultRoutes {
    let environment: Environment
    let epochs: VaultEpochs
    /// Answers tries at PINs.
    let pins: VaultGuard

    func add(to routes: inout RouteTable) {
        addVault(to: &routes)
        addGuard(to: &routes)
        addCompartments(to: &routes)
        addContents(to: &routes)
    }

    private func addVault(to routes: inout RouteTable) {
        let vaults = VaultService(environment: environment)
        routes.secured(
            .post, "/api/vault", "Set a vault up", .keepVault, confirmed: true, takes: NewVault.self, limit: .medium,
            answers: Acknowledgement.self, status: .created, problems: [.conflict, .gone]
        ) { request, _, principal in try await vaults.create(request, principal) }
        routes.secured(
            .get, "/api/vault", "The ways to open your vault", .keepVault, answers: VaultState.self,
            problems: [.notFound]
        ) { _, principal in try await vaults.find(principal) }
        routes.secured(
            .delete, "/api/vault", "Remove your vault with everything in it", .keepVault, confirmed: true,
            answers: Acknowledgement.self, problems: [.notFound]
        ) { _, principal in try await vaults.remove(principal) }
        routes.secured(
            .put, "/api/vault/slots/{id}", "Store a way to open your vault", .keepVault, confirmed: true,
            takes: NewVaultSlot.self, answers: Acknowledgement.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await vaults.set(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/vault/slots/{id}", "Remove a way to open your vault", .keepVault, confirmed: true,
            answers: Acknowledgement.self, problems: [.notFound]
        ) { call, principal in try await vaults.remove(try call.parameter("id"), principal) }
        routes.secured(
            .put, "/api/vault/pins", "Give PIN slots other contents", .keepVault, confirmed: true,
            takes: VaultPINs.self, answers: Acknowledgement.self, problems: [.notFound, .conflict, .gone]
        ) { request, _, principal in try await vaults.set(request, principal) }
    }

    private func addGuard(to routes: inout RouteTable) {
        routes.secured(
            .post, "/api/vault/guard/enrolments", "Fresh guard keys for PIN slots that are to be written", .keepVault,
            confirmed: true, takes: NewVaultEnrolment.self, answers: VaultEnrolment.self, status: .created
        ) { request, _, principal in try await pins.enrol(request, principal.account) }
        routes.secured(
            .post, "/api/vault/guard/tries", "Try a PIN, which the server cannot see", .keepVault,
            takes: NewVaultTry.self, answers: VaultTry.self, problems: [.conflict, .gone]
        ) { request, call, principal in
            try call.shell.rates.spend(.vaultTry, for: principal.deviceOrSession)
            try call.shell.rates.spend(.vaultTryByAddress, for: .address(call.address))
            return try await pins.attempt(request, principal.account)
        }
        routes.secured(
            .post, "/api/vault/guard/tries/{id}/proof", "Prove that a try opened a slot", .keepVault,
            takes: VaultTryProof.self, answers: NoContent.self, status: .noContent,
            problems: [.wrongCode, .conflict, .gone]
        ) { request, call, principal in
            try await pins.prove(try call.parameter("id"), request, principal.account)
            return NoContent()
        }
    }

    private func addCompartments(to routes: inout RouteTable) {
        let compartments = VaultCompartments(environment: environment, epochs: epochs)
        let changing = VaultChanging(environment: environment, epochs: epochs)
        routes.secured(
            .post, "/api/vault/compartments", "Make a compartment", .keepVault, takes: NewVaultCompartment.self,
            answers: VaultCompartment.self, status: .created, problems: [.notFound, .conflict]
        ) { request, _, principal in try await compartments.create(request, principal) }
        routes.secured(
            .get, "/api/vault/compartments/{id}", "A compartment that you can name", .keepVault,
            answers: VaultCompartment.self, problems: [.notFound]
        ) { call, principal in try await compartments.find(try call.parameter("id"), principal) }
        routes.secured(
            .delete, "/api/vault/compartments/{id}", "Remove a compartment with everything in it", .keepVault,
            confirmed: true, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await compartments.remove(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.securedQuery(
            "/api/vault/compartments/{id}/nodes", "What changed in a compartment", .keepVault,
            query: [
                QueryParameter("after", "A sequence, or `next` of the answer before."),
                QueryParameter("limit", "Items of the page, 1 to \(Limits.vaultPage.upperBound)."),
            ], answers: VaultNodes.self, problems: [.notFound]
        ) { call, principal in
            let limit = call.query("limit").map { Int($0) ?? 0 } ?? Limits.vaultPageDefault
            return .json(
                try await compartments.list(
                    try call.parameter("id"), after: call.query("after"), limit: limit, principal))
        }
        routes.secured(
            .post, "/api/vault/compartments/{id}/changes", "Change a compartment: all of it, or nothing", .keepVault,
            takes: VaultChange.self, limit: .document, answers: VaultChanged.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await changing.change(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/vault/handovers", "Take items from one compartment of yours to another, with their contents",
            .keepVault, takes: VaultHandover.self, limit: .document, answers: VaultHandedOver.self,
            problems: [.notFound, .conflict]
        ) { request, _, principal in try await changing.handOver(request, principal) }
    }

    private func addContents(to routes: inout RouteTable) {
        let uploads = VaultUploads(environment: environment)
        let contents = VaultContents(environment: environment)
        routes.secured(
            .post, "/api/vault/uploads", "Begin to upload a content in parts", .keepVault, takes: NewVaultUpload.self,
            answers: VaultUpload.self, status: .created, problems: [.notFound, .conflict]
        ) { request, _, principal in try await uploads.begin(request, principal) }
        routes.secured(
            .get, "/api/vault/uploads/{id}", "Which parts of an upload are there", .keepVault,
            answers: VaultUpload.self, problems: [.notFound]
        ) { call, principal in try await uploads.find(try call.parameter("id"), principal) }
        routes.securedBytes(
            .put, "/api/vault/uploads/{id}/parts/{number}", "Upload a part", .keepVault, limit: .part,
            answers: NoContent.self, status: .noContent, problems: [.notFound, .conflict, .invalidMember]
        ) { pieces, call, principal in
            guard let number = Int64(try call.parameter("number")) else { throw VaultError.notFound }
            try await uploads.put(number, of: try call.parameter("id"), pieces, principal)
            return NoContent()
        }
        routes.secured(
            .delete, "/api/vault/uploads/{id}", "Remove an upload", .keepVault, answers: NoContent.self,
            status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await uploads.remove(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.securedRaw(
            .get, "/api/vault/contents/{id}", "A content, or the part that the field 'Range' asks for", .keepVault,
            answers: "application/octet-stream", problems: [.notFound, .rangeNotSatisfiable]
        ) { call, principal in try await contents.response(try call.parameter("id"), call, principal) }
    }
}
