import CryptoProvider
import Encodings
import Interface
import Pico
import Synchronization

/// A session that is open only while its wallet answers (Pico protocol, section 6).
///
/// Nothing of it is stored but until when the session is open: after a restart, and when no page waits, that time passes.
final class PicoHold: Sendable {
    /// Seconds until the first message of the wallet has to be here.
    static let firstTime = Int64(PicoTimings.usual.first / 1_000)

    private struct State {
        var verifier: PicoContinuousVerifier
        var isOver = false
    }

    /// What became of a message.
    enum Taken { case answer(Bytes, PicoHeldSession.State, seconds: Int64), lost }

    /// The id of the sign-in.
    let id: String
    /// The hash of what the browser that asked keeps to itself.
    let secret: String
    let session: String
    let channel: String
    /// What it counts for while it waits at its channel (``PicoRun/waiter``).
    let waiter: String
    /// Where the page waits.
    let place = PicoPlace()
    private let state: Mutex<State>

    init(
        run: PicoRun, secret: String, session: String, _ held: PicoSession, at uptime: Int64, suite: SwiftCryptoSuite
    ) throws(PicoError) {
        (id, channel, waiter) = (run.id, run.channel, run.waiter)
        (self.secret, self.session) = (secret, session)
        state = Mutex(State(verifier: try PicoContinuousVerifier(held, at: uptime, suite: suite)))
    }

    /// Until when the wallet's next message has to be here, in milliseconds.
    var deadline: Int64 { state.withLock { $0.verifier.deadline } }

    func isOver(at uptime: Int64) -> Bool { state.withLock { $0.isOver || uptime > $0.verifier.deadline } }

    var isPaused: Bool { state.withLock { $0.verifier.state == .paused } }

    /// Takes a message of the wallet; whatever is not its next one ends it.
    ///
    /// - Parameter isEnding: whether the wallet is to hear that the session has ended here.
    func take(_ body: Bytes, ending isEnding: Bool, suite: SwiftCryptoSuite, at uptime: Int64) -> Taken {
        state.withLock { state in
            do throws(PicoError) {
                let announced = try state.verifier.receive(PicoFrame.decode(body), at: uptime, suite: suite)
                let answer = try state.verifier.reply(isEnding ? .stopped : nil, at: uptime, suite: suite)
                switch isEnding ? .stopped : announced {
                case .active:
                    return .answer(answer, .active, seconds: (state.verifier.deadline - uptime) / 1_000)
                case .paused: return .answer(answer, .paused, seconds: 0)
                case .stopped, .failed:
                    state.isOver = true
                    return .answer(answer, .lost, seconds: 0)
                }
            } catch {
                state.isOver = true
                return .lost
            }
        }
    }
}

/// All sessions that wallets hold.
final class PicoHolds: Sendable {
    private let holds = Mutex<[String: PicoHold]>([:])

    /// Adds one, and forgets those that are over.
    ///
    /// - Throws: `Problem` `busy`.
    func add(_ hold: PicoHold, at uptime: Int64) throws(Problem) {
        let isRoom = holds.withLock { holds in
            if holds.count >= Limits.picoRuns { holds = holds.filter { !$0.value.isOver(at: uptime) } }
            guard holds.count < Limits.picoRuns else { return false }
            holds[hold.id] = hold
            return true
        }
        guard isRoom else { throw Problem(.busy) }
    }

    func find(_ id: String) -> PicoHold? { holds.withLock { $0[id] } }

    func remove(_ hold: PicoHold) { _ = holds.withLock { $0.removeValue(forKey: hold.id) } }
}
