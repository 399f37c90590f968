import CountersignService

extension Bank {
    /// Asks for the second factor of a customer.
    ///
    /// - Returns: the token of the session that is signed in, if no second factor is needed.
    func ask(
        _ act: Confirmation.Act, of customer: Customer, _ token: String, browser: String,
        from address: String = "unknown"
    ) async throws -> String? {
        guard let session = sessions[token] else { throw BankError.signedOut }
        sessions[token]?.confirmation = nil
        await drop(session.confirmation)
        let id = Secret.token()
        let challenge: Confirmation.Challenge
        switch customer.factor {
        case .none: challenge = .nothing
        case .totp: challenge = .totp
        case .sms:
            try guards.takeMessage(customer.username, at: now())
            let code = Secret.digits(6)
            messages.insert((customer.phone, Self.message(code, act)), at: 0)
            messages = Array(messages.prefix(50))
            challenge = .sms(code)
        case .card: challenge = .card(Self.input(act))
        case .approval:
            // The person sees where and when somebody signs in, and tells a stranger's sign-in by that.
            let asking: [Field] = [.device(browser), .place("Internet address \(address)"), .time(now())]
            challenge = try await approval(act, customer, session, id, asking)
        }
        let confirmation = Confirmation(
            id: id, username: customer.username, act: act, factor: customer.factor, changes: customer.changes,
            challenge: challenge, expires: now() + patience, begun: session.opened)
        // While the server was asked, somebody may have signed out.
        guard sessions[token] != nil else { throw BankError.signedOut }
        guard customer.factor != .none else { return try finish(confirmation, token) }
        sessions[token]?.confirmation = confirmation
        return nil
    }

    private func approval(
        _ act: Confirmation.Act, _ customer: Customer, _ session: Session, _ id: String, _ asking: [Field]
    ) async throws -> Confirmation.Challenge {
        let question =
            switch act {
            case .signIn:
                Question(.signIn, asking, of: [customer.username], lifetime: patience, browser: session.browser)
            case .transfer(let transfer):
                Question(.pay, Self.fields(transfer), of: [customer.username], lifetime: patience)
            case .change(let factor):
                Question(
                    .change, [.text("Second factor: \(factor.words)")], of: [customer.username], lifetime: patience)
            }
        do {
            return .approval(try await client.ask(question, idempotencyKey: id), question)
        } catch {
            throw BankError.refused(Self.words(error))
        }
    }

    /// Everything of a transfer that matters, each in a field of its own.
    static func fields(_ transfer: Transfer) -> [Field] {
        let fields: [Field] = [
            .amount(transfer.amount.pence, currency: Money.currency), .payee(transfer.payee.name),
            .account(transfer.payee.number), .text("From account \(transfer.from)"),
        ]
        return transfer.remark.isEmpty ? fields : fields + [.text("Remark: \(transfer.remark)")]
    }

    /// Tries what the person typed, or looks what they answered in their wallet.
    ///
    /// - Returns: the token of the session that is signed in, after a sign-in.
    func confirm(_ token: String, code: String) async throws -> String? {
        guard let confirmation = sessions[token]?.confirmation else {
            throw BankError.refused("Nothing waits to be confirmed.")
        }
        guard now() <= confirmation.expires else {
            sessions[token]?.confirmation = nil
            throw BankError.refused("The time is over. Begin again.")
        }
        let username = confirmation.username
        guard try ledger.customer(username).changes == confirmation.changes else {
            await cancel(token)
            throw BankError.refused("Your second factor was changed. Begin again.")
        }
        if confirmation.challenge.isCode { try guards.checkCode(username, at: now()) }
        let isRight =
            switch confirmation.challenge {
            case .sms(let sent): Secret.areEqual(sent, code)
            case .card(let input): try ledger.accept(code, to: input, of: confirmation.username)
            case .nothing: false
            case .totp: try ledger.takeCode(code, of: confirmation.username, at: now())
            case .approval(let asked, let question): try await isProved(asked, question, of: confirmation.id, token)
            }
        // While the server was asked, another request of this session may have been quicker.
        guard sessions[token]?.confirmation?.id == confirmation.id else {
            throw BankError.refused("Nothing waits to be confirmed.")
        }
        if confirmation.challenge.isCode { guards.noteCode(username, isRight: isRight, at: now()) }
        guard isRight else {
            let tries = confirmation.wrongTries + 1
            sessions[token]?.confirmation?.wrongTries = tries
            guard tries < Confirmation.tries else {
                sessions[token]?.confirmation = nil
                throw BankError.refused("Three wrong codes. Begin again.")
            }
            throw BankError.refused("That is not the code.")
        }
        sessions[token]?.confirmation = nil
        return try finish(confirmation, token)
    }

    /// Whether the receipt proves that exactly this was approved, with the code of this page.
    private func isProved(
        _ asked: Approval, _ question: Question, of confirmation: String, _ token: String
    ) async throws -> Bool {
        let receipt: Receipt
        do {
            let approval = try await client.approval(asked.id, of: question.users.first)
            switch approval.state {
            case .pending: throw BankError.refused("Your wallet has not answered yet.")
            case .approved: receipt = try await client.receipt(asked.id)
            case .denied, .expired, .cancelled:
                // While the server was asked, this session may have begun something else.
                if sessions[token]?.confirmation?.id == confirmation { sessions[token]?.confirmation = nil }
                throw BankError.refused(Self.words(approval))
            }
        } catch let error as ServiceError {
            throw BankError.refused(Self.words(error))
        }
        return receipt.isApproved && receipt.action == question.action && receipt.fields == question.fields
            && receipt.code == asked.code
    }

    private func finish(_ confirmation: Confirmation, _ token: String) throws -> String? {
        let (factor, username) = (confirmation.factor, confirmation.username)
        switch confirmation.act {
        case .signIn:
            time(confirmation, isSignIn: true)
            return renew(token, for: username)
        case .transfer(let transfer):
            guard sessions[token]?.username == username else { throw BankError.signedOut }
            try ledger.book(transfer, of: username, by: factor, at: now())
            time(confirmation, isSignIn: false)
            say("\(transfer.amount) went to \(transfer.payee.name).", token)
        case .change(let factor):
            guard sessions[token]?.username == username else { throw BankError.signedOut }
            try set(factor, of: username, token)
        }
        return nil
    }

    private func time(_ confirmation: Confirmation, isSignIn: Bool) {
        timings.append(
            Timing(factor: confirmation.factor, isSignIn: isSignIn, duration: ContinuousClock.now - confirmation.begun))
        timings = Array(timings.suffix(10_000))
    }

    /// Where the confirmation of a session stands, for its page that waits.
    func state(_ token: String) async -> String {
        guard let confirmation = sessions[token]?.confirmation,
            case .approval(let asked, let question) = confirmation.challenge
        else { return "over" }
        return (try? await client.wait(for: asked.id, of: question.users.first).state.rawValue) ?? "unknown"
    }

    /// The person no longer wants it.
    func cancel(_ token: String) async {
        let confirmation = sessions[token]?.confirmation
        sessions[token]?.confirmation = nil
        await drop(confirmation)
    }

    func drop(_ confirmation: Confirmation?) async {
        guard let confirmation, case .approval(let asked, _) = confirmation.challenge else { return }
        _ = try? await client.cancel(asked.id)
    }

    // MARK: Words

    private static func message(_ code: String, _ act: Confirmation.Act) -> String {
        let what =
            switch act {
            case .signIn: "signs you in"
            case .transfer(let transfer): "pays \(transfer.amount) to \(transfer.payee.name) (\(transfer.payee.number))"
            case .change(let factor): "changes your second factor to: \(factor.words)"
            }
        return "Example Bank: \(code) \(what). Tell nobody."
    }

    private static func input(_ act: Confirmation.Act) -> Card.Input {
        guard case .transfer(let transfer) = act else { return .respond(challenge: Secret.digits(8)) }
        return .sign(account: transfer.payee.number, pence: transfer.amount.pence)
    }

    private static func words(_ approval: Approval) -> String {
        switch approval.state {
        case .denied:
            approval.isNotMe
                ? "It was denied in your wallet as not from you. Change your password."
                : "It was denied in your wallet. Nothing was done."
        case .expired: "Nobody answered in time. Begin again."
        case .cancelled: "It was ended after wrong codes, or because you let nobody ask you. Begin again."
        case .pending, .approved: ""
        }
    }

    static func words(_ error: ServiceError) -> String {
        switch error {
        case .refused(let refusal):
            switch refusal.name {
            case "already_waiting": "Your wallet has a question of this browser already. Answer it first."
            case "backing_off", "denied": "You denied a question lately. Wait \(refusal.retryAfter ?? 60) seconds."
            case "budget_used": "You were asked too often. Try again later."
            case "not_now": "Your wallet takes no questions now. Look there whether approvals are frozen, or try later."
            default: refusal.detail
            }
        case .badReceipt: "The approval server's proof does not hold. Nothing was done."
        case .unreachable: "The approval server does not answer. Try again."
        case .unauthenticated, .unexpectedAnswer, .unacceptableKey, .unacceptableAddress:
            "The approval server and this bank do not understand each other."
        }
    }
}
