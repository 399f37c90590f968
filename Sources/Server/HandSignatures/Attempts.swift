import Interface
import Storage

/// Keeps failed attempts at the desk: what, who, when and why, and nothing of the movement.
struct Attempts {
    let environment: Environment

    /// Does something; when it is refused as an attempt, that is kept before the refusal is told.
    ///
    /// - Parameters:
    ///   - subject: the client's id; for a person who is not registered, the hash of the number.
    ///   - operatorID: the account at whose desk it was.
    func keeping<Value: Sendable>(
        _ act: DeskAttempt.Act, of subject: String, by operatorID: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as HandSignatureError {
            if let why = DeskAttempt.Why(error) { try await keep(act, why, of: subject, by: operatorID) }
            throw error
        }
    }

    private func keep(
        _ act: DeskAttempt.Act, _ why: DeskAttempt.Why, of subject: String, by operatorID: String
    ) async throws {
        let now = environment.now()
        let attempt = AttemptStore.New(
            id: environment.newIdentifier(), subject: subject, act: act, why: why, operatorID: operatorID)
        try await environment.database.write { try AttemptStore(transaction: $0).add(attempt, at: now) }
    }
}

extension DeskAttempt.Why {
    /// Why an attempt was refused; `nil` for what is no attempt: a slip in a form, or something that is not there.
    init?(_ error: HandSignatureError) {
        switch error {
        case .badSignature: self = .unreadable
        case .unlike, .unlikeSitting: self = .unlike
        case .checkFailed: self = .checkFailed
        case .replayed: self = .recording
        case .otherTool, .noModel: self = .otherTool
        case .otherDocument: self = .otherDocument
        case .otherTemplate: self = .otherTemplate
        case .otherCapture: self = .otherCapture
        case .tooManyAttempts: self = .tooMany
        case .badTicket: self = .badTicket
        case .clientNotFound, .documentNotFound, .signingNotFound, .handoverNotFound, .handoverOver, .invalid,
            .numberTaken, .noForensicKey, .noDeskSigner, .otherVersion, .notAllowed, .tooMany, .secondSittingDone,
            .secondSittingTooEarly, .notDecided, .notConfirmed, .notAnOperator,
            .blockedAlready, .evidenceErased:
            return nil
        }
    }
}
