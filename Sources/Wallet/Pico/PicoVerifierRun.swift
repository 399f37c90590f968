import CryptoProvider
package import EllipticCurves
package import Encodings
package import Pico

/// What a service decides about a Pico that has proved its key.
package enum PicoDecision: Sendable {
    /// Come in, and bring the extra data next time; perhaps stay.
    case accept(PicoVerifier.Authorisation, continuous: Bool, extraData: Bytes)
    /// No.
    case refuse
}

/// A Pico that was accepted.
package struct PicoAdmission: Sendable {
    /// Who it is.
    package let claim: PicoClaim
    /// What continuous authentication needs, if it follows.
    package let session: PicoSession?
}

/// The service's side of a run over a channel: for tests, scripts, and programs that people sign in to.
package struct PicoVerifierRun: Sendable {
    /// How long a refusal waits for somebody who reads it, in milliseconds.
    private static let refusalTime: Int64 = 5_000

    private let channel: any PicoChannel
    private let clock: PicoClock
    private let lifetime: Int64
    private let patience: Int64
    private let suite = SwiftCryptoSuite()

    /// A run over a channel.
    ///
    /// - Parameters:
    ///   - lifetime: how long the code counts, in milliseconds.
    ///   - patience: the longest wait for a message after the first, in milliseconds.
    package init(
        over channel: any PicoChannel, clock: PicoClock = .system, lifetime: Int64 = 300_000,
        patience: Int64 = PicoVerifier.patience
    ) {
        self.channel = channel
        self.clock = clock
        self.lifetime = lifetime
        self.patience = patience
    }

    /// Waits for a Pico, checks it, asks for the decision and tells it.
    ///
    /// - Parameters:
    ///   - identity: the service's long-term key.
    ///   - curves: others than P-256 only if the service was marked as old.
    ///   - decide: looks the key up, or stores it; what must last is stored before it returns.
    /// - Throws: `refused(.notAuthorised)` if the decision is no.
    package func admit(
        identity: ECPrivateKey, purpose: PicoVerifier.Purpose, curves: PicoCurves = .current,
        decide: (PicoClaim) throws(PicoRunError) -> PicoDecision
    ) async throws(PicoRunError) -> PicoAdmission {
        try await channel.closingOnFailure { () throws(PicoRunError) in
            var verifier = PicoVerifier(
                identity: identity, purpose: purpose, curves: curves, at: clock.now(), lifetime: lifetime)
            let start = try await channel.receive(before: clock.now() + lifetime)
            let serviceAuth = try picoStep { () throws(PicoError) in
                try verifier.receive(start: start, at: clock.now(), suite: suite)
            }
            try await channel.send(serviceAuth, before: clock.now() + patience)
            let picoAuth = try await channel.receive(before: clock.now() + patience)
            let answer: (claim: PicoClaim, status: Bytes, session: PicoSession?)
            do throws(PicoRunError) {
                answer = try admit(picoAuth, &verifier, decide)
            } catch {
                if let refusal = try? verifier.reject(suite: suite) {
                    // That nobody reads it changes nothing.
                    try? await channel.send(refusal, before: clock.now() + Self.refusalTime)
                }
                throw error
            }
            try await channel.send(answer.status, before: clock.now() + patience)
            return PicoAdmission(claim: answer.claim, session: answer.session)
        }
    }

    private func admit(
        _ picoAuth: Bytes, _ verifier: inout PicoVerifier,
        _ decide: (PicoClaim) throws(PicoRunError) -> PicoDecision
    ) throws(PicoRunError) -> (claim: PicoClaim, status: Bytes, session: PicoSession?) {
        let claim = try picoStep { () throws(PicoError) in
            try verifier.receive(picoAuth: picoAuth, at: clock.now(), suite: suite)
        }
        guard case .accept(let authorisation, let continuous, let extraData) = try decide(claim) else {
            throw .refused(.notAuthorised)
        }
        let (status, session) = try picoStep { () throws(PicoError) in
            try verifier.accept(
                authorisation, continuous: continuous, extraData: extraData, at: clock.now(), suite: suite)
        }
        return (claim, status, session)
    }
}
