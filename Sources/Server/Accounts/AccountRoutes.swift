import HTTPTypes
import Interface

/// Set-up, sign-up, sign-in with a passphrase, the account, sessions and devices.
struct AccountRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addPublic(to: &routes)
        addSessions(to: &routes)
        addDevices(to: &routes)
        PasskeyRoutes(environment: environment).add(to: &routes)
        PairingRoutes(environment: environment).add(to: &routes)
    }

    private func addPublic(to routes: inout RouteTable) {
        let setUp = SetUpService(environment: environment)
        let accounts = AccountService(environment: environment)
        let sessions = SessionService(environment: environment)
        routes.open(.get, "/api/organisation", "Name, root and log key of the organisation", answers: Organisation.self)
        { _ in try await setUp.describe() }
        routes.open(
            .post, "/api/setup", "Set the organisation up, once", rate: .asking, takes: SetUpRequest.self,
            answers: SetUpResult.self, status: .created, problems: [.conflict, .wrongCode]
        ) { request, _ in try await setUp.setUp(request) }
        routes.open(
            .post, "/api/accounts", "Sign up, alone or by invitation", rate: .signUp, takes: SignUpRequest.self,
            answers: NewSession.self, status: .created, problems: [.conflict, .wrongCode]
        ) { request, _ in try await accounts.signUp(request) }
        routes.open(
            .post, "/api/sign-in", "Get a nonce to sign in with", rate: .asking, takes: SignInNonceRequest.self,
            answers: SignInNonce.self
        ) { request, _ in try await sessions.nonce(request) }
        routes.open(
            .post, "/api/sessions", "Sign in with passphrase and device key", rate: .signIn, takes: SignInRequest.self,
            answers: NewSession.self, status: .created, problems: [.signInFailed]
        ) { request, call in
            try await sessions.signIn(request, limit: SignInLimit(rates: call.shell.rates, address: call.address))
        }
    }

    private func addSessions(to routes: inout RouteTable) {
        let accounts = AccountService(environment: environment)
        let sessions = SessionService(environment: environment)
        routes.secured(.get, "/api/account", "Your own account", .ownAccount, answers: Account.self) { _, principal in
            try await accounts.account(principal)
        }
        routes.secured(
            .patch, "/api/account", "Change your name, until it was checked", .ownAccount, takes: AccountRename.self,
            answers: Account.self, problems: [.conflict]
        ) { request, _, principal in try await accounts.rename(request, principal) }
        routes.secured(
            .put, "/api/account/language", "Choose the language of pages for your account", .ownAccount,
            takes: AccountLanguage.self, answers: AccountLanguage.self
        ) { request, _, principal in try await accounts.choose(request, principal) }
        routes.secured(
            .post, "/api/account/passphrase", "Change the passphrase, or give the account one; ends other sessions",
            .ownAccount, confirmed: true, takes: PassphraseChange.self, answers: NoContent.self, status: .noContent
        ) { request, _, principal in
            try await accounts.changePassphrase(request, principal)
            return NoContent()
        }
        routes.secured(
            .get, "/api/sessions", "Your own sessions", .ownAccount, answers: Listing<SessionInfo>.self
        ) { _, principal in Listing(try await sessions.list(principal)) }
        routes.secured(
            .get, "/api/sessions/current", "The calling session, its account and device", .ownAccount,
            answers: CurrentSession.self, problems: [.notFound]
        ) { _, principal in try await sessions.current(principal) }
        routes.secured(
            .delete, "/api/sessions/current", "End the calling session, also while it is locked", .ownAccount,
            locked: true, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { _, principal in
            try await sessions.end(principal.session, principal)
            return NoContent(endsSession: true)
        }
        routes.secured(
            .delete, "/api/sessions/{id}", "End another session", .ownAccount, confirmed: true,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await sessions.end(try call.parameter("id"), principal)
            return NoContent()
        }
        routes.list(
            "/api/members", "The accounts of the organisation", .readMembers,
            file: "members", of: Account.self, parts: AccountListStore.Part.names, sorts: [.name]
        ) { request, call, _ in
            try await accounts.members(try call.listPart(AccountListStore.Part.self) ?? .all, request)
        }
        routes.secured(
            .get, "/api/members/{id}", "An account of the organisation", .readMembers, answers: Account.self,
            problems: [.notFound]
        ) { call, _ in try await accounts.member(try call.parameter("id")) }
        routes.securedRaw(
            .get, "/api/events", "Live updates", .ownAccount, answers: "text/event-stream"
        ) { call, principal in try await call.liveUpdates(principal) }
    }

    private func addDevices(to routes: inout RouteTable) {
        let devices = DeviceService(environment: environment)
        routes.secured(
            .get, "/api/devices", "Your own devices", .ownAccount, answers: Listing<Device>.self
        ) { _, principal in Listing(try await devices.list(principal)) }
        routes.secured(
            .patch, "/api/devices/{id}", "Rename a device", .ownAccount, takes: DeviceRename.self,
            answers: Device.self, problems: [.notFound]
        ) { request, call, principal in try await devices.rename(try call.parameter("id"), request, principal) }
        routes.secured(
            .post, "/api/devices/{id}/revoke", "Revoke a device and the documents bound to it, for ever", .ownAccount,
            confirmed: true, takes: Reason.self, answers: Acknowledgement.self, problems: [.notFound, .conflict]
        ) { request, call, principal in try await devices.revoke(try call.parameter("id"), request, principal) }
    }
}
