import Approvals
import CryptoProvider
package import Encodings
package import Interface

/// What a service asks, checked against the key that the wallet keeps of it: every line of it is what is signed.
package struct ShownQuestion: Sendable {
    /// The id, 32 hexadecimal digits.
    package let id: String
    /// The service's id, most often its domain.
    package let domain: String
    /// Label and text, in their order; a person sees all of them before they answer.
    package let lines: [(label: String, text: Bytes)]
    /// How many digits the code has that the asking page shows; `nil` for none.
    package let digits: Int?
    /// When it was asked, in seconds since 1970, as the service has signed it.
    package let created: Int64
    /// Until when it can be answered, in seconds since 1970.
    package let expires: Int64
    let signed: SignedApprovalChallenge
}

/// An answer that the log has recorded.
package struct GivenApproval: Codable, Sendable {
    /// The id of what was asked.
    package let id: String
    /// Where it stands now.
    package let state: ApprovalState
    /// How many approvals are still needed.
    package let missing: Int
    /// What the log says.
    package let act: LoggedAct
}

/// What services ask, and answers.
extension WalletClient {
    /// What waits for the account's answer.
    package func challenges() async throws -> [MemberChallenge] { try await session().challenges() }

    /// What the account was asked, newest first, with what became of each.
    package func approvalHistory() async throws -> [MemberChallenge] { try await session().approvalHistory() }

    /// One of them as it stands now, by its id.
    package func challenge(_ id: String) async throws -> MemberChallenge { try await session().challenge(id) }

    /// One question, by its id or as `authreq:2:…`, with every line to be shown.
    ///
    /// - Throws: `badApproval` unless a service has signed it with which this wallet is enrolled.
    package func question(_ given: String) async throws -> ShownQuestion {
        let message: Bytes
        if let link = try? ApprovalLink.parse(Bytes(text: given)) {
            message = link
        } else {
            guard let found = try await session().challenge(given).message?.fromBase64URL else {
                throw WalletError.unexpectedAnswer("a question without words")
            }
            message = found
        }
        guard let parsed = try? UnverifiedApprovalChallenge.parse(message) else {
            throw WalletError.badApproval("that is not a service's question")
        }
        let challenge = parsed.challenge
        guard let own = key(for: challenge), let serverKey = own.serverKey.fromBase64URL,
            let pinned = P256PublicKey(x963: serverKey),
            let signed = try? parsed.verified(service: Bytes(text: own.domain), key: pinned, suite: suite)
        else { throw WalletError.badApproval("no service has signed it with which this wallet is enrolled") }
        return ShownQuestion(
            id: challenge.id.hex, domain: own.domain, lines: challenge.lines.map { ("\($0.label)", $0.text) },
            digits: challenge.match?.digits, created: challenge.created, expires: challenge.expires, signed: signed)
    }

    /// Allows what a person was shown.
    ///
    /// - Parameter code: what the asking page shows, when the question asks for it.
    package func allow(_ question: ShownQuestion, code: String?) async throws -> GivenApproval {
        try await answer(question, .allow(code: code.map { Bytes(text: $0) }), "approval.given")
    }

    /// Denies what a person was shown.
    package func deny(_ question: ShownQuestion, _ denial: ApprovalDenial) async throws -> GivenApproval {
        let reason: DenialReason = denial.reason == .mistake ? .mistake : .notMe
        let scope: DenialScope =
            switch denial.scope {
            case .request: .request
            case .service: .service
            case .account: .account
            }
        return try await answer(question, .deny(reason, scope), "approval.denied")
    }

    /// Puts a question aside unanswered, or brings it back.
    package func setDiscarded(_ id: String, _ isDiscarded: Bool) async throws -> MemberChallenge {
        try await session().setDiscarded(id, isDiscarded)
    }

    /// The receipt of what was decided: bytes that anybody can check.
    package func approvalReceipt(_ id: String) async throws -> Bytes {
        guard let receipt = try await session().approvalReceipt(id).receipt.fromBase64URL else {
            throw WalletError.unexpectedAnswer("a receipt without bytes")
        }
        return receipt
    }

    /// How often services may ask, and whether nobody may.
    package func approvalSettings() async throws -> ApprovalSettings { try await session().approvalSettings() }
    /// Changes how often services may ask.
    package func setApprovalBudget(_ budget: ApprovalBudget) async throws -> ApprovalSettings {
        try await session().setApprovalBudget(budget)
    }
    /// Lets no service ask.
    package func freezeApprovals() async throws -> ApprovalSettings { try await session().freezeApprovals() }
    /// Lets services ask again.
    package func unfreezeApprovals() async throws -> ApprovalSettings { try await session().unfreezeApprovals() }

    private func answer(
        _ question: ShownQuestion, _ decision: ApprovalDecision, _ type: String
    ) async throws -> GivenApproval {
        guard let own = key(for: question.signed.challenge), let secret = own.key.fromBase64URL else {
            throw WalletError.badApproval("this wallet is not enrolled with the service")
        }
        guard let bytes = try? question.signed.bytesToSign(decision, suite: suite) else {
            throw WalletError.invalid(
                question.digits.map { "give the code of \($0) digits that the asking page shows" }
                    ?? "this question has no code")
        }
        let key = try SigningKey(rawRepresentation: secret)
        let answer = ApprovalAnswer(
            to: question.signed, decision, key: key.publicKey, signature: try key.sign(bytes), suite: suite)
        let given = try await server.answer(ApprovalMessage(message: answer.encoded().base64URL))
        let act = try await check(
            given.receipt, type,
            [
                ("challenge", .text(suite.sha256(question.signed.statement).base64URL)),
                ("public_key", .text(key.publicKey.x963.base64URL)),
            ])
        return GivenApproval(id: given.id, state: given.state, missing: given.missing, act: act)
    }

    /// The newest confirmed key of this wallet that may answer.
    private func key(for challenge: ApprovalChallenge) -> WalletSecrets.ApprovalKey? {
        let (domain, labels) = (challenge.service.id, challenge.approvers.map(\.base64URL))
        return wallet.secrets.approvals?.last {
            $0.isEnrolled && Bytes(text: $0.domain) == domain && labels.contains($0.label)
        }
    }
}

extension ServerClient {
    func challenges() async throws -> [MemberChallenge] { try await list("/api/approvals/challenges") }
    func challenge(_ id: String) async throws -> MemberChallenge {
        // With every word of it, 64 KiB and more.
        try await get("/api/approvals/challenges/\(Self.segment(id))")
    }
    func approvalHistory() async throws -> [MemberChallenge] { try await list("/api/approvals/history") }
    func setDiscarded(_ id: String, _ isDiscarded: Bool) async throws -> MemberChallenge {
        let path = try "/api/approvals/challenges/\(Self.segment(id))/discard"
        guard isDiscarded else { return try await delete(path) }
        return try await put(path)
    }
    package func answer(_ message: ApprovalMessage) async throws -> AnsweredChallenge {
        try await post("/api/approvals/answers", message)
    }
    func approvalSettings() async throws -> ApprovalSettings { try await get("/api/approvals/settings") }
    func setApprovalBudget(_ budget: ApprovalBudget) async throws -> ApprovalSettings {
        try await put("/api/approvals/settings", budget)
    }
    func freezeApprovals() async throws -> ApprovalSettings { try await put("/api/approvals/freeze") }
    func unfreezeApprovals() async throws -> ApprovalSettings { try await delete("/api/approvals/freeze") }
    func approvalReceipt(_ id: String) async throws -> ApprovalReceiptFile {
        try await get("/api/approvals/challenges/\(Self.segment(id))/receipt")
    }
}
