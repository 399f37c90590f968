import Encodings

/// A sequence number: 32 bytes, big-endian, which wraps to 0 (section 6).
struct PicoSequence: Sendable, Equatable {
    /// 32 bytes.
    let bytes: Bytes

    /// - Throws: `malformed` unless there are 32 bytes.
    init(_ bytes: Bytes) throws(PicoError) {
        guard bytes.count == PicoLimits.digest else { throw .malformed }
        self.bytes = bytes
    }

    /// A random start, whose first bit is set.
    ///
    /// That bit makes each of our messages fail where the other role's layout would have a length. So it cannot be
    /// reflected, even if the number happened to begin like one (section 13, number 10).
    static func start<Suite: PicoCryptoSuite>(suite: Suite) throws(PicoError) -> PicoSequence {
        var bytes = try suite.fresh(PicoLimits.digest)
        bytes[0] |= 0x80
        return try PicoSequence(bytes)
    }

    /// The next number.
    var next: PicoSequence {
        var next = bytes
        for index in next.indices.reversed() {
            next[index] &+= 1
            if next[index] != 0 { break }
        }
        return PicoSequence(counted: next)
    }

    private init(counted bytes: Bytes) { self.bytes = bytes }
}
