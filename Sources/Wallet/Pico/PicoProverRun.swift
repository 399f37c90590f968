import CryptoProvider
package import EllipticCurves
package import Encodings
package import Pico

/// The wallet's side of a run over a channel: four messages, then the result.
///
/// The person was asked before: a run has no step that waits for them. PicoAuth, which tells who they are, is made only
/// after every check of the service.
package struct PicoProverRun: Sendable {
    private let channel: any PicoChannel
    private let clock: PicoClock
    private let patience: Int64
    private let suite = SwiftCryptoSuite()

    /// A run over a channel.
    ///
    /// - Parameter patience: the longest wait for a message, in milliseconds.
    package init(over channel: any PicoChannel, clock: PicoClock = .system, patience: Int64 = PicoProver.patience) {
        self.channel = channel
        self.clock = clock
        self.patience = patience
    }

    /// Pairs with the service of a code.
    ///
    /// - Parameter identity: a new key, for this pairing alone.
    package func pair(
        with code: PicoPairingCode, curves: PicoCurves, identity: ECPrivateKey
    ) async throws(PicoRunError) -> PicoOutcome {
        try await run(identity, extraData: []) { now, suite throws(PicoError) in
            try PicoProver.pair(with: code, curves: curves, at: now, suite: suite)
        }
    }

    /// Signs in to the service of a code.
    ///
    /// - Parameter extraData: what the service handed out at the pairing, byte for byte.
    package func signIn(
        with code: PicoAuthenticationCode, pairing: PicoPairing, identity: ECPrivateKey, extraData: Bytes
    ) async throws(PicoRunError) -> PicoOutcome {
        try await run(identity, extraData: extraData) { now, suite throws(PicoError) in
            try PicoProver.authenticate(with: code, pairing: pairing, at: now, suite: suite)
        }
    }

    private func run(
        _ identity: ECPrivateKey, extraData: Bytes,
        _ begin: (Int64, SwiftCryptoSuite) throws(PicoError) -> (prover: PicoProver, start: Bytes)
    ) async throws(PicoRunError) -> PicoOutcome {
        try await channel.closingOnFailure { () throws(PicoRunError) in
            var (prover, start) = try picoStep { () throws(PicoError) in try begin(clock.now(), suite) }
            try await channel.send(start, before: deadline)
            let serviceAuth = try await channel.receive(before: deadline)
            let picoAuth = try picoStep { () throws(PicoError) in
                _ = try prover.receive(serviceAuth: serviceAuth, at: clock.now(), suite: suite)
                return try prover.answer(with: identity, extraData: extraData, at: clock.now(), suite: suite)
            }
            try await channel.send(picoAuth, before: deadline)
            let status = try await channel.receive(before: deadline)
            return try picoStep { () throws(PicoError) in
                try prover.receive(status: status, at: clock.now(), suite: suite)
            }
        }
    }

    private var deadline: Int64 { clock.now() + patience }
}
