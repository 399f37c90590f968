import Encodings
import Interface
import Storage

/// Challenges that anybody may ask for: to make an account's first passkey, and to sign in.
struct CeremonyService {
    let environment: Environment

    /// For a passkey of a new account or device.
    ///
    /// It is made for taken usernames too, so that the answer tells nothing.
    func registration(_ request: PasskeyRegistrationRequest) async throws -> RegistrationOptions {
        let username = try AccountRules.username(request.username)
        let ceremony = environment.newCeremony(
            .registration, username: username, userHandle: environment.randomText(32))
        try await store(ceremony)
        return try await environment.registrationOptions(ceremony, username: username, exclude: [])
    }

    /// For signing in with any passkey that the browser has.
    func signIn() async throws -> AssertionOptions {
        let ceremony = environment.newCeremony(.signIn)
        try await store(ceremony)
        return environment.assertionOptions(ceremony, [])
    }

    private func store(_ ceremony: CeremonyStore.Stored) async throws {
        let now = environment.now()
        try await environment.database.write { transaction in
            let store = CeremonyStore(transaction: transaction)
            try store.deleteExpired(now: now)
            try store.insert(ceremony)
        }
    }
}

extension Environment {
    func newCeremony(
        _ purpose: CeremonyStore.Purpose, username: String? = nil, userHandle: String? = nil, session: String? = nil
    ) -> CeremonyStore.Stored {
        let time = purpose == .confirmation ? Limits.ceremonyTime : Limits.passkeyChallengeTime
        return CeremonyStore.Stored(
            challenge: randomText(32), purpose: purpose, username: username, userHandle: userHandle, session: session,
            expires: now() + time)
    }

    func registrationOptions(
        _ ceremony: CeremonyStore.Stored, username: String, exclude: [PasskeyDescriptor]
    ) async throws -> RegistrationOptions {
        RegistrationOptions(
            challenge: ceremony.challenge, expires: ceremony.expires, rpID: PasskeyVerifier.host(of: publicURL),
            rpName: try await storedOrganisation()?.name ?? "Countersign", userID: ceremony.userHandle ?? "",
            username: username, algorithms: PasskeyVerifier.algorithms, exclude: exclude,
            attestation: attestationRoots.isEmpty ? "none" : "direct")
    }

    func assertionOptions(
        _ ceremony: CeremonyStore.Stored, _ passkeys: [PasskeyStore.Stored], confirmedUntil: Int64? = nil
    ) -> AssertionOptions {
        AssertionOptions(
            challenge: ceremony.challenge, expires: ceremony.expires, rpID: PasskeyVerifier.host(of: publicURL),
            credentials: passkeys.map(\.descriptor), confirmedUntil: confirmedUntil)
    }
}
