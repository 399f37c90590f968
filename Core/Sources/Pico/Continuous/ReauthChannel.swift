import Encodings

/// What both roles of continuous authentication have: the session, two counters and whose turn it is.
///
/// Each side counts its own messages from a random start. The first number of the peer is taken, and each further one has to
/// follow (section 6; section 12, number 11). Sending and receiving alternate, as a rendezvous channel demands.
struct ReauthChannel: Sendable {
    private let session: PicoSession
    private(set) var own: PicoSequence
    private(set) var expected: PicoSequence?
    private(set) var left: Int
    /// Where the session is.
    private(set) var state = PicoContinuousState.active
    /// Whether we send next.
    private(set) var isOurTurn: Bool

    /// The session id of the service.
    var sessionID: Int32 { session.sessionID }

    /// - Parameter messages: how many may be sent under the key.
    init<Suite: PicoCryptoSuite>(
        _ session: PicoSession, sendsFirst: Bool, messages: Int = PicoLimits.messagesPerKey, suite: Suite
    ) throws(PicoError) {
        self.session = session
        left = messages
        own = try PicoSequence.start(suite: suite)
        isOurTurn = sendsFirst
    }

    /// A channel as it was kept.
    init(
        _ session: PicoSession, own: PicoSequence, expected: PicoSequence?, left: Int, state: PicoContinuousState,
        isOurTurn: Bool
    ) {
        self.session = session
        self.own = own
        self.expected = expected
        self.left = left
        self.state = state
        self.isOurTurn = isOurTurn
    }

    /// The session is over, and not by agreement.
    mutating func fail() { state = .failed }

    /// Seals a message that `layout` makes of our next number.
    ///
    /// - Throws: `outOfOrder` if it is not our turn or the session is over, `forbiddenMove`, `exhausted` or `suiteFailed`;
    ///   any of them ends the session.
    mutating func send<Suite: PicoCryptoSuite>(
        _ next: PicoContinuousState, suite: Suite, layout: (PicoSequence) -> Bytes
    ) throws(PicoError) -> Bytes {
        let before = state
        state = .failed
        guard isOurTurn, before != .failed else { throw .outOfOrder }
        guard before.allows(next) || next == .failed else { throw .forbiddenMove }
        guard left > 0 else { throw .exhausted }
        let message = try SealedMessage.seal(
            layout(own), key: session.key, sessionID: session.sessionID, suite: suite)
        own = own.next
        left -= 1
        isOurTurn = false
        state = next
        return message.encoded()
    }

    /// Opens a message of the peer.
    ///
    /// - Throws: `outOfOrder` if it is our turn or the session is over, `malformed`, `tooLarge` or `cannotOpen`; any of them
    ///   ends the session.
    mutating func open<Suite: PicoCryptoSuite>(_ message: Bytes, suite: Suite) throws(PicoError) -> OpenedReauth {
        let before = state
        state = .failed
        guard !isOurTurn, before != .failed else { throw .outOfOrder }
        let sealed = try SealedMessage.parse(message)
        return OpenedReauth(
            before: before, sessionID: sealed.sessionID, plaintext: try sealed.open(session.key, suite: suite))
    }

    /// Takes what a message says, after its layout was read.
    ///
    /// - Throws: `wrongSequence`, `forbiddenMove` or `peerFailed`; any of them ends the session.
    mutating func take(
        _ next: PicoContinuousState, _ sequence: PicoSequence, after before: PicoContinuousState
    ) throws(PicoError) {
        guard sequence == expected ?? sequence else { throw .wrongSequence }
        guard next != .failed else { throw .peerFailed }
        guard before.allows(next) else { throw .forbiddenMove }
        expected = sequence.next
        isOurTurn = true
        state = next
    }
}

/// A message of the peer that could be opened.
struct OpenedReauth {
    let before: PicoContinuousState
    let sessionID: Int32
    let plaintext: Bytes
}
