import HTTPTypes
import Interface

/// Invitations and the certification of administrators.
struct AdminRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addInvitations(to: &routes)
        addDelegations(to: &routes)
        addOverview(to: &routes)
    }

    private func addOverview(to routes: inout RouteTable) {
        let overview = OverviewService(environment: environment)
        routes.secured(
            .get, "/api/statistics", "How many accounts, requests and documents there are",
            .readOrganisationStatistics, answers: Statistics.self
        ) { _, _ in try await overview.statistics() }
        routes.secured(
            .get, "/api/members/{id}/devices", "The devices of an account", .readMembers,
            answers: Listing<Device>.self, problems: [.notFound]
        ) { call, _ in Listing(try await overview.devices(of: try call.parameter("id"))) }
        routes.secured(
            .get, "/api/server-log", "The newest lines of this process's log; `part`: requests or events",
            .readServerLog, answers: Listing<ServerLogLine>.self, problems: [.badRequest]
        ) { call, _ in
            guard let part = ServerLogPart(rawValue: call.query("part") ?? "events") else {
                throw Problem(.badRequest, "part: requests or events.")
            }
            return Listing(call.shell.recentLog.lines(part))
        }
        let erasure = ErasureService(environment: environment)
        routes.secured(
            .post, "/api/members/{id}/erase", "Erase an account with everything about the person, for ever",
            .eraseMembers, confirmed: true, takes: Erasure.self, answers: Acknowledgement.self,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await erasure.erase(try call.parameter("id"), request, principal) }
    }

    private func addInvitations(to routes: inout RouteTable) {
        let invitations = InvitationService(environment: environment)
        routes.secured(
            .post, "/api/invitations", "Invite an administrator or operator; the code is shown this once",
            .manageInvitations, confirmed: true, takes: InvitationRequest.self, answers: Invitation.self,
            status: .created
        ) { request, _, principal in try await invitations.invite(request, principal) }
        routes.list(
            "/api/invitations", "Invitations, without their codes, newest first", .manageInvitations,
            file: "invitations", of: Invitation.self, parts: InvitationListStore.Part.names
        ) { request, call, _ in
            try await invitations.list(try call.listPart(InvitationListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .delete, "/api/invitations/{id}", "Withdraw an invitation", .manageInvitations, answers: NoContent.self,
            status: .noContent, problems: [.notFound]
        ) { call, _ in
            try await invitations.withdraw(try call.parameter("id"))
            return NoContent()
        }
    }

    private func addDelegations(to routes: inout RouteTable) {
        let delegations = DelegationService(environment: environment)
        routes.secured(
            .get, "/api/authority", "The main administrator's certificate, DER, base64url", .delegate,
            answers: Listing<String>.self
        ) { _, _ in Listing([try await environment.organisation().ownerCertificate]) }
        let recovery = RecoveryService(environment: environment)
        routes.open(
            .post, "/api/authority/recovery",
            "Give the main administrator new keys, by a code from the server's machine",
            rate: .signIn, takes: OwnerRecovery.self, answers: SetUpResult.self, status: .created,
            problems: [.conflict, .wrongCode]
        ) { request, _ in try await recovery.recover(request) }
        let authority = AuthorityService(environment: environment)
        routes.secured(
            .post, "/api/authority/renewal", "Have the root certify your authority key again, or its successor",
            .delegate, confirmed: true, device: true, takes: AuthorityRenewal.self, answers: RenewedAuthority.self,
            problems: [.conflict]
        ) { request, _, principal in try await authority.renew(request, principal) }
        routes.secured(
            .post, "/api/delegations", "Ask the main administrator to certify an authority key", .requestDelegation,
            confirmed: true, device: true, takes: DelegationRequest.self, answers: Delegation.self, status: .created,
            problems: [.conflict]
        ) { request, _, principal in try await delegations.request(request, principal) }
        routes.list(
            "/api/delegations", "Certifications, newest first: all for the main administrator, your own for others",
            .ownAccount, file: "certifications", of: Delegation.self, parts: DelegationListStore.Part.names
        ) { request, call, principal in
            try await delegations.list(principal, try call.listPart(DelegationListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .post, "/api/delegations/{id}/certificate", "Certify an administrator", .delegate, confirmed: true,
            device: true, takes: Certification.self, answers: Acknowledgement.self, problems: [.notFound, .conflict]
        ) { request, call, _ in try await delegations.certify(try call.parameter("id"), request) }
        routes.secured(
            .delete, "/api/delegations/{id}", "Reject an administrator's request for a certificate", .delegate,
            answers: NoContent.self, status: .noContent, problems: [.notFound, .conflict]
        ) { call, _ in
            try await delegations.reject(try call.parameter("id"))
            return NoContent()
        }
        routes.secured(
            .post, "/api/delegations/{id}/revoke", "Revoke an administrator's certificate, for ever",
            .revokeAdministrator, confirmed: true, takes: Reason.self, answers: Acknowledgement.self,
            problems: [.notFound, .conflict]
        ) { request, call, _ in try await delegations.revoke(try call.parameter("id"), request) }
    }
}
