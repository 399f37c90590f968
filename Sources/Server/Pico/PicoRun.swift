import EllipticCurves
import Encodings
import Pico
import Synchronization

/// A pairing or a sign-in under way: a code that a page shows, and the verifier behind it.
///
/// Nothing of it is stored. It moves only while the page that it is for waits, so a page that is closed leaves nothing behind
/// but this until its time is over.
final class PicoRun: Sendable {
    /// Whom it is for.
    enum Purpose: Sendable {
        /// Pairs a wallet with an account, from this session of it.
        case pairing(account: String, session: String, device: String?, name: String)
        /// Signs in the browser that has the secret with this hash; a locked session of the same account is replaced.
        case signIn(secret: String, isContinuous: Bool, replaces: String?)
    }

    /// Where it is, as the page is told.
    enum Stage: Sendable, Equatable { case waiting, seen, denied, over }

    /// What became of a message.
    enum Taken {
        /// To be sent, and then the next message comes.
        case answer(Bytes)
        /// Somebody has proved a key; it is to be decided.
        case claim(PicoClaim, PicoVerifier)
        /// No more of this; a Status that says no, if there can be one.
        case refuse(Bytes?)
    }

    private struct State {
        var verifier: PicoVerifier
        var hasStarted = false
        var attempts = Limits.picoAttempts
        var stage = Stage.waiting
        /// Whether a wallet's owner looks at it, and the page does not know yet.
        var isSeenUntold = false
        /// When somebody last waited for it, or it began.
        var lastWait: Int64
    }

    let id: String
    /// The name of its channel, which is in the code.
    let channel: String
    let purpose: Purpose
    /// Where the page is that shows the code.
    let address: String
    /// What its browser calls itself.
    let browser: String?
    let created: Int64
    let expires: Int64
    /// The end by a clock that is never set back, in milliseconds.
    let end: Int64
    /// Where the page waits.
    let place = PicoPlace()
    private let identity: ECPrivateKey
    private let state: Mutex<State>

    /// Of whom and when.
    struct Origin: Sendable {
        var address: String
        var browser: String?
        var created: Int64
        /// In milliseconds, on the clock that is never set back.
        var uptime: Int64
    }

    init(id: String, channel: String, _ purpose: Purpose, from origin: Origin, identity: ECPrivateKey) {
        (self.id, self.channel, self.purpose) = (id, channel, purpose)
        (address, browser, created) = (origin.address, origin.browser, origin.created)
        expires = origin.created + Limits.picoCodeTime
        end = origin.uptime + Limits.picoCodeTime * 1_000
        self.identity = identity
        state = Mutex(
            State(verifier: Self.verifier(identity, purpose, at: origin.uptime), lastWait: origin.uptime))
    }

    private static func verifier(_ identity: ECPrivateKey, _ purpose: Purpose, at uptime: Int64) -> PicoVerifier {
        let purpose: PicoVerifier.Purpose = if case .pairing = purpose { .pairing } else { .authentication }
        return PicoVerifier(
            identity: identity, purpose: purpose, at: uptime, lifetime: Limits.picoCodeTime * 1_000)
    }

    /// What it counts for while it waits at its channel.
    ///
    /// The page's own request counts for its address. The wait has places of its own: nobody at the same address takes them by
    /// waiting at channels.
    var waiter: String { "page \(ClientAddress.network(of: address))" }

    func stage(at uptime: Int64) -> Stage { uptime < end ? state.withLock { $0.stage } : .over }

    /// Whether the page has to wait: it still counts, and the page knows all there is to know.
    func isWaiting(at uptime: Int64) -> Bool {
        guard uptime < end else { return false }
        return state.withLock { !$0.isSeenUntold && ($0.stage == .waiting || $0.stage == .seen) }
    }

    /// A wallet's owner looks at it.
    func see() {
        state.withLock { state in
            guard state.stage == .waiting else { return }
            (state.stage, state.isSeenUntold) = (.seen, true)
        }
    }

    /// Where it is, which the page is told now.
    func tell(at uptime: Int64) -> Stage {
        state.withLock { $0.isSeenUntold = false }
        return stage(at: uptime)
    }

    /// A wallet's owner said no; also after a proof that is still to be decided.
    func deny() { state.withLock { if $0.stage != .over { $0.stage = .denied } } }

    /// It no longer counts.
    ///
    /// - Returns: whether it counted until now. Of two who ask, one is told so.
    @discardableResult
    func finish() -> Bool {
        state.withLock { state in
            defer { state.stage = .over }
            return state.stage == .waiting || state.stage == .seen
        }
    }

    /// The page waits no more, for now.
    func leave(at uptime: Int64) {
        state.withLock { $0.lastWait = uptime }
        place.leave()
    }

    /// Whether it can be forgotten when there is no room: it is over, or no page has waited for it for a while.
    func isAbandoned(at uptime: Int64) -> Bool {
        guard uptime < end else { return true }
        return state.withLock { state in
            state.stage == .over || (!place.isTaken && uptime - state.lastWait > Limits.picoAbsence * 1_000)
        }
    }

    /// Takes what came through the channel.
    ///
    /// A wallet that begins again, since an answer was lost, is answered with fresh keys.
    func take(_ body: Bytes, suite: some PicoCryptoSuite, at uptime: Int64) -> Taken {
        state.withLock { state in
            let fresh = Self.verifier(identity, purpose, at: uptime)
            do throws(PicoError) {
                let message = try PicoFrame.decode(body)
                guard state.hasStarted else {
                    let answer = try state.verifier.receive(start: message, at: uptime, suite: suite)
                    (state.hasStarted, state.stage) = (true, state.stage == .waiting ? .seen : state.stage)
                    return .answer(answer)
                }
                do throws(PicoError) {
                    let claim = try state.verifier.receive(picoAuth: message, at: uptime, suite: suite)
                    let deciding = state.verifier
                    (state.verifier, state.hasStarted) = (fresh, false)
                    return .claim(claim, deciding)
                } catch {
                    let status = try? state.verifier.reject(suite: suite)
                    state.verifier = fresh
                    if let answer = try? state.verifier.receive(start: message, at: uptime, suite: suite) {
                        fail(&state)
                        return .answer(answer)
                    }
                    (state.verifier, state.hasStarted) = (fresh, false)
                    fail(&state)
                    return .refuse(status)
                }
            } catch {
                (state.verifier, state.hasStarted) = (fresh, false)
                fail(&state)
                return .refuse(nil)
            }
        }
    }

    /// Counts a wallet that was refused: who sees the code cannot try for long.
    func refuse() { state.withLock { fail(&$0) } }

    private func fail(_ state: inout State) {
        state.attempts -= 1
        if state.attempts <= 0 { state.stage = .over }
    }
}
