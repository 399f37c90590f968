public import Encodings

/// The service's side of continuous authentication: it finds out when the Pico has gone (section 6).
///
/// It waits for a message, answers, and waits again. When the session stops, fails or is lost, lock what it opened.
///
/// Times are milliseconds on any clock that only goes forward.
public struct PicoContinuousVerifier: Sendable {
    private var channel: ReauthChannel
    private let timings: PicoTimings
    /// Until when the next message of the Pico has to be here.
    public private(set) var deadline: Int64

    /// A session that begins now.
    ///
    /// - Throws: `suiteFailed`.
    public init<Suite: PicoCryptoSuite>(
        _ session: PicoSession, timings: PicoTimings = .usual, at now: Int64, suite: Suite
    ) throws(PicoError) {
        channel = try ReauthChannel(session, sendsFirst: false, suite: suite)
        self.timings = timings
        deadline = now + Int64(timings.first)
    }

    /// Where the session is.
    public var state: PicoContinuousState { channel.state }

    /// Takes a message of the Pico.
    ///
    /// - Returns: the state that it announces, which is the session's from now on.
    /// - Throws: `timedOut`, `malformed`, `tooLarge`, `wrongSession`, `cannotOpen`, `wrongSequence`, `forbiddenMove`,
    ///   `peerFailed` or `outOfOrder`; the session is over.
    public mutating func receive<Suite: PicoCryptoSuite>(
        _ message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> PicoContinuousState {
        try check(at: now)
        let opened = try channel.open(message, suite: suite)
        guard opened.sessionID == channel.sessionID else { throw .wrongSession }
        let reauth = try PicoReauth.parse(opened.plaintext)
        try channel.take(reauth.state, reauth.sequence, after: opened.before)
        return reauth.state
    }

    /// Makes the answer.
    ///
    /// - Parameter state: what to announce; the Pico's own state unless the service wants to pause or stop.
    /// - Throws: `outOfOrder`, `forbiddenMove`, `exhausted` or `suiteFailed`; the session is over.
    public mutating func reply<Suite: PicoCryptoSuite>(
        _ state: PicoContinuousState? = nil, at now: Int64, suite: Suite
    ) throws(PicoError) -> Bytes {
        let announced = state ?? channel.state
        let timeout = timings.timeout(announced)
        let message = try channel.send(announced, suite: suite) {
            ServiceReauth(state: announced, timeout: timeout, sequence: $0).encoded()
        }
        deadline = now + Int64(max(timeout, 0)) + Int64(timings.grace)
        return message
    }

    /// Ends the session if the Pico is late.
    ///
    /// - Throws: `timedOut`; then the Pico is lost.
    public mutating func check(at now: Int64) throws(PicoError) {
        guard !channel.isOurTurn, !channel.state.isOver, now > deadline else { return }
        channel.fail()
        throw .timedOut
    }
}
