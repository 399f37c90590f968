public import Encodings

/// The Pico's side of continuous authentication: it shows again and again that it is near (section 6).
///
/// It sends first, waits for the answer, waits as long as the answer says and sends again. Any error ends the session.
///
/// Times are milliseconds on any clock that only goes forward.
public struct PicoContinuousProver: Sendable {
    private(set) var channel: ReauthChannel
    private let timings: PicoTimings
    private(set) var lastTimeout: Int32
    /// Until when the answer of the service has to be here.
    public private(set) var deadline: Int64

    /// What the service answered.
    public struct Answer: Sendable, Equatable {
        /// Where the session is now.
        public let state: PicoContinuousState
        /// When to send the next message; `nil` if the session is over.
        public let sendAt: Int64?
    }

    /// A session that begins now.
    ///
    /// - Throws: `suiteFailed`.
    public init<Suite: PicoCryptoSuite>(
        _ session: PicoSession, timings: PicoTimings = .usual, at now: Int64, suite: Suite
    ) throws(PicoError) {
        channel = try ReauthChannel(session, sendsFirst: true, suite: suite)
        self.timings = timings
        lastTimeout = timings.first
        deadline = now + Int64(timings.first)
    }

    /// A session that was kept.
    init(channel: ReauthChannel, timings: PicoTimings, lastTimeout: Int32, deadline: Int64) {
        self.channel = channel
        self.timings = timings
        self.lastTimeout = lastTimeout
        self.deadline = deadline
    }

    /// Where the session is.
    public var state: PicoContinuousState { channel.state }

    /// Makes the next message.
    ///
    /// - Parameter state: `active`, `paused` when the Pico may be away for longer, or `stopped`.
    /// - Throws: `outOfOrder` before the answer to the last one or after the end, `forbiddenMove`, `exhausted` or
    ///   `suiteFailed`.
    public mutating func send<Suite: PicoCryptoSuite>(
        _ state: PicoContinuousState, at now: Int64, suite: Suite
    ) throws(PicoError) -> Bytes {
        let message = try channel.send(state, suite: suite) { PicoReauth(state: state, sequence: $0).encoded() }
        // A service may answer only when its own time is up.
        deadline = now + Int64(lastTimeout) + Int64(timings.grace)
        return message
    }

    /// Takes the service's answer.
    ///
    /// Its session id is not authenticated, and the old library writes 0 whatever it is: the key tells the session.
    ///
    /// - Throws: `timedOut`, `malformed`, `tooLarge`, `cannotOpen`, `wrongSequence`, `forbiddenMove`, `peerFailed` or
    ///   `outOfOrder`.
    public mutating func receive<Suite: PicoCryptoSuite>(
        _ message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> Answer {
        try check(at: now)
        let opened = try channel.open(message, suite: suite)
        let answer = try ServiceReauth.parse(opened.plaintext)
        guard answer.state.isOver || (1...PicoTimings.longest).contains(answer.timeout) else { throw .malformed }
        try channel.take(answer.state, answer.sequence, after: opened.before)
        guard !answer.state.isOver else { return Answer(state: answer.state, sendAt: nil) }
        lastTimeout = answer.timeout
        return Answer(state: answer.state, sendAt: now + Int64(PicoTimings.pause(answer.timeout)))
    }

    /// Ends the session if the answer is late.
    ///
    /// - Throws: `timedOut`; then the service is lost.
    public mutating func check(at now: Int64) throws(PicoError) {
        guard !channel.isOurTurn, !channel.state.isOver, now > deadline else { return }
        channel.fail()
        throw .timedOut
    }
}
