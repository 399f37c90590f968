public import Encodings

/// What a verifier asks of a presentation.
public struct VerificationOptions: Sendable {
    /// The time of the check, in seconds since 1970.
    public var time: Int64
    /// The audience that the presentation must be made for; without one the question is open.
    public var audience: Bytes?
    /// Whether a presentation made for anybody will do, where no audience is named.
    public var acceptsAnyAudience: Bool
    /// The nonce that the presentation must answer; without one freshness is by time only.
    public var nonce: Bytes?
    /// How old a presentation may be, in seconds, apart from the time that its holder chose; `nil` for the holder's
    /// alone.
    public var maximumAge: Int64?
    /// How far other clocks may be ahead, in seconds.
    public var clockSkew: Int64
    /// Whether a presentation without its document is refused.
    public var requiresDocument: Bool
    /// Status list tokens that the caller fetched; for their lists they replace stapled ones.
    public var liveStatus: [Bytes]

    /// The defaults: at `time`, as old as the holder chose, five minutes between clocks.
    public init(
        time: Int64, audience: Bytes? = nil, acceptsAnyAudience: Bool = false, nonce: Bytes? = nil,
        maximumAge: Int64? = nil, clockSkew: Int64 = 300, requiresDocument: Bool = false, liveStatus: [Bytes] = []
    ) {
        self.time = time
        self.audience = audience
        self.acceptsAnyAudience = acceptsAnyAudience
        self.nonce = nonce
        self.maximumAge = maximumAge
        self.clockSkew = clockSkew
        self.requiresDocument = requiresDocument
        self.liveStatus = liveStatus
    }
}
