import CryptoProvider
import Encodings
import Pico

/// Takes runs on through their channels, as long as a page waits.
struct PicoExchange: Sendable {
    let rendezvous: Rendezvous
    let clock: ServerClock
    let suite: SwiftCryptoSuite

    /// What is decided of a wallet that proved its key.
    enum Decision<Value: Sendable>: Sendable {
        /// It may come in; what follows is done when its answer is made, and gets the session of continuous
        /// authentication, if there is one.
        case accept(
            PicoVerifier.Authorisation, isContinuous: Bool = false,
            then: @Sendable (PicoSession?) async throws -> Value)
        case refuse
    }

    /// Milliseconds on a clock that is never set back.
    var uptime: Int64 { Int64((clock.uptime().inSeconds * 1_000).rounded(.down)) }

    /// Waits for a wallet, at most as long as a request may.
    ///
    /// - Returns: what was decided; `nil` when there is nothing yet, or something to look at has changed.
    /// - Throws: `Problem` `conflict` when somebody else reads from the channel; what a decision throws.
    func advance<Value: Sendable>(
        _ run: PicoRun, _ decide: @Sendable (PicoClaim) async throws -> Decision<Value>
    ) async throws -> Value? {
        let end = min(run.end, uptime + Limits.picoWait * 1_000)
        while run.isWaiting(at: uptime), uptime < end {
            let answer: RendezvousAnswer
            do {
                answer = try await rendezvous.wait(
                    at: run.channel, writing: nil, from: run.waiter, for: .milliseconds(end - uptime)
                ) { run.isWaiting(at: uptime) }
            } catch {
                throw Problem(.tooManyRequests, "Too many requests wait.", retryAfter: Limits.channelPause)
            }
            // Somebody who saw the code takes what is sent to us: the page shows another one.
            if answer == .busy { run.finish() }
            guard case .data(let body) = answer else { return nil }
            switch run.take(body, suite: suite, at: uptime) {
            case .answer(let message): await send(message, run)
            case .refuse(let status):
                if let status { await send(status, run) }
            case .claim(let claim, let verifier):
                if let value = try await settle(claim, verifier, run, decide) { return value }
            }
        }
        return nil
    }

    private func settle<Value: Sendable>(
        _ claim: PicoClaim, _ verifier: PicoVerifier, _ run: PicoRun,
        _ decide: @Sendable (PicoClaim) async throws -> Decision<Value>
    ) async throws -> Value? {
        var (verifier, refusing) = (verifier, verifier)
        do {
            // The owner may have said no since, and a code counts once.
            if case .accept(let authorisation, let isContinuous, let then) = try await decide(claim),
                let answer = try? verifier.accept(
                    authorisation, continuous: isContinuous, at: uptime, suite: suite), run.finish()
            {
                let value = try await then(answer.session)
                await send(answer.status, run)
                return value
            }
        } catch {
            if let status = try? refusing.reject(suite: suite) { await send(status, run) }
            throw error
        }
        run.refuse()
        if let status = try? refusing.reject(suite: suite) { await send(status, run) }
        return nil
    }

    /// Hands a message to the wallet, if it comes for it soon.
    private func send(_ message: Bytes, _ run: PicoRun) async {
        await send(message, to: run.channel, from: run.waiter)
    }

    /// The same to any channel.
    func send(_ message: Bytes, to channel: String, from waiter: String) async {
        _ = try? await rendezvous.wait(
            at: channel, writing: PicoFrame.encode(message), from: waiter, for: Limits.picoReadingTime)
    }
}
