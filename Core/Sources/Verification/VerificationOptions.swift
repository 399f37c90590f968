public import Encodings

/// What a verifier asks of a presentation.
public struct VerificationOptions: Sendable {
    /// The time of the check, in seconds since 1970.
    public var time: Int64
    /// The audience that the presentation must be made for; without one it is only reported.
    public var audience: Bytes?
    /// The nonce that the presentation must answer; without one freshness is by time only.
    public var nonce: Bytes?
    /// How old a presentation may be, in seconds.
    public var maximumAge: Int64
    /// How far other clocks may be ahead, in seconds.
    public var clockSkew: Int64
    /// Whether a presentation without its document is refused.
    public var requiresDocument: Bool
    /// Status list tokens that the caller fetched; for their lists they take the place of stapled ones.
    public var liveStatus: [Bytes]

    /// The defaults: at `time`, at most a day old, five minutes between clocks.
    public init(
        time: Int64, audience: Bytes? = nil, nonce: Bytes? = nil, maximumAge: Int64 = 86_400,
        clockSkew: Int64 = 300, requiresDocument: Bool = false, liveStatus: [Bytes] = []
    ) {
        self.time = time
        self.audience = audience
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
        self.requiresDocument = requiresDocument
        self.liveStatus = liveStatus
    }
}
