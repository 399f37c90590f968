/// How long sides of a session wait, in milliseconds (section 6).
public struct PicoTimings: Sendable, Equatable {
    /// Within which the service wants the next message of an active session.
    public let active: Int32
    /// The same for a paused session.
    public let paused: Int32
    /// How much longer than it says the service waits, and the Pico for an answer.
    public let grace: Int32
    /// How long the service waits for the first message, after Status.
    public let first: Int32

    /// What libpico's blocking classes and jpico say, with jpico's patience.
    public static let usual = PicoTimings(active: 10_000, paused: 50_000, grace: 10_000, first: 30_000)

    /// Timings of our own; each is at least one second and at most an hour.
    ///
    /// Then no message of a service is read as one of a Pico: its second element would be longer than the message.
    public init(active: Int32, paused: Int32, grace: Int32, first: Int32) {
        self.active = Self.limited(active)
        self.paused = Self.limited(paused)
        self.grace = Self.limited(grace)
        self.first = Self.limited(first)
    }

    private static func limited(_ time: Int32) -> Int32 { min(max(time, 1_000), longest) }

    /// The longest time that we believe a service.
    static let longest: Int32 = 3_600_000

    /// What the service says: the time for the next message, or -1 if there is none, as jpico writes it.
    func timeout(_ state: PicoContinuousState) -> Int32 {
        switch state {
        case .active: active
        case .paused: paused
        case .stopped, .failed: -1
        }
    }

    /// When a Pico sends after an answer: five seconds before the service would give up, or halfway if that is later.
    static func pause(_ timeout: Int32) -> Int32 { max(timeout - 5_000, timeout / 2) }
}
