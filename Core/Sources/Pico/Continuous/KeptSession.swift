public import Encodings

/// Continuous authentication of a Pico that keeps nothing in memory: a page, whose module answers one call after the other.
extension PicoContinuousProver {
    /// Where the session is, in 83 bytes: the state, whose turn it is, both counters, how many messages are left, and the
    /// times.
    ///
    /// The key of the session is not in it. Keep the two together, and never go on twice from the same place: the service
    /// ends a session whose numbers repeat.
    public var kept: Bytes {
        let expected = channel.expected?.bytes ?? Bytes(repeating: 0, count: PicoLimits.digest)
        var bytes: Bytes = [channel.state.rawValue, channel.isOurTurn ? 1 : 0, channel.expected == nil ? 0 : 1]
        bytes += channel.own.bytes + expected
        bytes += PicoElements.signed(Int32(channel.left)) + PicoElements.signed(lastTimeout)
        return bytes + bigEndianBytes(UInt64(bitPattern: deadline))
    }

    /// A session that goes on where it was kept.
    ///
    /// - Throws: `malformed` for anything but what `kept` gives.
    public init(_ session: PicoSession, kept: Bytes, timings: PicoTimings = .usual) throws(PicoError) {
        var elements = PicoElements(kept)
        guard let state = PicoContinuousState(rawValue: try elements.byte()) else { throw .malformed }
        let isOurTurn = try KeptFlag.read(&elements)
        let hasExpected = try KeptFlag.read(&elements)
        let rest = elements.rest()
        guard rest.count == 2 * PicoLimits.digest + 16 else { throw .malformed }
        let own = try PicoSequence(Array(rest[0..<PicoLimits.digest]))
        let expected = try PicoSequence(Array(rest[PicoLimits.digest..<2 * PicoLimits.digest]))
        var numbers = PicoElements(Array(rest[(2 * PicoLimits.digest)...]))
        let left = Int(try numbers.number())
        let lastTimeout = Int32(bitPattern: try numbers.number())
        let high = UInt64(try numbers.number())
        let deadline = Int64(bitPattern: high << 32 | UInt64(try numbers.number()))
        guard left <= PicoLimits.messagesPerKey, (1...PicoTimings.longest).contains(lastTimeout),
            (0...(1 << 60)).contains(deadline), hasExpected || expected.bytes.allSatisfy({ $0 == 0 })
        else { throw .malformed }
        self.init(
            channel: ReauthChannel(
                session, own: own, expected: hasExpected ? expected : nil, left: left, state: state,
                isOurTurn: isOurTurn),
            timings: timings, lastTimeout: lastTimeout, deadline: deadline)
    }
}

/// A byte that says yes or no.
private enum KeptFlag {
    static func read(_ elements: inout PicoElements) throws(PicoError) -> Bool {
        switch try elements.byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }
}
