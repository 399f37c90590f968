import CryptoProvider
package import Pico

/// Both sides of continuous authentication over a channel: the session is open while the Pico answers (section 6).
package struct PicoStay: Sendable {
    private let channel: any PicoChannel
    private let clock: PicoClock
    private let timings: PicoTimings
    private let suite = SwiftCryptoSuite()

    /// A session over the channel of its run.
    package init(over channel: any PicoChannel, clock: PicoClock = .system, timings: PicoTimings = .usual) {
        self.channel = channel
        self.clock = clock
        self.timings = timings
    }

    /// Shows again and again that the wallet is there, until the person or the service stops.
    ///
    /// - Parameters:
    ///   - presence: what the person wants.
    ///   - report: learns the state of the session after each answer.
    /// - Throws: when the service is lost or breaks the rules; it then locks.
    package func prove(
        _ session: PicoSession, presence: PicoPresence, report: @Sendable (PicoContinuousState) -> Void
    ) async throws(PicoRunError) {
        try await channel.closingOnFailure { () throws(PicoRunError) in
            var prover = try picoStep { () throws(PicoError) in
                try PicoContinuousProver(session, timings: timings, at: clock.now(), suite: suite)
            }
            while true {
                let wish = presence.wish
                let message = try picoStep { () throws(PicoError) in
                    try prover.send(wish, at: clock.now(), suite: suite)
                }
                try await channel.send(message, before: prover.deadline)
                let answer = try await channel.receive(before: prover.deadline)
                let taken = try picoStep { () throws(PicoError) in
                    try prover.receive(answer, at: clock.now(), suite: suite)
                }
                report(taken.state)
                guard let next = taken.sendAt else { return }
                try await wait(until: next, or: presence, differsFrom: wish)
            }
        }
    }

    /// Watches a Pico until it stops.
    ///
    /// - Parameters:
    ///   - ends: whether the service wants to end the session, asked after each report.
    ///   - report: learns the state of the session after each message.
    /// - Throws: when the Pico is lost or breaks the rules; then lock.
    package func watch(
        _ session: PicoSession, ends: @Sendable () -> Bool = { false },
        report: @Sendable (PicoContinuousState) -> Void
    ) async throws(PicoRunError) {
        try await channel.closingOnFailure { () throws(PicoRunError) in
            var verifier = try picoStep { () throws(PicoError) in
                try PicoContinuousVerifier(session, timings: timings, at: clock.now(), suite: suite)
            }
            while true {
                let message = try await channel.receive(before: verifier.deadline)
                let told = try picoStep { () throws(PicoError) in
                    try verifier.receive(message, at: clock.now(), suite: suite)
                }
                report(told)
                let answer: PicoContinuousState? = ends() ? .stopped : nil
                let reply = try picoStep { () throws(PicoError) in
                    try verifier.reply(answer, at: clock.now(), suite: suite)
                }
                let state = answer ?? told
                // A Pico that stops may not wait for the answer.
                if state.isOver {
                    try? await channel.send(reply, before: clock.now() + Int64(timings.grace))
                    return
                }
                try await channel.send(reply, before: verifier.deadline)
            }
        }
    }

    private func wait(
        until time: Int64, or presence: PicoPresence, differsFrom wish: PicoContinuousState
    ) async throws(PicoRunError) {
        await withTaskGroup(of: Void.self) { [sleep = clock.sleep] group in
            group.addTask { try? await sleep(time) }
            group.addTask { await presence.changed(from: wish) }
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { throw .cancelled }
    }
}
