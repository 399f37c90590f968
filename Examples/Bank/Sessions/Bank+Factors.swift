import CountersignService

/// How customers change their second factor: with the one that they have.
extension Bank {
    /// The person wants another factor; the present one has to allow it.
    func change(to factor: Factor, _ token: String, browser: String) async throws {
        let customer = try customer(token)
        endChange(token)
        _ = try await ask(.change(factor), of: customer, token, browser: browser)
    }

    /// Nothing of a change is under way any more.
    private func endChange(_ token: String) {
        sessions[token]?.permission = nil
        sessions[token]?.enrolment = nil
        sessions[token]?.authenticator = nil
    }

    /// - Throws: if the present factor has not allowed a change, or that was long ago, or another was set since.
    private func checkPermission(_ token: String) throws(BankError) -> String {
        let customer = try customer(token)
        guard let permission = sessions[token]?.permission, permission.changes == customer.changes,
            permission.expires >= now()
        else {
            endChange(token)
            throw .refused("Begin again.")
        }
        return customer.username
    }

    /// The present factor has allowed it: factors without a device of their own count from now on.
    func set(_ factor: Factor, of username: String, _ token: String) throws {
        let changes = try ledger.customer(username).changes
        sessions[token]?.permission = Permission(changes: changes, expires: now() + Permission.patience)
        switch factor {
        case .none, .sms, .card:
            endChange(token)
            ledger.setFactor(factor, of: username)
            say("Your second factor is now: \(factor.words).", token)
        case .totp: sessions[token]?.authenticator = Authenticator()
        case .approval: sessions[token]?.enrolment = ""
        }
    }

    /// The app shows its first code, so it has the secret.
    func proveAuthenticator(_ token: String, code: String) throws(BankError) {
        let username = try checkPermission(token)
        guard var authenticator = sessions[token]?.authenticator else { throw .refused("Begin again.") }
        guard authenticator.take(code, at: now()) else { throw .refused("That is not the code of the app.") }
        endChange(token)
        ledger.setFactor(.totp, of: username, authenticator: authenticator)
    }

    /// The offer for the person's wallet; one is begun if the present factor has allowed it.
    func enrolment(_ token: String) async throws -> Enrolment {
        let username = try checkPermission(token)
        guard let session = sessions[token], let id = session.enrolment else { throw BankError.refused("Begin again.") }
        do throws(ServiceError) {
            guard id.isEmpty else { return try await client.enrolment(id) }
            let begun = try await client.enrol(user: username, session: session.browser)
            sessions[token]?.enrolment = begun.id
            return begun
        } catch {
            throw BankError.refused(Self.words(error))
        }
    }

    /// The person says whether both screens show the same digits.
    func compare(_ token: String, areSame: Bool) async throws {
        let username = try checkPermission(token)
        guard let session = sessions[token], let id = session.enrolment, !id.isEmpty else {
            throw BankError.refused("Begin again.")
        }
        let changes = sessions[token]?.permission?.changes
        endChange(token)
        do throws(ServiceError) {
            guard areSame, let code = try await client.enrolment(id).code else {
                _ = try await client.end(enrolment: id, session: session.browser)
                throw ServiceError.unexpectedAnswer
            }
            _ = try await client.confirm(enrolment: id, code: code, session: session.browser)
        } catch {
            throw BankError.refused("Your wallet was not added. Begin again.")
        }
        // While the server was asked, another session may have set one.
        guard try ledger.customer(username).changes == changes else {
            throw BankError.refused("Your second factor was changed elsewhere.")
        }
        ledger.setFactor(.approval, of: username)
    }
}
