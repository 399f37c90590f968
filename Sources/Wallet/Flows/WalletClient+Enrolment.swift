import CryptoProvider
import Encodings
package import Interface

/// The holder's side: a code is shown and waits for an administrator.
package struct PendingEnrolment: Sendable {
    /// To be shown.
    package let code: EnrolmentCode
    /// When the check runs out, in seconds since 1970.
    package let expires: Int64
    let nonce: Bytes
}

/// The holder's side: the administrator's nonce was signed; now both compare six digits.
package struct AnsweredEnrolment: Sendable {
    /// The id of the check.
    package let id: String
    /// What the administrator must show too.
    package let digits: String
    /// The administrator's name, as the server says.
    package let administrator: String
}

extension WalletClient {
    /// Opens a face-to-face check and gives the code to show.
    package func beginEnrolment() async throws -> PendingEnrolment {
        let nonce = RandomBytes.make(32)
        let commitment = SHA256.hash(nonce)
        let enrolment = try await session().openEnrolment(EnrolmentRequest(commitment: commitment.base64URL))
        let code = EnrolmentCode(
            server: wallet.header.publicURL, enrolment: enrolment.id,
            signingKey: try wallet.signingKey().publicKey.thumbprint,
            encryptionKey: try wallet.encryptionKey().publicKey.thumbprint, commitment: commitment)
        return PendingEnrolment(code: code, expires: enrolment.expires, nonce: nonce)
    }

    /// Eight characters that find the check, once, for five minutes: for an administrator who cannot take the code.
    package func typedCode(of pending: PendingEnrolment) async throws -> TypedCode {
        try await session().typedCode(ofEnrolment: pending.code.enrolment)
    }

    /// Waits until an administrator has taken the code, opens the commitment and signs the administrator's nonce.
    ///
    /// - Throws: `enrolmentOver` when someone ended it, `enrolmentExpired` when it ran out of time.
    package func answerEnrolment(_ pending: PendingEnrolment) async throws -> AnsweredEnrolment {
        let id = pending.code.enrolment
        let claimed = try await waitForEnrolment(id, until: .claimed, expires: pending.expires)
        guard let text = claimed.administratorNonce, let nonce = text.fromBase64URL, nonce.count == 32,
            claimed.commitment == pending.code.commitment.base64URL
        else { throw WalletError.badEnrolment("the server shows another check") }
        let holderNonce = pending.nonce.base64URL
        let statement = try wallet.signingKey().signJWS(
            type: "\(Statement.enrolmentType)",
            payload: Statement.enrolment(
                audience: wallet.header.publicURL, enrolment: id, administratorNonce: text, holderNonce: holderNonce,
                time: now()))
        _ = try await session().answerEnrolment(id, EnrolmentAnswer(nonce: holderNonce, statement: statement))
        let digits = Statement.digits(
            holderKey: pending.code.signingKey, encryptionKey: pending.code.encryptionKey, holderNonce: pending.nonce,
            administratorNonce: nonce)
        return AnsweredEnrolment(id: id, digits: digits, administrator: claimed.administrator?.name ?? "")
    }

    /// Waits until the administrator has signed.
    package func waitForCompletion(_ answered: AnsweredEnrolment) async throws {
        let enrolment = try await session().enrolment(answered.id)
        _ = try await waitForEnrolment(answered.id, until: .completed, expires: enrolment.expires)
    }

    /// Gives a check up, on either side.
    package func abandonEnrolment(_ id: String) async throws { _ = try await session().abandonEnrolment(id) }

    /// Waits for a state: looks once, then at every live update, and every second in case one was lost.
    func waitForEnrolment(
        _ id: String, until state: Enrolment.State, expires: Int64
    ) async throws -> Enrolment {
        let client = try session()
        for await _ in Self.occasions(client.events()) {
            let enrolment = try await client.enrolment(id)
            if enrolment.state == state { return enrolment }
            guard enrolment.state != .abandoned, enrolment.state != .completed else {
                throw WalletError.enrolmentOver(enrolment.endedBy)
            }
            guard now() < expires else { throw WalletError.enrolmentExpired }
        }
        throw CancellationError()
    }

    /// Now, with every live update, and every second.
    static func occasions(_ events: AsyncStream<LiveEvent>) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let listening = Task {
            for await _ in events { continuation.yield() }
        }
        let ticking = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                continuation.yield()
            }
        }
        continuation.onTermination = { _ in
            listening.cancel()
            ticking.cancel()
        }
        return stream
    }
}
