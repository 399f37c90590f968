import HTTPTypes
import Interface

/// Passkeys, signing in with them, and showing that the person is there.
struct PasskeyRoutes {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        addPublic(to: &routes)
        addOwn(to: &routes)
        addConfirmation(to: &routes)
    }

    private func addPublic(to routes: inout RouteTable) {
        let ceremonies = CeremonyService(environment: environment)
        let signIn = PasskeySignInService(environment: environment)
        routes.open(
            .post, "/api/passkeys/registration", "Get a challenge to make a first passkey with", rate: .asking,
            takes: PasskeyRegistrationRequest.self, answers: RegistrationOptions.self
        ) { request, _ in try await ceremonies.registration(request) }
        routes.open(
            .post, "/api/passkeys/sign-in", "Get a challenge to sign in with any passkey", rate: .asking,
            takes: NoMembers.self, answers: AssertionOptions.self
        ) { _, _ in try await ceremonies.signIn() }
        routes.open(
            .post, "/api/sessions/passkey", "Sign in with a passkey, and as a device if its key signs too",
            rate: .signIn, takes: PasskeySignInRequest.self, answers: NewSession.self, status: .created,
            problems: [.signInFailed]
        ) { request, _ in try await signIn.signIn(request) }
    }

    private func addOwn(to routes: inout RouteTable) {
        let passkeys = PasskeyService(environment: environment)
        routes.secured(
            .get, "/api/account/passkeys", "Your own passkeys", .ownAccount, answers: Listing<Passkey>.self
        ) { _, principal in Listing(try await passkeys.list(principal)) }
        routes.secured(
            .post, "/api/account/passkeys/registration", "Get a challenge to make another passkey with", .ownAccount,
            confirmed: true, takes: NoMembers.self, answers: RegistrationOptions.self
        ) { _, _, principal in try await passkeys.begin(principal) }
        routes.secured(
            .post, "/api/account/passkeys", "Add a passkey", .ownAccount, confirmed: true, takes: NewPasskey.self,
            answers: Passkey.self, status: .created, problems: [.conflict]
        ) { request, _, principal in try await passkeys.add(request, principal) }
        routes.secured(
            .patch, "/api/account/passkeys/{id}", "Rename a passkey", .ownAccount, takes: PasskeyRename.self,
            answers: Passkey.self, problems: [.notFound]
        ) { request, call, principal in try await passkeys.rename(try call.parameter("id"), request, principal) }
        routes.secured(
            .delete, "/api/account/passkeys/{id}", "Remove a passkey; other sessions that began with it end",
            .ownAccount, confirmed: true, answers: NoContent.self, status: .noContent, problems: [.notFound, .conflict]
        ) { call, principal in
            try await passkeys.remove(try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addConfirmation(to routes: inout RouteTable) {
        let confirmations = ConfirmationService(environment: environment)
        routes.secured(
            .post, "/api/account/ceremonies", "Get a challenge to confirm with; unanswered it counts as a failure",
            .ownAccount, takes: NoMembers.self, answers: AssertionOptions.self, problems: [.conflict]
        ) { _, _, principal in try await confirmations.begin(principal) }
        routes.secured(
            .post, "/api/account/confirmations", "Confirm with a passkey, or with passphrase and device", .ownAccount,
            takes: ConfirmationRequest.self, answers: Confirmation.self,
            problems: [.confirmationFailed, .deviceRequired]
        ) { request, call, principal in
            try call.shell.rates.spend(.confirming, for: .account(principal.account))
            return try await confirmations.confirm(request, principal)
        }
        routes.secured(
            .post, "/api/account/ceremony-failures", "Report that an authenticator did not answer", .ownAccount,
            takes: CeremonyFailureReport.self, answers: CeremonyFailure.self
        ) { request, _, principal in try await confirmations.report(request, principal) }
    }
}
