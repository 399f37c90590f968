public import Encodings

extension ApprovalReceipt {
    /// Checks a receipt from its bytes alone.
    ///
    /// - Parameters:
    ///   - bytes: the receipt.
    ///   - services: those that the reader trusts.
    /// - Throws: the first thing that is wrong.
    public static func verify<Suite: CryptoSuite>(
        _ bytes: Bytes, trusting services: [TrustedApprovalService], suite: Suite
    ) throws(ApprovalReceiptError) -> VerifiedApprovalReceipt {
        let (receipt, outcome, outcomeSignature) = try parse(bytes)
        let challenge = receipt.challenge.challenge
        guard
            services.contains(TrustedApprovalService(id: challenge.service.id, key: challenge.serverKey))
        else { throw .unknownService }
        let key = challenge.serverKey.x963
        guard suite.isValidP256(receipt.challenge.signature, over: receipt.challenge.statement, publicKey: key) else {
            throw .badChallengeSignature
        }
        guard suite.isValidP256(outcomeSignature, over: outcome, publicKey: key) else { throw .badOutcomeSignature }
        guard receipt.outcome(suite: suite).statement() == outcome else { throw .otherOutcome }
        guard receipt.shown == challenge.shown(suite: suite) else { throw .otherText }
        try receipt.checkCode(suite: suite)
        let answers = try receipt.checkAnswers(suite: suite)
        return VerifiedApprovalReceipt(
            challenge: challenge, lines: challenge.lines, decision: receipt.decision, answers: answers,
            time: receipt.time)
    }

    /// Reads the parts of a receipt; nothing is checked yet.
    private static func parse(
        _ bytes: Bytes
    ) throws(ApprovalReceiptError) -> (receipt: ApprovalReceipt, outcome: Bytes, signature: Bytes) {
        guard let value = try? Bencode.parse(bytes, maximumLength: maximumLength, maximumDepth: 3, maximumCount: 256),
            let list = value.list, list.count == 9, list[0].string?.equals("receipt") == true,
            let statement = list[1].string, let signature = list[2].string, signature.count == 64,
            let label = list[3].string, let answers = list[5].list, let salt = list[6].string,
            let outcome = list[7].string, let outcomeSignature = list[8].string, outcomeSignature.count == 64,
            let challenge = try? ApprovalChallenge.parse(statement),
            let (decision, shown) = try? ApprovalDecision.read(label, list[4]),
            let decided = try? ApprovalOutcome.parse(outcome)
        else { throw .malformed }
        guard salt.isEmpty || salt.count == 32 else { throw .malformed }
        var given: [ReceiptAnswer] = []
        for answer in answers { given.append(try ReceiptAnswer(answer)) }
        let receipt = ApprovalReceipt(
            challenge: SignedApprovalChallenge(challenge: challenge, statement: statement, signature: signature),
            decision: decision, shown: shown, answers: given, salt: salt.isEmpty ? nil : salt, time: decided.time)
        return (receipt, outcome, outcomeSignature)
    }

    /// A code must be there exactly when it was asked for and somebody allowed.
    private func checkCode<Suite: CryptoSuite>(suite: Suite) throws(ApprovalReceiptError) {
        let match = challenge.challenge.match
        guard decision.fits(match) else { throw .wrongCode }
        guard case .allow(let code?) = decision, let match else {
            guard salt == nil else { throw .malformed }
            return
        }
        guard let salt, match.isMet(code: code, salt: salt, suite: suite) else { throw .wrongCode }
    }

    private func checkAnswers<Suite: CryptoSuite>(
        suite: Suite
    ) throws(ApprovalReceiptError) -> [VerifiedApprovalReceipt.Answer] {
        let asked = challenge.challenge
        guard answers.count == (decision.label == .allow ? asked.need : 1) else { throw .wrongQuorum }
        guard time >= asked.created, time <= asked.expires else { throw .wrongTime }
        let signed = ApprovalStatement.device(
            decision.label, answering: challenge.statement, decision.dictionary(shown: shown))
        var verified: [VerifiedApprovalReceipt.Answer] = []
        for (index, answer) in answers.enumerated() {
            guard let confirmation = try? DeviceConfirmation.parse(answer.confirmation),
                confirmation.serverKey == asked.serverKey, confirmation.service.id == asked.service.id,
                suite.isValidP256(
                    answer.confirmationSignature, over: answer.confirmation, publicKey: asked.serverKey.x963)
            else { throw .badConfirmation(index) }
            guard asked.approvers.contains(confirmation.account),
                !verified.contains(where: { $0.account == confirmation.account })
            else { throw .notAnApprover(index) }
            guard answer.time >= max(asked.created, confirmation.time), answer.time <= time else { throw .wrongTime }
            guard suite.isValidP256(answer.signature, over: signed, publicKey: confirmation.device.x963) else {
                throw .badAnswerSignature(index)
            }
            verified.append(
                VerifiedApprovalReceipt.Answer(
                    account: confirmation.account, device: confirmation.device, name: confirmation.name,
                    time: answer.time))
        }
        return verified
    }
}

extension TrustedApprovalService {
    /// The service that a receipt says it is from; whether to trust it is for its reader to say.
    ///
    /// - Returns: `nil` for what is no receipt.
    public init?(of receipt: Bytes) {
        guard
            let value = try? Bencode.parse(
                receipt, maximumLength: ApprovalReceipt.maximumLength, maximumDepth: 3, maximumCount: 256),
            let list = value.list, list.count == 9, list[0].string?.equals("receipt") == true,
            let statement = list[1].string, let challenge = try? ApprovalChallenge.parse(statement)
        else { return nil }
        self.init(id: challenge.service.id, key: challenge.serverKey)
    }
}
